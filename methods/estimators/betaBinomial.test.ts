import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { sampleBeta } from '../distributions';
import { Rng } from '../random';
import { Refusal } from '../refusal';
import { fitBetaBinomial } from './betaBinomial';
import type { FittedPopulation, PromptCounts } from './betaBinomial';
import { posteriorPassAtK } from './betaPosterior';
import { extrapolatedCurve } from './extrapolatedCurve';
import { passAtK } from './passAtK';

const input = Type.Object({
  samplesCorrectMultiplicity: Type.Array(Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer()])),
});
const params = Type.Object({ prompts: Type.Integer() });
const file = 'trees/estimate-beta-binomial-fit';
const fits = readVectors(file, {
  input,
  params,
  output: Type.Object({
    finiteMaximum: Type.Literal(true),
    alpha: Type.Number(),
    beta: Type.Number(),
    intraClassCorrelation: Type.Number(),
    logLikelihood: Type.Number(),
    logLikelihoodAtTruth: Type.Number(),
    predictedPassAtK: Type.Record(Type.String(), Type.Number()),
  }),
});
const unbounded = readVectors(file, {
  input,
  params,
  output: Type.Object({ finiteMaximum: Type.Literal(false) }),
});

const countsOf = (kinds: readonly (readonly [number, number, number])[]): PromptCounts[] =>
  kinds.flatMap(([samples, correct, times]) => Array.from({ length: times }, () => ({ samples, correct })));

const drawn = (rng: Rng, prompts: number, n: (i: number) => number, a: number, b: number): PromptCounts[] =>
  Array.from({ length: prompts }, (_, i) => {
    const p = sampleBeta(rng, a, b);
    const samples = n(i);
    let correct = 0;
    for (let j = 0; j < samples; j++) if (rng.float() < p) correct += 1;
    return { samples, correct };
  });

describe('fitBetaBinomial', () => {
  it('has all vectors', () => expect(fits.length + unbounded.length).toBe(23));

  it.each(fits)('$name: finds the maximum', ({ input: { samplesCorrectMultiplicity }, output }) => {
    const fit = fitBetaBinomial(countsOf(samplesCorrectMultiplicity));
    if ('none' in fit) throw new Error(fit.none);
    expect(fit.distribution.a / output.alpha).toBeCloseTo(1, 6);
    expect(fit.distribution.b / output.beta).toBeCloseTo(1, 6);
    expect(fit.intraClassCorrelation).toBeCloseTo(output.intraClassCorrelation, 6);
    expect(Math.abs(fit.logLikelihood - output.logLikelihood)).toBeLessThan(1e-8);
    expect(fit.logLikelihood).toBeGreaterThanOrEqual(output.logLikelihoodAtTruth);
    for (const [k, value] of Object.entries(output.predictedPassAtK)) {
      expect(posteriorPassAtK(fit.distribution, Number(k))).toBeCloseTo(value, 6);
    }
  });

  it.each(unbounded)('$name: has no finite maximum', ({ input: { samplesCorrectMultiplicity } }) =>
    expect(fitBetaBinomial(countsOf(samplesCorrectMultiplicity))).toHaveProperty('none'),
  );

  it('says why there is none', () => {
    const none = (kinds: [number, number, number][]): unknown => fitBetaBinomial(countsOf(kinds));
    expect(none([])).toEqual({ none: 'oneSample' });
    expect(none([[1, 1, 9]])).toEqual({ none: 'oneSample' });
    expect(none([[8, 0, 9]])).toEqual({ none: 'oneOutcome' });
    expect(none([[8, 8, 9]])).toEqual({ none: 'oneOutcome' });
    expect(
      none([
        [8, 0, 6],
        [8, 8, 4],
      ]),
    ).toEqual({ none: 'neverMixed' });
    expect(none([[8, 4, 50]])).toEqual({ none: 'noSpread' });
    expect(() => fitBetaBinomial([{ samples: 2, correct: 3 }])).toThrow(Refusal);
  });

  it('finds the population again, whatever the sizes, and unmeasured prompts change nothing', () => {
    const rng = Rng.from('population');
    const counts = drawn(rng, 4000, (i) => [4, 8, 64][i % 3]!, 0.6, 1.4);
    const fit = fitBetaBinomial(counts);
    if ('none' in fit) throw new Error(fit.none);
    expect(Math.abs(fit.distribution.a / 0.6 - 1)).toBeLessThan(0.08);
    expect(Math.abs(fit.distribution.b / 1.4 - 1)).toBeLessThan(0.08);
    expect(fitBetaBinomial([...counts, { samples: 0, correct: 0 }])).toEqual(fit);
  });
});

describe('extrapolatedCurve', () => {
  const ks = [1, 2, 4, 8, 16, 32, 64];
  const fitted = (counts: readonly PromptCounts[]): FittedPopulation => {
    const fit = fitBetaBinomial(counts);
    if ('none' in fit) throw new Error(fit.none);
    return fit;
  };

  it('is the population’s pass@k at every k, never falls, and says where it goes beyond the samples', () => {
    const fit = fitted(drawn(Rng.from('curve'), 100, (i) => [4, 64][i % 2]!, 0.5, 2));
    const curve = extrapolatedCurve(fit, [4, 4, 64, 64], ks);
    curve.forEach(({ k, mean, low, high, beyond }, i) => {
      expect(mean).toBeCloseTo(posteriorPassAtK(fit.distribution, k), 12);
      expect(low).toBeLessThan(mean);
      expect(high).toBeGreaterThan(mean);
      expect(low).toBeGreaterThan(0);
      expect(high).toBeLessThan(1);
      expect(beyond).toBe(k <= 4 ? 0 : 2);
      if (i > 0) expect(mean).toBeGreaterThan(curve[i - 1]!.mean);
    });
    expect(() => extrapolatedCurve(fit, [], [4, 2])).toThrow(Refusal);
  });

  it('has the truth far beyond n, without bias and covered as often as it says', () => {
    const rng = Rng.from('beyond');
    const far = [1, 32, 128];
    const covered = far.map(() => 0);
    const bias = far.map(() => 0);
    const trials = 1000;
    for (let t = 0; t < trials; t++) {
      extrapolatedCurve(fitted(drawn(rng, 200, () => 8, 0.8, 1.6)), [], far).forEach((point, i) => {
        const truth = posteriorPassAtK({ a: 0.8, b: 1.6 }, point.k);
        bias[i]! += (point.mean - truth) / trials;
        if (point.low <= truth && truth <= point.high) covered[i]! += 1;
      });
    }
    bias.forEach((value) => expect(Math.abs(value)).toBeLessThan(0.005));
    for (const times of covered) {
      expect(times / trials).toBeGreaterThan(0.93);
      expect(times / trials).toBeLessThan(0.97);
    }
  });

  it('agrees with the counts where there are samples enough', () => {
    const counts = drawn(Rng.from('agree'), 3000, () => 64, 1, 2);
    extrapolatedCurve(fitted(counts), [], ks).forEach(({ k, mean }) => {
      const counted = counts.reduce((sum, { samples, correct }) => {
        return sum + passAtK(samples, correct, k)! / counts.length;
      }, 0);
      expect(Math.abs(mean - counted)).toBeLessThan(0.005);
    });
  });
});
