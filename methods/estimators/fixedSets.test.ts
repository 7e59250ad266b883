import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../refusal';
import { fixedSets } from './fixedSets';
import { passAtK } from './passAtK';
import { powersOfTwo } from './passAtKTable';

describe('fixedSets', () => {
  it('says which prompts stand for which range, where the average over whatever has n ≥ k would fall', () => {
    const counts = [
      [4, 3],
      [4, 4],
      [64, 2],
      [64, 1],
    ] as const;
    const average = (prompts: readonly number[], k: number): number =>
      prompts.reduce((sum, i) => sum + passAtK(counts[i]![0], counts[i]![1], k)! / prompts.length, 0);
    const sets = fixedSets(
      counts.map(([n]) => n),
      powersOfTwo(64),
    );
    expect(sets).toEqual([
      { fromK: 0, toK: 4, prompts: [0, 1, 2, 3], leftOut: 0 },
      { fromK: 4, toK: 64, prompts: [2, 3], leftOut: 2 },
    ]);
    expect(average([0, 1, 2, 3], 4)).toBeCloseTo(0.546, 3);
    expect(average([2, 3], 8)).toBeCloseTo(0.181, 3);
    expect(average([2, 3], 4)).toBeLessThan(average([2, 3], 8));
  });

  it('covers every k that some prompt reaches once, with all prompts that reach the end of the range', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(80), { maxLength: 30 }), (samples) => {
        const ks = powersOfTwo(64);
        const sets = fixedSets(samples, ks);
        const most = Math.max(0, ...samples);
        const reached = ks.filter((k) => k <= most);
        expect(sets.at(-1)?.toK).toBe(reached.at(-1));
        let last = 0;
        for (const { fromK, toK, prompts, leftOut } of sets) {
          expect(fromK).toBe(last);
          expect(toK).toBeGreaterThan(fromK);
          expect(prompts).toEqual(samples.flatMap((n, i) => (n >= toK ? [i] : [])));
          expect(leftOut).toBe(samples.filter((n) => n > 0 && n < toK).length);
          last = toK;
        }
        for (let i = 1; i < sets.length; i++)
          expect(sets[i]!.prompts.length).toBeLessThan(sets[i - 1]!.prompts.length);
      }),
    );
  });

  it('is empty where nothing was measured or no k is within reach, and refuses what is no k', () => {
    expect(fixedSets([], [1])).toEqual([]);
    expect(fixedSets([0, Number.NaN], [1])).toEqual([]);
    expect(fixedSets([3], [4, 8])).toEqual([]);
    expect(fixedSets([3], [])).toEqual([]);
    expect(() => fixedSets([3], [0])).toThrow(Refusal);
  });
});
