import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { TextPiece } from '../../protocol/panels/text';
import { EmptyState } from '../shared/emptyState';
import { count } from '../shared/format';
import { breakpoint } from '../shared/panelSize';
import { PieceView } from './pieceView';
import { Profile } from './profile';
import { Readout } from './readout';
import { isProbe, statusOf } from './status';
import { tokensOf, visible, type Token } from './textTokens';
import { TextTitle } from './textTitle';
import { text } from './texts';
import { endOf, forkPosition, type PathPart, type TreeModel } from './treeModel';
import { caret, setCaret, shownText } from './treeState';
import { TEXT_WINDOW, useText } from './useText';

const plain = (raw: string): string =>
  visible(raw)
    .map((part) => part.text)
    .join('');

/** Whether a rule or a person made the fork at which a piece begins. */
const forkedBy = ({ view }: TreeModel, piece: TextPiece): 'rule' | 'person' =>
  view.forks.find(
    (fork) =>
      forkPosition(view, fork) === piece.from &&
      fork.children.some((child) => view.nodes.id[child] === piece.node),
  )?.by ?? 'rule';

/** First token of the window: the whole path when it fits, its end while it runs, the caret's place. */
const windowStart = (length: number, running: boolean, at: number | null): number => {
  if (length <= TEXT_WINDOW) return 0;
  if (at !== null) return Math.max(0, Math.min(length - TEXT_WINDOW, at - TEXT_WINDOW / 2));
  return running ? length - TEXT_WINDOW : 0;
};

const tokenUnder = (target: EventTarget | null): number | null => {
  const at = target instanceof Element ? target.closest<HTMLElement>('[data-at]')?.dataset['at'] : undefined;
  return at === undefined ? null : Number(at);
};

export interface TextPaneProps {
  readonly model: TreeModel;
  readonly chosen: number;
  readonly path: readonly PathPart[];
  readonly onMove: (by: -1 | 1) => void;
  readonly onFork: () => void;
  readonly onEscape: () => void;
}

