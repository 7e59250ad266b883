import type { PromptColumns } from '../../protocol/panels/budgets';
import { COLUMN_KEYS, isMissing, numberColumn, wordColumn, type ColumnKey } from './columns';
import { orderBy } from './stableOrder';
import { wordRanks } from './wordRanks';

/** Places in the view's columns. */
export type Rows = Int32Array;

export interface Sort {
  readonly by: ColumnKey;
  readonly descending: boolean;
}

export const readSort = (value: unknown): Sort | undefined => {
  if (typeof value !== 'object' || value === null || !('by' in value)) return undefined;
  const by = COLUMN_KEYS.find((key) => key === value.by);
  return by === undefined
    ? undefined
    : { by, descending: 'descending' in value && value.descending === true };
};

const rankedIds = new WeakMap<readonly string[], Float64Array>();

/** Numbers to sort by; NaN or negative: last, whatever the direction. */
const sortKeys = (prompts: PromptColumns, by: ColumnKey): ArrayLike<number> => {
  const numbers = numberColumn(by);
  if (numbers) return numbers.of(prompts);
  if (by === 'prompt') {
    let known = rankedIds.get(prompts.id);
    if (!known) rankedIds.set(prompts.id, (known = wordRanks(prompts.id)));
    return known;
  }
  const column = wordColumn(by);
  return wordRanks(prompts.id.map((_, row) => column?.of(prompts, row).join(' ') ?? ''));
};

/**
 * Rows, sorted. Prompts without a value go last whatever the direction; equal ones go by pass rate, rarest success
 * first, then by their place in the view.
 */
export const sortRows = (rows: Rows, prompts: PromptColumns, { by, descending }: Sort): Rows => {
  const sign = descending ? -1 : 1;
  const source = sortKeys(prompts, by);
  const keys = new Float64Array(prompts.id.length);
  for (const row of rows) {
    const value = source[row] ?? Number.NaN;
    keys[row] = isMissing(value) ? Number.POSITIVE_INFINITY : sign * value;
  }
  const { rate } = prompts;
  const sorted = rows.slice();
  orderBy(sorted, (row) => row);
  orderBy(sorted, (row) => {
    const value = rate[row]!;
    return keys[row] === Number.POSITIVE_INFINITY ? 0 : Number.isNaN(value) ? 2 : value;
  });
  orderBy(sorted, (row) => keys[row]!);
  return sorted;
};

/**
 * How many would have to move to turn one order into the other: all but the longest run of them that is already
 * in order. Both arrays hold the same numbers.
 */
export const movedCount = (shown: ArrayLike<number>, sorted: ArrayLike<number>): number => {
  const size = shown.length;
  let first = 0;
  while (first < size && shown[first] === sorted[first]) first++;
  if (first === size) return 0;
  let most = 0;
  for (let i = 0; i < size; i++) most = Math.max(most, sorted[i]!);
  const place = new Int32Array(most + 1).fill(-1);
  for (let i = 0; i < sorted.length; i++) place[sorted[i]!] = i;
  const tails = new Int32Array(size);
  let length = 0;
  for (let i = 0; i < size; i++) {
    const at = place[shown[i]!] ?? -1;
    if (at < 0) continue;
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (tails[middle]! < at) low = middle + 1;
      else high = middle;
    }
    tails[low] = at;
    if (low === length) length++;
  }
  return size - length;
};

/**
 * Keeps the order of rows over updates until a person asks for a new one. Prompts that are new stand at the
 * end. A change of `key` (subject, sort) sorts at once.
 */
export class KeptOrder {
  private key = '';
  private ids: readonly string[] = [];

  /** `rows`: places in the columns that pass the filter. Gives them in the kept order and how many would move. */
  arrange(
    key: string,
    rows: Rows,
    prompts: PromptColumns,
    sort: Sort,
  ): { readonly rows: Rows; readonly moved: number } {
    const sorted = sortRows(rows, prompts, sort);
    if (key !== this.key) {
      this.key = key;
      this.ids = Array.from(sorted, (row) => prompts.id[row] ?? '');
      return { rows: sorted, moved: 0 };
    }
    const waiting = new Map<string, number>();
    for (const row of sorted) waiting.set(prompts.id[row] ?? '', row);
    const kept = new Int32Array(sorted.length);
    let count = 0;
    for (const id of this.ids) {
      const row = waiting.get(id);
      if (row === undefined) continue;
      kept[count++] = row;
      waiting.delete(id);
    }
    for (const row of waiting.values()) kept[count++] = row;
    // What a filter hides now keeps its place for later.
    if (waiting.size > 0) this.ids = [...this.ids, ...waiting.keys()];
    return { rows: kept, moved: movedCount(kept, sorted) };
  }
}
