import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHUNK_ROWS } from './chunks';
import { NarrowInts } from './narrowInts';

describe('a narrow column', () => {
  it.each(['near', 'small'] as const)(
    '(%s) holds what a plain array holds, however far values lie apart',
    (kind) => {
      const value = fc.oneof(
        fc.integer({ min: -2, max: 10 }),
        fc.integer({ min: 0, max: 70_000 }),
        fc.integer({ min: 1_000_000, max: 1_060_000 }),
        fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      );
      const sets = fc.array(fc.tuple(fc.nat(40), value), { maxLength: 60 });
      fc.assert(
        fc.property(sets, fc.constantFrom(-1, 0), (writes, missing) => {
          const column = new NarrowInts(kind, missing);
          const plain = new Int32Array(41).fill(missing);
          for (const [i, x] of writes) {
            column.set(i, x);
            plain[i] = x;
          }
          expect(Array.from(plain, (_, i) => column.get(i))).toEqual([...plain]);
        }),
      );
    },
  );

  it('stays at two bytes a row while values are near each other', () => {
    const column = new NarrowInts('near');
    for (let i = 0; i < CHUNK_ROWS; i++) column.set(i, 5_000_000 + 2 * i - (i % 100));
    expect(column.bytes).toBe(2 * CHUNK_ROWS);
    column.set(0, 0);
    expect(column.bytes).toBe(4 * CHUNK_ROWS);
    expect(column.get(1)).toBe(5_000_001);
  });
});