const Body = ({ model, chosen, path, onMove, onFork, onEscape }: TextPaneProps) => {
  const { view } = model;
  const rollout = view.rollouts.id[chosen] ?? '';
  const grown = endOf(model, chosen);
  const running = statusOf(view, chosen) === 'running';
  const from = useSignal(windowStart(grown, running, caret.peek()?.position ?? null));
  const open = useSignal<ReadonlySet<number>>(new Set());
  const hovered = useSignal<number | null>(null);
  const scroller = useRef<HTMLDivElement | null>(null);
  const answer = useText(rollout, from.value, grown).value;
  const at = caret.value?.position ?? null;
  const data = answer?.rollout === rollout ? answer.view : null;
  // Picture and text are asked for apart: the longer one is the newer.
  const length = Math.max(grown, data?.length ?? 0);

  const pieces = useMemo(
    () => (data?.pieces ?? []).map((piece) => ({ piece, tokens: tokensOf(piece) })),
    [data],
  );
  const tokens = useMemo(() => pieces.flatMap((each) => each.tokens), [pieces]);
  const first = tokens[0]?.at ?? from.value;
  const last = (tokens[tokens.length - 1]?.at ?? first - 1) + 1;

  useEffect(() => {
    shownText.value = tokens.length === 0 ? null : { from: first, to: last };
    return () => {
      shownText.value = null;
    };
  }, [first, last, tokens.length]);
  // The caret may be set from the picture or the profile, far from what is shown.
  useEffect(() => {
    if (at === null || (at >= from.value && at < from.value + TEXT_WINDOW)) return;
    from.value = windowStart(length, running, at);
  }, [at]);
  useLayoutEffect(() => {
    const mark = scroller.current?.querySelector('.tree-caret');
    mark?.scrollIntoView({ block: 'nearest' });
  }, [at, data]);

  const tokenAt = (position: number | null): Token | null =>
    position === null ? null : (tokens[position - first] ?? null);
  const move = (position: number): void => {
    setCaret({ rollout, position: Math.min(Math.max(0, length - 1), Math.max(0, position)) });
  };
  const keyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey) return;
    const here = at ?? first;
    const forks = path.slice(1).map((part) => part.from);
    let next: number | null = null;
    if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      const by = event.key === 'ArrowRight' ? 1 : -1;
      if (!event.ctrlKey) next = at === null ? first : here + by;
      else
        next = (by > 0 ? forks.find((fork) => fork > here) : forks.findLast((fork) => fork < here)) ?? null;
    } else if (event.key === 'Home') next = event.ctrlKey ? 0 : first;
    else if (event.key === 'End') next = event.ctrlKey ? length - 1 : last - 1;
    else if (event.key.toLowerCase() === 'f' && !event.ctrlKey) onFork();
    else if (event.key === 'Escape' && at !== null) onEscape();
    else return;
    if (next !== null) move(next);
    event.preventDefault();
    event.stopPropagation();
  };

  const missing =
    answer?.rollout !== rollout
      ? text('loadingText')
      : (data?.missing ?? (answer.error === null ? null : text('textFailed', { error: answer.error })));
  const advantage = isProbe(view, chosen) ? NaN : (view.rollouts.advantage[chosen] ?? NaN);
  const firstRow = first > 0 && tokens.length > 0;
  const lastRow = last < length && tokens.length > 0;
  return (
    <>
      <TextTitle
        model={model}
        chosen={chosen}
        onMove={onMove}
        copied={() => pieces.map(({ piece }) => piece.text).join('')}
      />
      <div
        ref={scroller}
        class="tree-text rs-scroll rs-inside"
        role="region"
        aria-label={text('text')}
        tabIndex={0}
        onKeyDown={keyDown}
        onPointerMove={(event) => {
          hovered.value = tokenUnder(event.target);
        }}
        onPointerLeave={() => {
          hovered.value = null;
        }}
        onClick={(event) => {
          const position = tokenUnder(event.target);
          if (position !== null) move(position);
        }}
      >
        {data !== null && first === 0 && (
          <div class="tree-prompt">
            <div class="rs-small rs-second">{text('promptHead', { prompt: data.prompt })}</div>
            <div class="tree-tokens" dir="auto">
              {plain(data.promptText)}
            </div>
          </div>
        )}
        {firstRow && (
          <div class="tree-window rs-small">
            <span class="rs-second">
              {text('windowOf', { from: count(first + 1), to: count(last), length: count(length) })}
            </span>
            <button
              type="button"
              class="rs-link"
              onClick={() => {
                from.value = Math.max(0, first - TEXT_WINDOW * 0.75);
              }}
            >
              {text('earlier')}
            </button>
          </div>
        )}
        {missing !== null && <p class="tree-missing rs-second">{missing}</p>}
        {missing === null && tokens.length === 0 && (
          <p class="tree-missing rs-second">{text('textGrowing')}</p>
        )}
        {pieces.map(({ piece, tokens: own }) => {
          const rolloutOf = view.rollouts.id.indexOf(piece.rollout);
          return (
            <PieceView
              key={`${piece.node}@${piece.from}`}
              piece={piece}
              tokens={own}
              caret={at !== null && at >= piece.from && at < piece.to ? at : null}
              by={forkedBy(model, piece)}
              outside={rolloutOf >= 0 && view.rollouts.inBaseline[rolloutOf] === 0}
              open={open.value}
              onOpen={(position) => {
                open.value = new Set(open.value).add(position);
              }}
            />
          );
        })}
        {lastRow && (
          <div class="tree-window rs-small">
            <span class="rs-second">
              {text('windowOf', { from: count(first + 1), to: count(last), length: count(length) })}
            </span>
            <button
              type="button"
              class="rs-link"
              onClick={() => {
                from.value = Math.min(Math.max(0, length - TEXT_WINDOW), first + TEXT_WINDOW * 0.75);
              }}
            >
              {text('later')}
            </button>
          </div>
        )}
      </div>
      <Readout token={tokenAt(hovered.value) ?? tokenAt(at)} advantage={advantage} />
      {breakpoint.value !== 'narrow' && <Profile model={model} path={path} onPick={move} />}
    </>
  );
};

/** The text of the chosen rollout from root to end, token by token. */
export const TextPane = (props: TextPaneProps) =>
  props.chosen < 0 ? (
    <EmptyState icon="type-hierarchy" title={text('chooseRollout')} text={text('chooseRolloutText')} />
  ) : (
    <Body key={props.model.view.rollouts.id[props.chosen]} {...props} />
  );
