import { useSignal } from '@preact/signals';
import { useCallback, useId, useMemo, useRef } from 'preact/hooks';
import type { BudgetsView } from '../../protocol/panels/budgets';
import { Canvas, type Paint } from '../shared/canvas';
import { count, large, rate, share } from '../shared/format';
import { hideCard, showCard } from '../shared/hoverCard';
import { isMissing, numberColumn } from './columns';
import { paintTreemap } from './paintTreemap';
import { area, treemapColour, type Area, type TreemapColour } from './panelState';
import { useBox, type PictureProps } from './pictureProps';
import { PromptCard } from './promptCard';
import { subjectText } from './subjectText';
import { text } from './texts';
import { colourText, areaText } from './toolbar';
import { cellAt, neighbourOf, treemapLayout } from './treemapLayout';

/** The colour's value of a row: shares from 0 to 1, a spread from 0 to the greatest. */
const valuesOf = (view: BudgetsView, colour: TreemapColour): ArrayLike<number> =>
  numberColumn(colour)?.of(view.prompts) ?? [];

const amountText = (of: Area, value: number): string =>
  of === 'tokens' ? text('cellTokens', { n: large(value) }) : text('cellLaunched', { n: count(value) });

/** `func-4420: 31 rollouts, 3.0 % of 1,024; pass rate .06`. */
const nameOf = (view: BudgetsView, row: number, of: Area, total: number, colour: TreemapColour): string => {
  const value = view.prompts[of][row] ?? 0;
  const shade = valuesOf(view, colour)[row] ?? Number.NaN;
  return text('treemapCell', {
    id: view.prompts.id[row] ?? '',
    amount: amountText(of, value),
    share: share(total > 0 ? value / total : 0),
    colour: colourText(colour),
    value: isMissing(shade) ? text('noValueHere') : rate(shade),
  });
};

/** The same prompts as areas: what each has cost, coloured by what came of it. Greatest first, from the left. */
export const Treemap = ({ view, rows, chosen, onChoose }: PictureProps) => {
  const { box, width, height } = useBox();
  const current = useSignal<number | null>(null);
  const list = useRef<HTMLDivElement | null>(null);
  const id = useId();
  const [of, colour] = [area.value, treemapColour.value];
  const amounts = view.prompts[of];
  const inner = { width: Math.max(0, width - 32), height: Math.max(0, height - 8) };
  const layout = useMemo(
    () => treemapLayout(rows, (row) => amounts[row] ?? 0, inner.width, inner.height),
    [rows, amounts, inner.width, inner.height],
  );
  const values = useMemo(() => valuesOf(view, colour), [view, colour]);
  const most = useMemo(() => (colour === 'spread' ? spreadTop(values) : 1), [values, colour]);
  const chosenRow = rows[chosen] ?? -1;
  const chosenCell = useMemo(() => layout.rows.indexOf(chosenRow), [layout, chosenRow]);
  const paint = useCallback<Paint>(
    (context, size, colours) =>
      paintTreemap(context, { view, layout, values, most, chosen: chosenCell }, size, colours),
    [view, layout, values, most, chosenCell],
  );
  const at = Math.min(layout.rows.length - 1, current.value ?? Math.max(0, chosenCell));
  const row = layout.rows[at] ?? -1;
  const pointed = (event: MouseEvent): number => {
    const edges = list.current?.getBoundingClientRect();
    return edges ? cellAt(layout, event.clientX - edges.left, event.clientY - edges.top) : -1;
  };
  const label = text('treemapLabel', {
    area: areaText(of),
    colour: colourText(colour),
    subject: subjectText(view.subject),
  });
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = layout.edges.subarray(at * 4, at * 4 + 4);
  return (
    <div ref={box} class="bu-treemap">
      <div
        ref={list}
        class="bu-treemap-box"
        role="listbox"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={row >= 0 ? id : undefined}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey || row < 0) return;
          if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            current.value = at;
            onChoose(row);
          } else if (event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End') {
            event.preventDefault();
            current.value =
              event.key === 'Home'
                ? 0
                : event.key === 'End'
                  ? layout.rows.length - 1
                  : neighbourOf(layout, at, event.key);
          }
        }}
        onClick={(event) => {
          const cell = pointed(event);
          if (cell < 0) return;
          current.value = cell;
          onChoose(layout.rows[cell] ?? -1);
        }}
        onPointerMove={(event) => {
          const cell = pointed(event);
          const under = layout.rows[cell];
          if (under === undefined) {
            hideCard();
            return;
          }
          const { clientX: x, clientY: y } = event;
          showCard(`area-${under}`, { left: x - 4, right: x + 4, top: y - 8, bottom: y + 8 }, () => (
            <>
              <PromptCard view={view} row={under} column={null} />
              <div>
                {text('areaOf', {
                  amount: amountText(of, amounts[under] ?? 0),
                  share: share((amounts[under] ?? 0) / layout.total),
                  total: amountText(of, layout.total),
                })}
              </div>
            </>
          ));
        }}
        onPointerLeave={() => hideCard()}
      >
        <Canvas paint={paint} class="bu-picture" aria-hidden="true" />
        {row >= 0 && (
          <div
            id={id}
            role="option"
            class="bu-heat-current"
            aria-selected={row === chosenRow}
            aria-posinset={at + 1}
            aria-setsize={layout.rows.length}
            aria-label={nameOf(view, row, of, layout.total, colour)}
            style={{ left: `${x0}px`, top: `${y0}px`, width: `${x1 - x0}px`, height: `${y1 - y0}px` }}
          />
        )}
      </div>
      {layout.rows.length === 0 && (
        <p class="bu-treemap-none rs-second">{text('treemapNone', { area: areaText(of) })}</p>
      )}
    </div>
  );
};

export const spreadTop = (values: ArrayLike<number>): number => {
  let most = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! > most) most = values[i]!;
  return most > 0 ? most : 1;
};
