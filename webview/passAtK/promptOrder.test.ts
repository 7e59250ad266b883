import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PasskRows } from '../../protocol/panels/passAtK';
import { orderRows, rowChange, rowPassAt, SORTS, worthIt } from './promptOrder';

const rowsOf = (counts: readonly (readonly [n: number, c: number])[]): PasskRows => ({
  prompt: counts.map((_, i) => `p${i}`),
  difficulty: counts.map(() => null),
  n: Int32Array.from(counts, ([n]) => n),
  c: Int32Array.from(counts, ([, c]) => c),
  againstN: Int32Array.from(counts, ([n]) => n),
  againstC: new Int32Array(counts.length),
  needHalf: Float64Array.from(counts, ([n, c]) => (c === 0 ? Infinity : n / c)),
  needNine: Float64Array.from(counts, ([n, c]) => (c === 0 ? Infinity : (3 * n) / c)),
  mixed: Float64Array.from(counts, ([n, c]) => (n === 0 ? 0 : (4 * c * (n - c)) / (n * n))),
  trained: Uint8Array.from(counts, (_, i) => (i % 2 === 0 ? 1 : 0)),
  adviceRollouts: 8,
});

describe('rows of prompts', () => {
  it('have no value where n < k, and no change without samples', () => {
    const rows = rowsOf([
      [4, 1],
      [0, 0],
    ]);
    expect(rowPassAt(rows, 0, 4)).toBe(1);
    expect(rowPassAt(rows, 0, 8)).toBeNaN();
    expect(rowPassAt(rows, 1, 1)).toBeNaN();
    expect(rowChange(rows, 0)).toBe(25);
    expect(rowChange(rows, 1)).toBeNaN();
  });

  it('are ordered by every column both ways, each once, those without a value last', () => {
    const counts = fc
      .integer({ min: 0, max: 20 })
      .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n })));
    fc.assert(
      fc.property(
        fc.array(counts, { maxLength: 30 }),
        fc.constantFrom(...SORTS),
        fc.boolean(),
        (list, by, descending) => {
          const rows = rowsOf(list);
          const order = orderRows(rows, { by, descending }, 8);
          expect([...order].sort((a, b) => a - b)).toEqual(list.map((_, i) => i));
          if (by !== 'many') return;
          const values = order.map((row) => rowPassAt(rows, row, 8));
          const known = values.filter((value) => !Number.isNaN(value));
          expect(values.slice(0, known.length)).toEqual(known);
          expect(known).toEqual([...known].sort((a, b) => (descending ? b - a : a - b)));
        },
      ),
    );
  });

  it('are worth it where a mixed group is likelier than not and the run trains on them', () => {
    const rows = rowsOf([
      [8, 4],
      [8, 4],
      [8, 0],
      [8, 2],
      [8, 2],
    ]);
    expect(worthIt(rows)).toEqual([0, 4]);
  });
});
