import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PromptColumns } from '../../protocol/panels/budgets';
import { promptColumns } from '../../test/panels/fixtures/promptColumns';
import { COLUMN_KEYS } from './columns';
import { KeptOrder, movedCount, sortRows } from './promptOrder';

type Prompts = PromptColumns;
const make = (ids: readonly string[], launched: readonly number[], rates = ids.map(() => 0.5)): Prompts =>
  promptColumns(ids, { launched: Int32Array.from(launched), rate: Float32Array.from(rates) });
const all = (prompts: Prompts): Int32Array => Int32Array.from(prompts.id, (_, i) => i);
const list = (rows: ArrayLike<number>): number[] => Array.from(rows);
const most = { by: 'launched', descending: true } as const;

describe('sorting prompts', () => {
  it('puts those without a value last in both directions', () => {
    const prompts = make(['a', 'b', 'c'], [3, -1, 7]);
    expect(list(sortRows(all(prompts), prompts, most))).toEqual([2, 0, 1]);
    expect(list(sortRows(all(prompts), prompts, { by: 'launched', descending: false }))).toEqual([0, 2, 1]);
  });

  it('puts the rarer success first among equals', () => {
    const prompts = make(['a', 'b', 'c'], [8, 8, 8], [0.9, Number.NaN, 0.1]);
    expect(list(sortRows(Int32Array.of(0, 2), prompts, most))).toEqual([2, 0]);
  });

  it('sorts ids as people count', () => {
    const prompts = make(['p-10', 'p-9', 'p-1'], [0, 0, 0]);
    const sorted = list(sortRows(all(prompts), prompts, { by: 'prompt', descending: false }));
    expect(sorted.map((row) => prompts.id[row])).toEqual(['p-1', 'p-9', 'p-10']);
  });
});

describe('sorting by any column', () => {
  it('keeps every row once, values in order, missing ones last', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...COLUMN_KEYS),
        fc.boolean(),
        fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 40 }),
        (by, descending, values) => {
          const prompts = make(
            values.map((_, i) => `p-${i}`),
            values,
          );
          const sorted = list(sortRows(all(prompts), prompts, { by, descending }));
          expect([...sorted].sort((a, b) => a - b)).toEqual(list(all(prompts)));
          if (by !== 'launched') return;
          const shown = sorted.map((row) => values[row]!);
          const present = shown.filter((value) => value >= 0);
          expect(shown.slice(0, present.length)).toEqual(present);
          const rising = [...present].sort((a, b) => (descending ? b - a : a - b));
          expect(present).toEqual(rising);
        },
      ),
    );
  });
});

describe('how many moved', () => {
  it('is one when one goes to the front', () => {
    expect(movedCount([0, 1, 2, 3], [3, 0, 1, 2])).toBe(1);
    expect(movedCount([0, 1, 2], [0, 1, 2])).toBe(0);
    expect(movedCount([0, 1, 2], [2, 1, 0])).toBe(2);
  });

  it('is zero for the same order and at most all but one', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 500 }), { minLength: 1 }), (list) => {
        const shuffled = [...list].sort((a, b) => ((a * 7919) % 101) - ((b * 7919) % 101));
        const moved = movedCount(shuffled, list);
        expect(movedCount(list, list)).toBe(0);
        expect(moved).toBeLessThan(list.length);
        // Removing as many as moved can make the rest agree: the rest is a common subsequence.
        expect(moved === 0).toBe(shuffled.every((value, i) => value === list[i]));
      }),
    );
  });
});

const of = ({ rows, moved }: { rows: ArrayLike<number>; moved: number }) => ({ rows: list(rows), moved });

describe('the kept order', () => {
  it('stays when the numbers change, and says how many would move', () => {
    const order = new KeptOrder();
    const before = make(['a', 'b', 'c'], [9, 5, 1]);
    expect(of(order.arrange('k', all(before), before, most))).toEqual({ rows: [0, 1, 2], moved: 0 });
    const after = make(['a', 'b', 'c'], [9, 5, 20]);
    expect(of(order.arrange('k', all(after), after, most))).toEqual({ rows: [0, 1, 2], moved: 1 });
    expect(of(order.arrange('again', all(after), after, most))).toEqual({ rows: [2, 0, 1], moved: 0 });
  });

  it('follows a prompt to its new place in the columns', () => {
    const order = new KeptOrder();
    const before = make(['a', 'b'], [9, 5]);
    order.arrange('k', all(before), before, most);
    const after = make(['x', 'b', 'a'], [50, 5, 9]);
    // New prompts stand at the end until a person asks.
    expect(list(order.arrange('k', all(after), after, most).rows)).toEqual([2, 1, 0]);
  });

  it('keeps the place of what a filter hides for a while', () => {
    const order = new KeptOrder();
    const prompts = make(['a', 'b', 'c'], [9, 5, 1]);
    order.arrange('k', all(prompts), prompts, most);
    expect(list(order.arrange('k', Int32Array.of(0, 2), prompts, most).rows)).toEqual([0, 2]);
    expect(list(order.arrange('k', all(prompts), prompts, most).rows)).toEqual([0, 1, 2]);
  });

  it('sorts at once when step or column change', () => {
    const order = new KeptOrder();
    const prompts = make(['a', 'b'], [1, 2]);
    order.arrange('1', all(prompts), prompts, { by: 'launched', descending: false });
    expect(list(order.arrange('2', all(prompts), prompts, most).rows)).toEqual([1, 0]);
  });

  it('always gives every row once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 30 })), { minLength: 1, maxLength: 6 }),
        (updates) => {
          const order = new KeptOrder();
          for (const ids of updates) {
            const prompts = make(
              ids.map(String),
              ids.map((id) => (id * 13) % 7),
            );
            const { rows } = order.arrange('k', all(prompts), prompts, most);
            expect([...rows].sort((a, b) => a - b)).toEqual(list(all(prompts)));
          }
        },
      ),
    );
  });
});
