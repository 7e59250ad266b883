import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divergingStep, entropyStep, roundEnd, roundTicks, sequentialStep } from './scales';

describe('the sequential scale', () => {
  it('has seven equal steps from the least to the greatest value', () => {
    expect([0, 1, 6.99, 7, 12, -3].map((x) => sequentialStep(x, 0, 7))).toEqual([0, 1, 6, 6, 6, 0]);
  });

  it('has no step for what is no number', () => {
    expect(sequentialStep(Number.NaN, 0, 1)).toBe(-1);
  });

  it('never falls when the value rises', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 5, noNaN: true }),
        fc.double({ min: 0, max: 5, noNaN: true }),
        (a, b) => {
          expect(entropyStep(Math.max(a, b))).toBeGreaterThanOrEqual(entropyStep(Math.min(a, b)));
        },
      ),
    );
  });
});

describe('the diverging scale', () => {
  it('is symmetrical about zero', () => {
    expect([-2, -1, -0.5, 0, 0.1, 0.5, 1, 2].map((x) => divergingStep(x, 1))).toEqual([
      -3, -3, -1, 0, 0, 2, 3, 3,
    ]);
  });
});

describe('axes', () => {
  it('have round ticks from zero', () => {
    expect(roundTicks(200, 4)).toEqual([0, 50, 100, 150, 200]);
    expect(roundTicks(2, 4)).toEqual([0, 0.5, 1, 1.5, 2]);
    expect(roundTicks(0, 4)).toEqual([0]);
  });

  it('end at a round number that is not below the greatest value', () => {
    expect([187 * 1.02, 1.87, 0.0093, 1000].map(roundEnd)).toEqual([200, 2, 0.01, 1000]);
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (x) => {
        expect(roundEnd(x)).toBeGreaterThanOrEqual(x * (1 - 1e-6));
        expect(roundEnd(x)).toBeLessThanOrEqual(x * 2.0001);
      }),
    );
  });

  it('never get more ticks than there is room for', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
        fc.integer({ min: 1, max: 20 }),
        (max, most) => {
          const ticks = roundTicks(max, most);
          expect(ticks.length).toBeLessThanOrEqual(most + 1);
          expect(ticks.at(-1)).toBeLessThanOrEqual(max * (1 + 1e-6));
        },
      ),
    );
  });
});
