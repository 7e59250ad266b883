import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StringTable } from './stringTable';
import { WireError } from './wireError';

describe('a string table', () => {
  it('gives back every string over many blocks, in any letters', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'Z', '7', 'é', '語', '\u{1F332}'),
      maxLength: 24,
    });
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 40 }), (few) => {
        const all = Array.from({ length: 2_500 }, (_, i) => `${few[i % few.length]!}-${i}`);
        const table = new StringTable();
        table.add(0, all.slice(0, 1_500));
        table.add(1_200, all.slice(1_200));
        expect(table.size).toBe(all.length);
        expect(table.values).toEqual(all);
        for (const handle of [0, 1_023, 1_024, 2_047, 2_048, 2_499])
          expect(table.find(all[handle]!)).toBe(handle);
        expect(table.find('not there')).toBe(-1);
        expect(table.get(all.length)).toBeNull();
        expect(table.get(-1)).toBeNull();
      }),
      { numRuns: 20 },
    );
  });

  it('forgets single strings and keeps the others', () => {
    const table = new StringTable();
    const all = Array.from({ length: 2_100 }, (_, i) => `id-${i}`);
    table.add(0, all);
    for (let handle = 0; handle < all.length; handle++) if (handle % 7 !== 0) table.forget(handle);
    for (let handle = 0; handle < all.length; handle++) {
      expect(table.get(handle)).toBe(handle % 7 === 0 ? all[handle] : null);
    }
    expect(table.find('id-7')).toBe(7);
    expect(table.find('id-8')).toBe(-1);
    table.add(0, all);
    expect(table.size).toBe(all.length);
    table.add(all.length, ['next']);
    expect(table.get(all.length)).toBe('next');
  });

  it('gives memory back', () => {
    const table = new StringTable();
    table.add(
      0,
      Array.from({ length: 100_000 }, (_, i) => `rollout-${i}`),
    );
    const full = table.bytes;
    for (let handle = 0; handle < 100_000; handle++) if (handle % 64 !== 0) table.forget(handle);
    expect(table.bytes).toBeLessThan(full / 3);
  });

  it('refuses a gap, a contradiction and what is no text', () => {
    const table = new StringTable();
    table.add(0, ['a', 'b']);
    expect(() => table.add(3, ['x'])).toThrow(WireError);
    expect(() => table.add(1, ['c'])).toThrow(/handle 1 was given twice/);
    expect(() => table.add(2, [7])).toThrow(/not a string/);
  });
});
