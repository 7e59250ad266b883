import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { sampleBeta } from '../distributions';
import { Rng } from '../random';
import { Refusal } from '../refusal';
import { betaInterval, betaMean, passAtKInterval, posterior, posteriorPassAtK } from './betaPosterior';
import { betaProbability, betaQuantile } from './incompleteBeta';
import { normalHalfWidth } from './normalQuantile';

const cases = readVectors('trees/estimate-beta-posterior', {
  input: Type.Object({ samples: Type.Integer(), correct: Type.Integer(), k: Type.Integer() }),
  params: Type.Object({ priorAlpha: Type.Number(), priorBeta: Type.Number(), level: Type.Number() }),
  output: Type.Object({
    posteriorMeanPassAtK: Type.Number(),
    successRateLower: Type.Number(),
    successRateUpper: Type.Number(),
    passAtKLower: Type.Number(),
    passAtKUpper: Type.Number(),
  }),
});

describe('Beta posterior', () => {
  it('has all vectors', () => expect(cases.length).toBe(30));

  it.each(cases)('$name: $input', ({ input: { samples, correct, k }, params, output }) => {
    const distribution = posterior(samples, correct, { a: params.priorAlpha, b: params.priorBeta });
    const rate = betaInterval(distribution, params.level);
    const curve = passAtKInterval(distribution, k, params.level);
    const found = [posteriorPassAtK(distribution, k), rate.low, rate.high, curve.low, curve.high];
    const expected = [
      output.posteriorMeanPassAtK,
      output.successRateLower,
      output.successRateUpper,
      output.passAtKLower,
      output.passAtKUpper,
    ];
    found.forEach((value, i) =>
      expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(1e-9 * expected[i]!),
    );
    // The distance to 1 keeps its digits too.
    expect(Math.abs((1 - rate.high) / (1 - output.successRateUpper) - 1)).toBeLessThan(1e-9);
  });

  it('covers the truth as often as it says, over rates drawn from the prior', () => {
    const rng = Rng.from('coverage');
    let covered = 0;
    const trials = 4000;
    for (let i = 0; i < trials; i++) {
      const p = sampleBeta(rng, 1, 1);
      let c = 0;
      for (let j = 0; j < 16; j++) if (rng.float() < p) c += 1;
      const { low, high } = passAtKInterval(posterior(16, c), 8, 0.95);
      const truth = 1 - (1 - p) ** 8;
      if (low <= truth && truth <= high) covered += 1;
    }
    expect(covered / trials).toBeGreaterThan(0.93);
    expect(covered / trials).toBeLessThan(0.97);
  });
});

describe('incomplete beta function', () => {
  it('has its closed forms', () => {
    for (const x of [1e-9, 0.1, 0.5, 0.9, 1 - 1e-9]) {
      expect(betaProbability(x, 1, 1)).toBeCloseTo(x, 14);
      expect(betaProbability(x, 3, 1)).toBeCloseTo(x ** 3, 14);
      // asin itself loses digits near 1.
      expect(betaProbability(x, 0.5, 0.5)).toBeCloseTo((2 / Math.PI) * Math.asin(Math.sqrt(x)), 11);
    }
    // P(X ≤ x) for integer parameters is a binomial tail.
    expect(betaProbability(0.3, 4, 7)).toBeCloseTo(0.3503892816, 10);
  });

  it('is inverted by the quantile, over small and large parameters', () => {
    const parameter = fc.oneof(
      // From Jeffreys’ prior on: below it the quantile lies so near 0 that 1e-9 is not reached.
      fc.double({ min: 0.5, max: 5, noNaN: true }),
      fc.double({ min: 1, max: 20_000, noNaN: true }),
    );
    fc.assert(
      fc.property(parameter, parameter, fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }), (a, b, p) => {
        const x = betaQuantile(p, a, b);
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(1);
        // Where the quantile is 1 to the last digit the probability cannot be resolved any more.
        if (x < 1 - 1e-6) expect(Math.abs(betaProbability(x, a, b) - p)).toBeLessThan(1e-9);
        expect(betaQuantile(1 - p, b, a)).toBeCloseTo(1 - x, 9);
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });

  it('answers the ends and refuses what is no distribution', () => {
    expect(betaQuantile(0, 2, 3)).toBe(0);
    expect(betaQuantile(1, 2, 3)).toBe(1);
    expect(() => betaQuantile(0.5, 0, 1)).toThrow(Refusal);
    expect(() => betaQuantile(1.5, 1, 1)).toThrow(Refusal);
    expect(() => betaInterval({ a: 1, b: 1 }, 1)).toThrow(Refusal);
    expect(() => posterior(4, 5)).toThrow(Refusal);
    expect(betaMean(posterior(4, 3))).toBeCloseTo(4 / 6, 14);
  });
});

describe('normalHalfWidth', () => {
  it.each([
    [0.5, 0.6744897501960817],
    [0.8, 1.2815515655446004],
    [0.95, 1.959963984540054],
    [0.99, 2.5758293035489004],
    [0.999999, 4.891638475698701],
  ])('level %d', (level, z) => expect(normalHalfWidth(level)).toBeCloseTo(z, 10));
});
