import { signal } from '@preact/signals';
import type { PromptColumns } from '../../protocol/panels/budgets';
import type { WhatIfView } from '../../protocol/panels/whatIf';
import { readFlag, uiState } from '../shared/uiState';
import type { Rows } from './promptOrder';
import { chosen, whatIfView } from './whatIfState';

/** One method's counts less those of the run, by the places of the table's prompts; NaN: not asked about. */
export interface Difference {
  /** Place of the method in the what-if. */
  readonly place: number;
  readonly method: string;
  readonly values: Float32Array;
  /** Mean rollouts of all prompts. */
  readonly total: number;
}

export interface Differences {
  readonly columns: readonly Difference[];
  /** The greatest difference of all columns: one scale for all bars. */
  readonly scale: number;
}

export const NO_DIFFERENCES: Differences = { columns: [], scale: 1 };
export const DIFFERENCE_WIDTH = 104;
const MOST_COLUMNS = 3;

/** Whether the table of prompts shows differences in place of the counts of the ledger. */
export const inTable = uiState('budgets.differences', 1, false, readFlag);
/** Place of the method that the table is sorted by; null: by a column of the run. */
export const sortedBy = signal<{ readonly place: number; readonly descending: boolean } | null>(null);

const differences = (view: WhatIfView, prompts: PromptColumns, places: readonly number[]): Differences => {
  const rowOf = new Map(view.prompts.map((id, i) => [id, i]));
  let scale = 0;
  const columns = places.flatMap((place): Difference[] => {
    const row = view.rows[place];
    if (row?.state !== 'done') return [];
    const values = Float32Array.from(prompts.id, (id) => {
      const i = rowOf.get(id);
      if (i === undefined) return Number.NaN;
      const value = row.outcome.counts[i]! - view.asRunCounts[i]!;
      scale = Math.max(scale, Math.abs(value));
      return value;
    });
    return [{ place, method: row.method, values, total: row.outcome.rollouts.mean }];
  });
  return { columns, scale: Math.max(1, scale) };
};

/** What the table shows: the first methods that answered; in narrow panels the chosen one. */
export const differencesFor = (prompts: PromptColumns, narrow: boolean): Differences => {
  const view = whatIfView.value;
  if (!inTable.value || !view) return NO_DIFFERENCES;
  const done = view.rows.flatMap((row, place) => (row.state === 'done' ? [place] : []));
  const own = done.includes(chosen.value) ? [chosen.value] : done.slice(0, 1);
  return differences(view, prompts, narrow ? own : done.slice(0, MOST_COLUMNS));
};

/** Rows by the difference of one method, those without any last. */
export const sortByDifference = (rows: Rows, { values }: Difference, descending: boolean): Rows => {
  const sign = descending ? -1 : 1;
  const key = (row: number): number => {
    const value = values[row]!;
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : sign * value;
  };
  return rows.slice().sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    return left === right ? a - b : left < right ? -1 : 1;
  });
};
