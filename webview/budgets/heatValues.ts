import type { BudgetsView, HeatCells, HeatMeasure } from '../../protocol/panels/budgets';
import { count, large, rate } from '../shared/format';
import { text } from './texts';

/** Least and greatest value on the scale. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** Shares run from 0 to 1 always; amounts from the least to the greatest of the cells in the last `steps` steps. */
export const heatRange = ({ measure, steps, column, value }: HeatCells, shown: number): Range => {
  if (measure === 'passRate' || measure === 'gradient') return { least: 0, most: 1 };
  const from = steps.length - shown;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let i = 0; i < value.length; i++) {
    if (column[i]! < from) continue;
    const amount = value[i]!;
    if (amount < 0) continue;
    if (amount < least) least = amount;
    if (amount > most) most = amount;
  }
  return Number.isFinite(least) ? { least, most } : { least: 0, most: 0 };
};

/** The value of a cell; undefined: the prompt was not in that step. −1: nothing is known of it yet. */
export const cellValue = (
  { start, column, value }: HeatCells,
  row: number,
  at: number,
): number | undefined => {
  let low = start[row] ?? 0;
  let high = start[row + 1] ?? 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low < (start[row + 1] ?? 0) && column[low] === at ? value[low] : undefined;
};

const AMOUNT: Readonly<Record<HeatMeasure, (value: number) => string>> = {
  launched: (n) => (n === 1 ? text('cellLaunched1') : text('cellLaunched', { n: count(n) })),
  finished: (n) => text('cellFinished', { n: count(n) }),
  tokens: (n) => text('cellTokens', { n: large(n) }),
  passRate: (p) => (p < 0 ? text('cellNoResult') : text('cellRate', { rate: rate(p) })),
  gradient: (g) => (g < 0 ? text('gradientOpen') : g > 0 ? text('gradientYes') : text('gradientNo')),
};

/** `31 rollouts in step 412`. */
export const cellText = ({ history }: BudgetsView, row: number, column: number): string => {
  const step = history.steps[column] ?? 0;
  const value = cellValue(history, row, column);
  return value === undefined
    ? text('cellNone', { step })
    : text('cellIn', { amount: AMOUNT[history.measure](value), step });
};

/** An end of the scale, for the legend. */
export const scaleEnd = (measure: HeatMeasure, value: number): string =>
  measure === 'tokens'
    ? large(value)
    : measure === 'passRate' || measure === 'gradient'
      ? rate(value)
      : count(value);

const MEASURE = {
  launched: 'measureLaunched',
  finished: 'measureFinished',
  tokens: 'measureTokens',
  passRate: 'measurePassRate',
  gradient: 'measureGradient',
} as const;
export const measureText = (name: keyof typeof MEASURE): string => text(MEASURE[name]);
