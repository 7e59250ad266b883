import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostRows, rowWindow, scrollToShow } from './virtualWindow';

const place = fc.record({
  count: fc.integer({ min: 1, max: 200_000 }),
  height: fc.integer({ min: 20, max: 2_000 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe('the rendered rows', () => {
  it('cover the view wherever it is scrolled to, and little more', () => {
    fc.assert(
      fc.property(place, ({ count, height, share }) => {
        const scrollTop = share * Math.max(0, count * 20 - height);
        const { first, end } = rowWindow(scrollTop, height, 20, count);
        expect(first * 20).toBeLessThanOrEqual(scrollTop);
        expect(end * 20).toBeGreaterThanOrEqual(Math.min(count * 20, scrollTop + height));
        expect(first).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(count);
        expect(end - first).toBeLessThanOrEqual(mostRows(height, 20));
      }),
    );
  });

  it('exist also when the list has become shorter than the scroll place', () => {
    expect(rowWindow(10_000, 400, 20, 5)).toEqual({ first: 0, end: 5 });
    expect(rowWindow(0, 400, 20, 0)).toEqual({ first: 0, end: 0 });
  });
});

describe('bringing a row into view', () => {
  it('moves as little as it must', () => {
    expect(scrollToShow(0, 100, 200, 20)).toBe(0);
    expect(scrollToShow(6, 100, 200, 20)).toBe(100);
    expect(scrollToShow(20, 100, 200, 20)).toBe(220);
  });
});
