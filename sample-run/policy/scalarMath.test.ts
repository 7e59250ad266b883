import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exp, log } from './scalarMath';

describe('scalar math', () => {
  it('exp agrees with the engine to 1e-12 over the range of doubles', () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 709, noNaN: true }), (x) => {
        expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-12);
      }),
    );
    expect(exp(0)).toBe(1);
    expect(exp(-1000)).toBe(0);
    expect(exp(-Infinity)).toBe(0);
    expect(exp(1000)).toBe(exp(709));
  });

  it('log agrees with the engine to 1e-13', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (x) => {
        const reference = Math.log(x);
        expect(Math.abs(log(x) - reference)).toBeLessThan(1e-13 * (1 + Math.abs(reference)));
      }),
    );
    expect(log(1)).toBe(0);
    expect(log(0)).toBe(-Infinity);
  });
});
