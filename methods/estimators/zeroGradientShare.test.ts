import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Refusal } from '../refusal';
import {
  expectedZeroGradientShare,
  mixedProbability,
  oneOutcomeAtRate,
  oneOutcomeFromCounts,
  oneOutcomeUnderBeta,
} from './zeroGradientShare';
import type { OneOutcomeShare } from './zeroGradientShare';

const file = 'trees/estimate-dead-groups';
const params = Type.Object({ groupSize: Type.Integer() });
const output = Type.Object({
  allWrongShare: Type.Number(),
  allRightShare: Type.Number(),
  deadShare: Type.Number(),
});
const rates = readVectors(file, {
  input: Type.Object({ successRates: Type.Array(Type.Number()) }),
  params,
  output,
});
const betas = readVectors(file, {
  input: Type.Object({ alpha: Type.Number(), beta: Type.Number() }),
  params,
  output,
});
const counts = readVectors(file, {
  input: Type.Object({ samplesAndCorrect: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])) }),
  params,
  output,
});

const mean = (shares: (OneOutcomeShare | undefined)[], of: keyof OneOutcomeShare): number =>
  shares.reduce((sum, share) => sum + share![of], 0) / shares.length;

const compare = (
  shares: (OneOutcomeShare | undefined)[],
  expected: (typeof rates)[number]['output'],
): void => {
  expect(Math.abs(mean(shares, 'allWrong') - expected.allWrongShare)).toBeLessThanOrEqual(1e-12);
  expect(Math.abs(mean(shares, 'allRight') - expected.allRightShare)).toBeLessThanOrEqual(1e-12);
  expect(Math.abs(mean(shares, 'either') - expected.deadShare)).toBeLessThanOrEqual(1e-12);
};

describe('expected share of groups with one outcome', () => {
  it('has all vectors', () => expect(rates.length + betas.length + counts.length).toBe(40));

  it.each(rates)('$name', ({ input, params: { groupSize }, output: expected }) =>
    compare(
      input.successRates.map((p) => oneOutcomeAtRate(p, groupSize)),
      expected,
    ),
  );

  it.each(betas)('$name', ({ input, params: { groupSize }, output: expected }) =>
    compare([oneOutcomeUnderBeta({ a: input.alpha, b: input.beta }, groupSize)], expected),
  );

  it.each(counts)('$name', ({ input, params: { groupSize }, output: expected }) => {
    compare(
      input.samplesAndCorrect.map(([n, c]) => oneOutcomeFromCounts(n, c, groupSize)),
      expected,
    );
    const groups = input.samplesAndCorrect.map(([samples, correct]) => ({ groupSize, samples, correct }));
    const all = expectedZeroGradientShare(groups);
    expect(all.unbiased).toBe(groups.length);
    expect(all.share).toBeCloseTo(expected.deadShare, 12);
  });

  it('takes the posterior where n < G, each group at its own size, and leaves groups of one out', () => {
    const found = expectedZeroGradientShare([
      { groupSize: 8, samples: 0, correct: 0 },
      { groupSize: 2, samples: 4, correct: 2 },
      { groupSize: 1, samples: 4, correct: 2 },
    ]);
    // Beta(1,1), G = 8: 2/9. (4, 2), G = 2: (C(2,2) + C(2,2)) / C(4,2) = 1/3.
    expect(found).toEqual({ share: (2 / 9 + 1 / 3) / 2, groups: 2, unbiased: 1, posterior: 1 });
    expect(expectedZeroGradientShare([]).share).toBeUndefined();
  });

  it('refuses a rate outside 0 .. 1 and is the complement of a mixed group', () => {
    expect(() => oneOutcomeAtRate(1.1, 4)).toThrow(Refusal);
    expect(() => oneOutcomeAtRate(Number.NaN, 4)).toThrow(Refusal);
    expect(mixedProbability(0.01, 16)).toBeCloseTo(0.149, 3);
    expect(mixedProbability(0.01, 512)).toBeCloseTo(0.994, 3);
  });
});
