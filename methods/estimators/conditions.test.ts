import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleBeta } from '../distributions';
import { Rng } from '../random';
import { Refusal } from '../refusal';
import { posterior, posteriorPassAtK, passAtKInterval } from './betaPosterior';
import { countRewards, estimatesAllowed, stopOnSuccess } from './conditions';
import { passAtK } from './passAtK';

/** Samples at rate p until the first success, at most `most`. */
function untilSuccess(rng: Rng, p: number, most: number): number[] {
  const outcomes: number[] = [];
  while (outcomes.length < most) {
    outcomes.push(rng.float() < p ? 1 : 0);
    if (outcomes.at(-1) === 1) break;
  }
  return outcomes;
}

describe('countRewards', () => {
  it('counts by the threshold and says whether it matters', () => {
    expect(countRewards([0, 1, 1, 0], 0.5)).toEqual({
      samples: 4,
      correct: 2,
      missing: 0,
      binary: true,
      sameAbove: 0,
      sameUpTo: 1,
    });
    expect(countRewards([-1, 1], 0.5)).toMatchObject({ binary: true, correct: 1 });
    const partial = [0, 0.25, 0.5, 1, Number.NaN];
    expect(countRewards(partial, 0.5)).toMatchObject({ samples: 4, correct: 2, missing: 1, binary: false });
    expect(countRewards(partial, 1)).toMatchObject({ correct: 1, sameAbove: 0.5, sameUpTo: 1 });
    expect(countRewards([], 1)).toMatchObject({ samples: 0, binary: true });
    expect(() => countRewards([1], Number.NaN)).toThrow(Refusal);
  });

  it('gives the same counts at every threshold of the stated range, and other ones outside', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -5, max: 5 })),
        fc.integer({ min: -6, max: 6 }),
        (rewards, at) => {
          const { correct, sameAbove, sameUpTo } = countRewards(rewards, at);
          const count = (threshold: number): number => rewards.filter((r) => r >= threshold).length;
          expect(correct).toBe(count(at));
          if (Number.isFinite(sameUpTo)) {
            expect(count(sameUpTo)).toBe(correct);
            expect(count(sameUpTo + 1e-9)).toBeLessThan(correct);
          }
          if (Number.isFinite(sameAbove)) {
            expect(count(sameAbove + 1e-9)).toBe(correct);
            expect(count(sameAbove)).toBeGreaterThan(correct);
          }
        },
      ),
    );
  });
});

describe('stopOnSuccess', () => {
  it('flags groups that end at their first success, and is refuted by one that goes on', () => {
    const rng = Rng.from('stopping');
    const stopped = Array.from({ length: 40 }, () => untilSuccess(rng, 0.3, 16));
    expect(stopOnSuccess(stopped)).toMatchObject({ stopped: true });
    expect(stopOnSuccess([...stopped, [0, 1, 0, 0]]).stopped).toBe(false);
    expect(stopOnSuccess([[0, 0, 1]])).toEqual({ groups: 1, ended: 1, chance: 1 / 3, stopped: false });
    expect(stopOnSuccess([[1], [0, 0], []])).toEqual({ groups: 0, ended: 0, chance: 1, stopped: false });
  });

  it('does not flag fixed sizes', () => {
    const rng = Rng.from('fixed');
    for (let run = 0; run < 200; run++) {
      const groups = Array.from({ length: 6 }, () =>
        Array.from({ length: 8 }, () => (rng.float() < 0.05 ? 1 : 0)),
      );
      expect(stopOnSuccess(groups).stopped).toBe(false);
    }
  });

  it('matters: counts are biased then, the posterior is not', () => {
    const rng = Rng.from('bias');
    const p = 0.2;
    const trials = 20_000;
    let rate = 0;
    for (let t = 0; t < trials; t++) {
      const outcomes = untilSuccess(rng, p, 1000);
      rate += passAtK(outcomes.length, 1, 1)! / trials;
    }
    expect(rate).toBeCloseTo((-p * Math.log(p)) / (1 - p), 2);
    let covered = 0;
    let bias = 0;
    for (let t = 0; t < trials; t++) {
      const truth = sampleBeta(rng, 1, 1);
      const outcomes = untilSuccess(rng, truth, 16);
      const now = posterior(outcomes.length, outcomes.at(-1)!);
      const { low, high } = passAtKInterval(now, 4);
      const value = 1 - (1 - truth) ** 4;
      if (low <= value && value <= high) covered += 1;
      bias += (posteriorPassAtK(now, 4) - value) / trials;
    }
    expect(Math.abs(bias)).toBeLessThan(0.005);
    expect(covered / trials).toBeGreaterThan(0.93);
    expect(covered / trials).toBeLessThan(0.97);
  });

  it('allows the counts only where n did not look at the outcomes', () => {
    expect(estimatesAllowed('fixed')).toBe('counts');
    expect(estimatesAllowed('before-outcomes')).toBe('counts');
    expect(estimatesAllowed('after-outcomes')).toBe('posterior');
    expect(estimatesAllowed('on-success')).toBe('posterior');
  });
});
