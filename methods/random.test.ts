import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  sampleBeta,
  sampleGamma,
  sampleIndex,
  sampleNormal,
  sampleWithoutReplacement,
  shuffled,
} from './distributions';
import { Rng } from './random';

const draws = (rng: Rng, count: number): number[] => Array.from({ length: count }, () => rng.uint32());

const moments = (count: number, draw: () => number): { mean: number; variance: number } => {
  const values = Array.from({ length: count }, draw);
  const mean = values.reduce((sum, x) => sum + x, 0) / count;
  return { mean, variance: values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / count };
};

describe('Rng', () => {
  it('is xoshiro128**: the reference sequence from state 1, 2, 3, 4', () => {
    const rng = Rng.restore({ key: [1, 2, 3, 4], state: [1, 2, 3, 4] });
    expect(draws(rng, 10)).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  it('keeps its streams from version to version (recorded runs depend on it)', () => {
    expect(draws(Rng.from(7), 3)).toEqual(draws(Rng.from('7'), 3));
    expect(draws(Rng.from(7), 3)).toMatchInlineSnapshot(`
      [
        1551000944,
        139895937,
        763022166,
      ]
    `);
    expect(draws(Rng.from(7).fork('prompt').fork(12), 3)).toMatchInlineSnapshot(`
      [
        2174530796,
        2986509056,
        1704327984,
      ]
    `);
  });

  it('goes on where it was saved', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(50), (seed, before) => {
        const rng = Rng.from(seed);
        draws(rng, before);
        const saved: unknown = JSON.parse(JSON.stringify(rng.save()));
        expect(saved).toEqual(rng.save());
        const copy = Rng.restore(rng.save());
        expect(draws(copy, 5)).toEqual(draws(rng, 5));
        expect(draws(copy.fork('x'), 2)).toEqual(draws(rng.fork('x'), 2));
      }),
    );
  });

  it('forks by label alone: earlier draws move nothing, different labels differ', () => {
    const rng = Rng.from(1);
    const before = draws(rng.fork('a'), 4);
    draws(rng, 100);
    expect(draws(rng.fork('a'), 4)).toEqual(before);
    const seen = new Set(Array.from({ length: 5000 }, (_, i) => rng.fork(i).uint32()));
    expect(seen.size).toBeGreaterThan(4990);
    expect(rng.fork('a').fork('b').uint32()).not.toBe(rng.fork('b').fork('a').uint32());
    expect(rng.fork('ab').uint32()).not.toBe(rng.fork('a').fork('b').uint32());
  });

  it('draws floats in [0, 1) with the moments of the uniform distribution', () => {
    const rng = Rng.from('uniform');
    const { mean, variance } = moments(50_000, () => rng.float());
    expect(mean).toBeCloseTo(0.5, 2);
    expect(variance).toBeCloseTo(1 / 12, 2);
  });

  it('draws integers below n evenly', () => {
    const rng = Rng.from('below');
    const counts = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < 60_000; i++) counts[rng.below(6)]! += 1;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
    expect(() => rng.below(0)).toThrow(RangeError);
    expect(() => rng.below(1.5)).toThrow(RangeError);
  });
});

describe('distributions', () => {
  it('normal has mean 0 and variance 1', () => {
    const rng = Rng.from('normal');
    const { mean, variance } = moments(50_000, () => sampleNormal(rng));
    expect(Math.abs(mean)).toBeLessThan(0.02);
    expect(Math.abs(variance - 1)).toBeLessThan(0.03);
  });

  it.each([0.05, 0.5, 1, 3.7, 40])(
    'gamma with shape %d has mean and variance equal to the shape',
    (shape) => {
      const rng = Rng.from('gamma').fork(shape);
      const { mean, variance } = moments(50_000, () => sampleGamma(rng, shape));
      expect(Math.abs(mean / shape - 1)).toBeLessThan(0.06);
      expect(Math.abs(variance / shape - 1)).toBeLessThan(0.15);
    },
  );

  it.each([
    [1, 1],
    [0.5, 0.5],
    [0.01, 0.02],
    [3, 9],
    [200, 5],
  ])('beta(%d, %d) has its mean and variance, and stays within 0 .. 1', (a, b) => {
    const rng = Rng.from('beta').fork(`${a}/${b}`);
    const values = Array.from({ length: 50_000 }, () => sampleBeta(rng, a, b));
    let i = 0;
    const { mean, variance } = moments(values.length, () => values[i++]!);
    const expected = a / (a + b);
    expect(Math.abs(mean - expected)).toBeLessThan(0.01);
    expect(Math.abs(variance - (expected * (1 - expected)) / (a + b + 1))).toBeLessThan(0.004);
    expect(Math.min(...values.slice(0, 1000))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values.slice(0, 1000))).toBeLessThanOrEqual(1);
    expect(values.some(Number.isNaN)).toBe(false);
  });

  it('refuses parameters that are no distribution', () => {
    const rng = Rng.from(0);
    expect(() => sampleBeta(rng, 0, 1)).toThrow(RangeError);
    expect(() => sampleGamma(rng, Number.NaN)).toThrow(RangeError);
    expect(() => sampleIndex(rng, [0, 0])).toThrow(RangeError);
    expect(() => sampleIndex(rng, [1, -1])).toThrow(RangeError);
  });

  it('shuffles into every order equally often and keeps the items', () => {
    const rng = Rng.from('shuffle');
    const counts = new Map<string, number>();
    for (let i = 0; i < 12_000; i++) {
      const order = shuffled(rng, ['a', 'b', 'c']).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });

  it('takes distinct items without replacement', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(20), fc.nat(25), (seed, size, count) => {
        const items = Array.from({ length: size }, (_, i) => i);
        const taken = sampleWithoutReplacement(Rng.from(seed), items, count);
        expect(taken.length).toBe(Math.min(size, count));
        expect(new Set(taken).size).toBe(taken.length);
      }),
    );
  });

  it('draws indices by weight and never one of weight 0', () => {
    const rng = Rng.from('index');
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 40_000; i++) counts[sampleIndex(rng, [0, 1, 3, 0])]! += 1;
    expect(counts[0]).toBe(0);
    expect(counts[3]).toBe(0);
    expect(Math.abs(counts[2]! / 40_000 - 0.75)).toBeLessThan(0.02);
  });
});
