import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleBeta } from '../distributions';
import { Rng } from '../random';
import { Refusal } from '../refusal';
import { budgetAdvice, rolloutsUntilSuccess } from './budgetAdvice';
import { posterior } from './betaPosterior';

describe('rolloutsUntilSuccess', () => {
  it('has the closed forms of Beta(1, b): P(none in m) = b / (b + m)', () => {
    expect(rolloutsUntilSuccess({ a: 1, b: 1 }, 0.5)).toBe(1);
    expect(rolloutsUntilSuccess({ a: 1, b: 9 }, 0.5)).toBe(9);
    expect(rolloutsUntilSuccess({ a: 1, b: 9 }, 0.9)).toBe(81);
    expect(rolloutsUntilSuccess(posterior(64, 0), 0.9)).toBe(585);
    expect(rolloutsUntilSuccess({ a: 2, b: 1 }, 0.5)).toBe(1);
    expect(rolloutsUntilSuccess({ a: 0.01, b: 1000 }, 0.9)).toBeUndefined();
    expect(() => rolloutsUntilSuccess({ a: 1, b: 1 }, 1)).toThrow(Refusal);
    expect(() => rolloutsUntilSuccess({ a: 0, b: 1 }, 0.5)).toThrow(Refusal);
  });

  it('is reached by as many simulated prompts as it says', () => {
    const rng = Rng.from('first success');
    for (const [n, c] of [
      [0, 0],
      [8, 0],
      [16, 1],
      [32, 3],
    ] as const) {
      const now = posterior(n, c);
      for (const probability of [0.5, 0.9]) {
        const m = rolloutsUntilSuccess(now, probability)!;
        const share = (rollouts: number): number => {
          let found = 0;
          const trials = 20_000;
          for (let t = 0; t < trials; t++) {
            const p = sampleBeta(rng, now.a, now.b);
            // Waiting time of the first success at this rate.
            if (Math.log(1 - rng.float()) > rollouts * Math.log1p(-p)) continue;
            found += 1;
          }
          return 1 - found / trials;
        };
        expect(share(m)).toBeGreaterThan(probability - 0.015);
        if (m > 1) expect(share(m - 1)).toBeLessThan(probability + 0.015);
      }
    }
  });

  it('asks for more the more failures were seen and the surer the person wants to be', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), (n, some) => {
        const c = some % (n + 1);
        const half = rolloutsUntilSuccess(posterior(n, c), 0.5)!;
        expect(rolloutsUntilSuccess(posterior(n + 1, c), 0.5)!).toBeGreaterThanOrEqual(half);
        expect(rolloutsUntilSuccess(posterior(n, c), 0.9)!).toBeGreaterThanOrEqual(half);
      }),
    );
  });
});

describe('budgetAdvice', () => {
  it('puts the prompts first whose rollouts are most likely to make a mixed group', () => {
    const advice = budgetAdvice(
      [
        { samples: 32, correct: 32 },
        { samples: 32, correct: 0 },
        { samples: 32, correct: 16 },
        { samples: 0, correct: 0 },
      ],
      8,
    );
    expect(advice.map(({ prompt }) => prompt)).toEqual([2, 3, 0, 1]);
    const [, unknown] = advice;
    // Beta(1, 1): every number of successes among m is equally likely.
    expect(unknown!.mixedPerRollout).toBeCloseTo((1 - 2 / 9) / 8, 12);
    expect(unknown!.anySuccess).toBeCloseTo(8 / 9, 12);
    expect(unknown!.successesPerRollout).toBe(0.5);
    expect(budgetAdvice([{ samples: 4, correct: 2 }], 1)[0]!.mixedPerRollout).toBe(0);
    expect(() => budgetAdvice([{ samples: 1, correct: 2 }], 4)).toThrow(Refusal);
    expect(() => budgetAdvice([], 0)).toThrow(Refusal);
  });

  it('states the worth that simulated rollouts have', () => {
    const rng = Rng.from('worth');
    const trials = 20_000;
    const [advice] = budgetAdvice([{ samples: 16, correct: 2 }], 6);
    let any = 0;
    let mixed = 0;
    let successes = 0;
    for (let t = 0; t < trials; t++) {
      const p = sampleBeta(rng, 3, 15);
      let c = 0;
      for (let i = 0; i < 6; i++) if (rng.float() < p) c += 1;
      successes += c;
      if (c > 0) any += 1;
      if (c > 0 && c < 6) mixed += 1;
    }
    expect(Math.abs(advice!.anySuccess - any / trials)).toBeLessThan(0.01);
    expect(Math.abs(advice!.mixedPerRollout - mixed / trials / 6)).toBeLessThan(0.002);
    expect(Math.abs(advice!.successesPerRollout - successes / trials / 6)).toBeLessThan(0.005);
  });
});
