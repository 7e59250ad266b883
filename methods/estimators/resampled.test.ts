import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { sampleIndex } from '../distributions';
import { Rng } from '../random';
import { Refusal } from '../refusal';
import { areaOverLogK } from './areaUnderCurve';
import { bestAtK } from './bestAtK';
import { majorityAtK } from './majorityAtK';
import { passAtK, passHatK } from './passAtK';

const none = Type.Object({});

describe('bestAtK', () => {
  const cases = readVectors('trees/estimate-best-at-k', {
    input: Type.Object({ scores: Type.Array(Type.Number()), k: Type.Integer() }),
    params: none,
    output: Type.Object({
      bestAtK: Type.Union([Type.Number(), Type.Null()]),
      worstAtK: Type.Union([Type.Number(), Type.Null()]),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(36));

  it.each(cases)('$name', ({ input: { scores, k }, output }) => {
    const found = bestAtK(scores, k);
    if (output.bestAtK === null || output.worstAtK === null) {
      expect(found).toBeUndefined();
      return;
    }
    const within = (value: number, expected: number): void =>
      expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(expected)));
    within(found!.best, output.bestAtK);
    within(found!.worst, output.worstAtK);
  });

  it('is pass@k on binary scores, and does not depend on their order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 40 }),
        fc.nat(),
        (scores, some) => {
          const k = 1 + (some % scores.length);
          const c = scores.filter((s) => s === 1).length;
          expect(bestAtK(scores, k)!.best).toBeCloseTo(passAtK(scores.length, c, k)!, 12);
          expect(bestAtK([...scores].reverse(), k)).toEqual(bestAtK(scores, k));
        },
      ),
    );
  });

  it('refuses scores that are no numbers', () => expect(() => bestAtK([1, Number.NaN], 1)).toThrow(Refusal));
});

describe('majorityAtK', () => {
  const cases = readVectors('trees/estimate-maj-at-k', {
    input: Type.Object({
      answerCounts: Type.Array(Type.Integer()),
      correctAnswer: Type.Integer(),
      k: Type.Integer(),
    }),
    params: none,
    output: Type.Object({ majAtKTiesShared: Type.Number(), majAtKTiesWrong: Type.Number() }),
  });

  it('has all vectors', () => expect(cases.length).toBe(36));

  it.each(cases)('$name', ({ input: { answerCounts, correctAnswer, k }, output }) => {
    const found = majorityAtK(answerCounts, correctAnswer, k)!;
    expect(Math.abs(found.tiesShared - output.majAtKTiesShared)).toBeLessThanOrEqual(1e-12);
    expect(Math.abs(found.tiesWrong - output.majAtKTiesWrong)).toBeLessThanOrEqual(1e-12);
  });

  it('shares over all labels sum to 1, and k = 1 is the share of the answer', () => {
    const counts = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(counts, fc.nat(), (answers, some) => {
        const total = answers.reduce((sum, count) => sum + count, 0);
        fc.pre(total > 0);
        const k = 1 + (some % total);
        const shares = answers.map((_, label) => majorityAtK(answers, label, k)!.tiesShared);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10);
        expect(majorityAtK(answers, 0, 1)!.tiesShared).toBeCloseTo(answers[0]! / total, 12);
      }),
      { numRuns: 60 },
    );
  });

  it('is undefined for k > n and refuses a label that is not there', () => {
    expect(majorityAtK([1, 2], 0, 4)).toBeUndefined();
    expect(() => majorityAtK([1, 2], 2, 1)).toThrow(Refusal);
    expect(() => majorityAtK([1, 0.5], 0, 1)).toThrow(Refusal);
  });
});

describe('areaOverLogK', () => {
  const cases = readVectors('trees/estimate-auc', {
    input: Type.Object({
      samples: Type.Integer(),
      correct: Type.Integer(),
      kValues: Type.Array(Type.Integer()),
    }),
    params: none,
    output: Type.Object({
      areaOverLog2K: Type.Number(),
      areaOverLog2KNormalised: Type.Union([Type.Number(), Type.Null()]),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(31));

  it.each(cases)('$name', ({ input: { samples, correct, kValues }, output }) => {
    const values = kValues.map((k) => passAtK(samples, correct, k)!);
    const { area, normalised } = areaOverLogK(kValues, values);
    expect(area).toBeCloseTo(output.areaOverLog2K, 11);
    if (output.areaOverLog2KNormalised === null) expect(normalised).toBeUndefined();
    else expect(normalised).toBeCloseTo(output.areaOverLog2KNormalised, 12);
  });

  it('refuses a curve that does not start at k = 1', () =>
    expect(() => areaOverLogK([2, 4], [0, 1])).toThrow(Refusal));
});

describe('against simulated samples', () => {
  it('best@k, maj@k and pass^k have the mean of fresh draws of k', () => {
    const rng = Rng.from('fresh');
    const trials = 20_000;
    const k = 3;
    // Answers 0 (right), 1, 2 with these chances; an answer's score is its reward.
    const chances = [0.4, 0.35, 0.25];
    const scores = [1, 0.25, 0];
    const draw = (size: number): number[] => Array.from({ length: size }, () => sampleIndex(rng, chances));
    const tally = (answers: readonly number[]): number[] =>
      chances.map((_, label) => answers.filter((answer) => answer === label).length);
    const estimated = { best: 0, majority: 0, all: 0 };
    const fresh = { best: 0, majority: 0, all: 0 };
    for (let t = 0; t < trials; t++) {
      const many = draw(10);
      estimated.best +=
        bestAtK(
          many.map((answer) => scores[answer]!),
          k,
        )!.best / trials;
      estimated.majority += majorityAtK(tally(many), 0, k)!.tiesShared / trials;
      estimated.all += passHatK(10, tally(many)[0]!, k)! / trials;
      const few = draw(k);
      const votes = tally(few);
      const most = Math.max(...votes);
      fresh.best += Math.max(...few.map((answer) => scores[answer]!)) / trials;
      if (votes[0] === most) fresh.majority += 1 / votes.filter((count) => count === most).length / trials;
      if (votes[0] === k) fresh.all += 1 / trials;
    }
    expect(Math.abs(estimated.all - 0.4 ** 3)).toBeLessThan(0.005);
    expect(Math.abs(estimated.best - fresh.best)).toBeLessThan(0.01);
    expect(Math.abs(estimated.majority - fresh.majority)).toBeLessThan(0.015);
  });

  it('one right of four is best@4 = 1: resampling is without replacement', () =>
    expect(bestAtK([1, 0, 0, 0], 4)!.best).toBe(1));
});
