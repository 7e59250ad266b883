import type { BudgetsView } from '../../protocol/panels/budgets';

type Prompts = BudgetsView['prompts'];

export const SORT_KEYS = [
  'prompt',
  'rate',
  'launched',
  'planned',
  'running',
  'finished',
  'discarded',
  'killed',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface Sort {
  readonly by: SortKey;
  readonly descending: boolean;
}

const columnOf = (prompts: Prompts, by: SortKey): Int32Array | Float32Array | null =>
  by === 'prompt' ? null : prompts[by];

/**
 * Places in the view's columns, sorted. Prompts without a value go last whatever the direction; equal ones go
 * by pass rate, rarest success first, then by their place in the view.
 */
export const sortRows = (rows: readonly number[], prompts: Prompts, { by, descending }: Sort): number[] => {
  const sign = descending ? -1 : 1;
  const sorted = [...rows];
  const column = columnOf(prompts, by);
  if (!column) {
    const collator = new Intl.Collator('en', { numeric: true });
    return sorted.sort((a, b) => sign * collator.compare(prompts.id[a] ?? '', prompts.id[b] ?? '') || a - b);
  }
  const missing = (value: number): boolean => Number.isNaN(value) || value < 0;
  const rates = prompts.rate;
  return sorted.sort((a, b) => {
    const left = column[a] ?? Number.NaN;
    const right = column[b] ?? Number.NaN;
    if (missing(left) || missing(right)) return Number(missing(left)) - Number(missing(right)) || a - b;
    if (left !== right) return sign * (left - right);
    const leftRate = rates[a] ?? Number.NaN;
    const rightRate = rates[b] ?? Number.NaN;
    if (leftRate !== rightRate && !Number.isNaN(leftRate) && !Number.isNaN(rightRate))
      return leftRate - rightRate;
    return a - b;
  });
};

/**
 * How many would have to move to turn one order into the other: all but the longest run of them that is already
 * in order. Both arrays hold the same numbers.
 */
export const movedCount = (shown: readonly number[], sorted: readonly number[]): number => {
  const place = new Map<number, number>();
  sorted.forEach((row, i) => place.set(row, i));
  const tails: number[] = [];
  for (const row of shown) {
    const at = place.get(row);
    if (at === undefined) continue;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    tails[low] = at;
  }
  return shown.length - tails.length;
};

/**
 * Keeps the order of rows over updates until a person asks for a new one. Prompts that are new stand at the
 * end. A change of `key` (step, sort) sorts at once.
 */
export class KeptOrder {
  private key = '';
  private ids: readonly string[] = [];

  /** `rows`: places in the columns that pass the filter. Gives them in the kept order and how many would move. */
  arrange(
    key: string,
    rows: readonly number[],
    prompts: Prompts,
    sort: Sort,
  ): { rows: number[]; moved: number } {
    const sorted = sortRows(rows, prompts, sort);
    if (key !== this.key) {
      this.key = key;
      this.remember(sorted, prompts);
      return { rows: sorted, moved: 0 };
    }
    const waiting = new Map<string, number>();
    for (const row of sorted) waiting.set(prompts.id[row] ?? '', row);
    const kept: number[] = [];
    for (const id of this.ids) {
      const row = waiting.get(id);
      if (row === undefined) continue;
      kept.push(row);
      waiting.delete(id);
    }
    kept.push(...waiting.values());
    // What a filter hides now keeps its place for later.
    if (waiting.size > 0) this.ids = [...this.ids, ...waiting.keys()];
    return { rows: kept, moved: movedCount(kept, sorted) };
  }

  /** Takes the sorted order from now on. */
  sortAgain(): void {
    this.key = '';
  }

  private remember(rows: readonly number[], prompts: Prompts): void {
    this.ids = rows.map((row) => prompts.id[row] ?? '');
  }
}
