import type { Breakpoint } from '../shared/panelSize';

/** Columns of counts, right of the picture. */
export const COUNT_COLUMNS = [
  'planned',
  'running',
  'finished',
  'used',
  'discarded',
  'killed',
  'tokens',
] as const;
export type CountColumn = (typeof COUNT_COLUMNS)[number];

/** Narrow panels leave out what stands in the sums above; tables under 900 px what the ledger's bar tells. */
export const countColumns = (breakpoint: Breakpoint, width: number): readonly CountColumn[] =>
  COUNT_COLUMNS.filter((column) =>
    column === 'running'
      ? breakpoint !== 'narrow'
      : column === 'used' || column === 'tokens'
        ? width >= 900
        : true,
  );

/** Places of the columns, CSS pixels from the left of a row. */
export interface TableGeometry {
  readonly prompt: number;
  readonly heat: { readonly x: number; readonly steps: number; readonly cell: number };
  readonly rate: { readonly x: number; readonly width: number };
  /** The count as run: number right-aligned at `number`, then the bar. */
  readonly run: { readonly x: number; readonly number: number; readonly bar: number; readonly width: number };
  readonly columns: readonly CountColumn[];
  readonly counts: { readonly x: number; readonly widths: Readonly<Record<CountColumn, number>> };
  /** Least width of a row. */
  readonly width: number;
}

export const ROW = 20;
export const HEAD = 44;
const GAP = 20;
const NUMBER = 28;
/** Room beyond the name of a column, for its sort mark. */
const MARK = 20;
const NARROW_MARK = 12;
const MOST_STEPS = 60;

/**
 * @param longestId width of the longest id in the picture; `headWidth`: width of a column's name; `numberWidth`: of
 *   the widest count as run.
 * @param available steps of history there are.
 * @param differences width of the columns of a what-if.
 */
export const tableGeometry = (
  width: number,
  breakpoint: Breakpoint,
  longestId: number,
  available: number,
  headWidth: (column: CountColumn | 'launched') => number,
  numberWidth = 0,
  differences = 0,
): TableGeometry => {
  const narrow = breakpoint === 'narrow';
  const most = narrow ? 128 : 208;
  const prompt = Math.ceil(Math.min(most, Math.max(narrow ? 96 : 104, longestId + 40)) / 4) * 4;
  const cell = narrow ? 6 : 5;
  const rateWidth = narrow ? 80 : 96;
  const barWidth = narrow ? 24 : 44;
  const mark = narrow ? NARROW_MARK : MARK;
  const number = Math.max(NUMBER, Math.ceil(numberWidth) + 10);
  const runWidth = Math.min(
    number + barWidth + 40,
    Math.max(number + barWidth, headWidth('launched') + mark),
  );
  // Differences of a what-if stand where the counts of the ledger do else.
  const columns = differences > 0 ? [] : countColumns(breakpoint, width);
  const widths = {
    planned: headWidth('planned') + mark,
    running: headWidth('running') + mark,
    finished: headWidth('finished') + mark,
    used: headWidth('used') + mark,
    discarded: headWidth('discarded') + mark,
    killed: headWidth('killed') + mark,
    tokens: Math.max(44, headWidth('tokens')) + mark,
  };
  const counts = columns.reduce((sum, column) => sum + widths[column], 0);
  const fixed = prompt + GAP + rateWidth + GAP + runWidth + counts + differences + 16;
  const wanted = Math.min(available, narrow ? 24 : MOST_STEPS);
  const least = Math.min(wanted, 12);
  const steps = Math.max(least, Math.min(wanted, Math.floor((width - fixed) / cell)));
  const heatWidth = Math.max(steps * cell, narrow ? 72 : 96);
  const rateX = prompt + heatWidth + GAP;
  const runX = rateX + rateWidth + GAP;
  return {
    prompt,
    heat: { x: prompt, steps, cell },
    rate: { x: rateX, width: rateWidth },
    run: { x: runX, number: number - 8, bar: number - 2, width: runWidth },
    columns,
    counts: { x: runX + runWidth, widths },
    width: fixed + heatWidth,
  };
};
