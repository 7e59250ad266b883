import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evenShares, fillByGain } from './waterFilling';

/** Every way to hand out `budget` under the caps, and the best total of concave gains among them. */
function bestByTrying(gains: readonly (readonly number[])[], budget: number): number {
  const [first, ...others] = gains;
  if (first === undefined) return 0;
  let best = -Infinity;
  let value = 0;
  for (let n = 0; n <= Math.min(first.length, budget); n++) {
    if (n > 0) value += first[n - 1]!;
    best = Math.max(best, value + bestByTrying(others, budget - n));
  }
  return best;
}

describe('fillByGain', () => {
  const falling = fc.array(fc.nat(100), { maxLength: 5 }).map((gains) => gains.sort((a, b) => b - a));

  it('reaches the optimum where gains fall, keeps the caps and spends what it can', () => {
    fc.assert(
      fc.property(fc.array(falling, { minLength: 1, maxLength: 4 }), fc.nat(15), (gains, budget) => {
        const level = fillByGain({
          prompts: gains.length,
          budget,
          lower: () => 0,
          upper: (prompt) => gains[prompt]!.length,
          gain: (prompt, n) => gains[prompt]![n]!,
          alsoWithoutGain: true,
        });
        const value = level.counts.reduce(
          (sum, n, prompt) => sum + gains[prompt]!.slice(0, n).reduce((a, b) => a + b, 0),
          0,
        );
        expect(value).toBe(bestByTrying(gains, budget));
        const room = gains.reduce((sum, each) => sum + each.length, 0);
        expect(level.unspent).toBe(Math.max(0, budget - room));
        level.counts.forEach((n, prompt) => expect(n).toBeLessThanOrEqual(gains[prompt]!.length));
        // The price separates what was given from what was not.
        level.counts.forEach((n, prompt) => {
          if (n > 0) expect(gains[prompt]![n - 1]).toBeGreaterThanOrEqual(level.price!);
          if (n < gains[prompt]!.length && level.price !== undefined)
            expect(gains[prompt]![n]).toBeLessThanOrEqual(level.price);
        });
      }),
    );
  });

  it('starts from the lower counts, gives equal gains to the lower index and stops without a gain if told to', () => {
    const task = {
      prompts: 3,
      budget: 8,
      lower: () => 1,
      upper: () => 4,
      gain: (_: number, n: number) => 3 - n,
    };
    expect(fillByGain({ ...task, alsoWithoutGain: false })).toEqual({
      counts: [3, 3, 2],
      price: 1,
      unspent: 0,
    });
    expect(fillByGain({ ...task, budget: 11, alsoWithoutGain: false })).toEqual({
      counts: [3, 3, 3],
      price: 1,
      unspent: 2,
    });
    expect(fillByGain({ ...task, budget: 11, alsoWithoutGain: true })).toEqual({
      counts: [4, 4, 3],
      price: 0,
      unspent: 0,
    });
    expect(fillByGain({ ...task, budget: 3, alsoWithoutGain: true }).price).toBeUndefined();
  });
});

describe('evenShares', () => {
  it('splits into whole shares that differ by at most one, the larger first', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 40 }), (amount, among) => {
        const shares = evenShares(amount, among);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(amount);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
        expect([...shares].sort((a, b) => b - a)).toEqual(shares);
      }),
    );
  });
});
