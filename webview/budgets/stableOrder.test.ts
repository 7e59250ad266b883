import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderBy } from './stableOrder';

describe('orderBy', () => {
  it('gives the order of a stable sort by the numbers', () => {
    const numbers = fc.array(
      fc.oneof(
        fc.double({ noNaN: true }),
        fc.integer({ min: -3, max: 3 }),
        fc.constantFrom(0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      ),
    );
    fc.assert(
      fc.property(numbers, (values) => {
        const places = Int32Array.from(values, (_, i) => i);
        orderBy(places, (place) => values[place]!);
        const expected = values
          .map((_, i) => i)
          .sort((a, b) => (values[a]! < values[b]! ? -1 : values[a]! > values[b]! ? 1 : a - b));
        expect([...places]).toEqual(expected);
      }),
    );
  });

  it('sorts only the places that it is given', () => {
    const places = Int32Array.from([4, 1, 3]);
    orderBy(places, (place) => [9, 5, 9, 1, 7][place]!);
    expect([...places]).toEqual([3, 1, 4]);
  });
});
