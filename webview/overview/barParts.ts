import type { OverviewView } from '../../protocol/panels/overview';
import { count } from '../shared/format';
import type { TableData } from '../shared/tableBehind';
import { text } from './texts';

export type Bars = OverviewView['bars'];

/** Parts of a bar from the bottom, in the order that is always the same. */
export const partsOf = (bars: Bars, i: number) =>
  [
    ['used', bars.gradient[i] ?? 0],
    ['noGradient', bars.noGradient[i] ?? 0],
    ['running', bars.running[i] ?? 0],
    ['discarded', bars.discardedOrKilled[i] ?? 0],
  ] as const;

/** A bar in words. */
export const sentence = (bars: Bars, i: number): string => {
  const [gradient, none, running, out] = partsOf(bars, i).map(([, n]) => count(n));
  return text('barSentence', {
    step: bars.steps[i] ?? 0,
    gradient: gradient ?? '',
    none: none ?? '',
    running: running ?? '',
    out: out ?? '',
    planned: count(bars.planned[i] ?? 0),
  });
};

export const barsTable = (bars: Bars): TableData => ({
  caption: text('bars'),
  columns: [
    { name: text('colStep'), numeric: true },
    { name: text('colPlanned'), numeric: true },
    { name: text('gradient'), numeric: true },
    { name: text('noGradient'), numeric: true },
    { name: text('undecided'), numeric: true },
    { name: text('discardedOrKilled'), numeric: true },
    { name: text('colSteering') },
  ],
  rows: bars.steps.length,
  cell: (row, column) => {
    // Newest first: that is what a person looks for.
    const i = bars.steps.length - 1 - row;
    if (column === 0) return String(bars.steps[i] ?? '');
    if (column === 1) return count(bars.planned[i] ?? 0);
    if (column < 6) return count(partsOf(bars, i)[column - 2]?.[1] ?? 0);
    return bars.marks
      .filter(({ step }) => step === bars.steps[i])
      .map(({ label }) => label)
      .join(', ');
  },
});
