import { memo } from 'preact/compat';
import type { TextPiece } from '../../protocol/panels/text';
import { count, decimal } from '../shared/format';
import { command } from '../shared/host';
import { Icon } from '../shared/icon';
import { Mark } from '../shared/marks';
import { entropyStep } from '../shared/scales';
import { meanEntropy, stretchesOf, visible, type Stretch, type Token } from './textTokens';
import { text } from './texts';

/** Origins in words; a word that is not known stands as `other`. */
const ORIGIN_TEXTS = [
  'sampled',
  'forked',
  'resumed',
  'replayed',
  'external',
  'hinted',
  'edited',
  'duplicate',
] as const;

const originText = (origin: string): string =>
  text(ORIGIN_TEXTS.find((known) => known === origin) ?? 'other');

/** Text nodes only: what a model wrote is never markup. */
const Visible = ({ text: raw }: { text: string }) => (
  <>
    {visible(raw).map((part, i) =>
      part.special ? (
        <span key={i} class="tree-special">
          {part.text}
        </span>
      ) : (
        part.text
      ),
    )}
  </>
);

/** Spaces before a word are not painted: colour stands under what was chosen, not between words. */
const LEADING = /^ +(?=\S)/;

const TokenSpan = ({ token, chosen, colour }: { token: Token; chosen: boolean; colour: boolean }) => {
  const step = colour ? entropyStep(token.entropy) : 0;
  const space = LEADING.exec(token.text)?.[0] ?? '';
  return (
    <span class="tree-token" data-at={token.at}>
      {space}
      <span class={chosen ? 'tree-caret' : undefined} {...(step > 0 ? { 'data-step': step } : {})}>
        <Visible text={token.text.slice(space.length)} />
      </span>
    </span>
  );
};

const ForkRow = ({ piece, by }: { piece: TextPiece; by: 'rule' | 'person' }) => {
  const { fork } = piece;
  if (!fork) return null;
  const { decision } = fork;
  return (
    <div class="tree-fork-row rs-small">
      <Mark name={by === 'person' ? 'forkByPerson' : 'forkByRule'} />
      {decision === null ? (
        <span class="rs-cut">{fork.label}</span>
      ) : (
        <button
          type="button"
          class="rs-link rs-cut"
          title={text('showDecision')}
          onClick={() => void command({ id: 'showDecision', decision, subject: piece.node })}
        >
          {fork.label}
        </button>
      )}
      <span class="rs-grow" />
      <span class="rs-second">{text('siblings', { count: count(fork.siblings) })}</span>
    </div>
  );
};

const StretchView = ({
  stretch,
  tokens,
  caret,
  origin,
  onOpen,
}: {
  stretch: Stretch;
  tokens: readonly Token[];
  caret: number | null;
  origin: string;
  onOpen: (at: number) => void;
}) => {
  const own = tokens.slice(stretch.from, stretch.to);
  if (stretch.kind === 'fold') {
    return (
      <button type="button" class="tree-fold rs-small" onClick={() => onOpen(own[0]?.at ?? 0)}>
        <Icon name="chevron-right" small />
        {text('folded', { count: count(own.length), entropy: decimal(meanEntropy(own)) })}
      </button>
    );
  }
  const spans = own.map((token) => (
    <TokenSpan key={token.at} token={token} chosen={token.at === caret} colour={stretch.kind === 'text'} />
  ));
  if (stretch.kind === 'text') {
    return (
      <div class="tree-tokens" dir="auto">
        {spans}
      </div>
    );
  }
  return (
    <div class="tree-quote">
      {(origin === 'hinted' || origin === 'edited') && <Mark name={origin} />}
      <div class="tree-tokens rs-grow" dir="auto">
        {spans}
      </div>
      <span class="rs-second rs-small">{text('notTrained', { count: count(own.length) })}</span>
    </div>
  );
};

export interface PieceProps {
  readonly piece: TextPiece;
  readonly tokens: readonly Token[];
  /** Position of the caret, null when it is in another piece: so that only two pieces change when it moves. */
  readonly caret: number | null;
  readonly by: 'rule' | 'person';
  readonly outside: boolean;
  readonly open: ReadonlySet<number>;
  readonly onOpen: (at: number) => void;
}

/** The policy wrote all of it. */
const isSampled = (origin: string): boolean => ['sampled', 'forked', 'resumed'].includes(origin);

/** A stretch of the path: the fork that led here, who generated it and how, its tokens. */
export const PieceView = memo(({ piece, tokens, caret, by, outside, open, onOpen }: PieceProps) => (
  <section class="tree-piece" data-node={piece.node} data-piece-rollout={piece.rollout}>
    <ForkRow piece={piece} by={by} />
    <div class="tree-piece-head rs-small">
      <span class="rs-mono rs-strong rs-cut" title={piece.node}>
        {piece.node}
      </span>
      <span class="rs-tag">{originText(piece.origin)}</span>
      {outside && <span class="rs-tag">{text('outside')}</span>}
      <span class="rs-grow" />
      <span class="rs-second">{text('pieceTokens', { from: count(piece.from), to: count(piece.to) })}</span>
    </div>
    {stretchesOf(tokens, caret, open, !(outside && isSampled(piece.origin))).map((stretch) => (
      <StretchView
        key={`${stretch.kind}${stretch.from}`}
        stretch={stretch}
        tokens={tokens}
        caret={caret}
        origin={piece.origin}
        onOpen={onOpen}
      />
    ))}
  </section>
));
