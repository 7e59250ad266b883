import { passAtK } from '../../methods/estimators/passAtK';
import type { PasskRows } from '../../protocol/panels/passAtK';

export const SORTS = ['prompt', 'n', 'c', 'one', 'many', 'change', 'half', 'nine', 'mixed'] as const;
export type SortKey = (typeof SORTS)[number];
export interface Sort {
  readonly by: SortKey;
  readonly descending: boolean;
}

/** pass@k of a row; NaN where n < k. */
export const rowPassAt = (rows: PasskRows, row: number, k: number): number =>
  passAtK(rows.n[row] ?? 0, rows.c[row] ?? 0, k) ?? NaN;

/** Points of pass@1 against the reference; NaN where one of the two has no sample. */
export const rowChange = (rows: PasskRows, row: number): number =>
  100 * ((rows.c[row] ?? 0) / (rows.n[row] ?? 0) - (rows.againstC[row] ?? 0) / (rows.againstN[row] ?? 0));

const numberOf = (rows: PasskRows, by: Exclude<SortKey, 'prompt'>, row: number, k: number): number => {
  switch (by) {
    case 'n':
      return rows.n[row] ?? NaN;
    case 'c':
      return rows.c[row] ?? NaN;
    case 'one':
      return rowPassAt(rows, row, 1);
    case 'many':
      return rowPassAt(rows, row, k);
    case 'change':
      return rowChange(rows, row);
    case 'half':
      return rows.needHalf[row] ?? NaN;
    case 'nine':
      return rows.needNine[row] ?? NaN;
    case 'mixed':
      return rows.mixed[row] ?? NaN;
  }
};

/** Rows in order; what has no value stands last either way, equal ones by their ids. */
export const orderRows = (rows: PasskRows, { by, descending }: Sort, k: number): readonly number[] => {
  const order = rows.prompt.map((_, row) => row);
  const id = (row: number): string => rows.prompt[row] ?? '';
  const byId = (a: number, b: number): number => (id(a) < id(b) ? -1 : id(a) > id(b) ? 1 : 0);
  if (by === 'prompt') return order.sort((a, b) => (descending ? byId(b, a) : byId(a, b)));
  const values = Float64Array.from(order, (row) => numberOf(rows, by, row, k));
  return order.sort((a, b) => {
    const x = values[a] ?? NaN;
    const y = values[b] ?? NaN;
    if (Number.isNaN(x) || Number.isNaN(y))
      return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || byId(a, b);
    if (x === y) return byId(a, b);
    return descending === x > y ? -1 : 1;
  });
};

/** Prompts for which `adviceRollouts` more hold both outcomes more likely than not, the likeliest first. */
export const worthIt = (rows: PasskRows): readonly number[] =>
  rows.prompt
    .map((_, row) => row)
    .filter((row) => rows.trained[row] === 1 && (rows.mixed[row] ?? 0) >= 0.5)
    .sort((a, b) => (rows.mixed[b] ?? 0) - (rows.mixed[a] ?? 0));
