import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { Refusal } from '../refusal';
import { posterior, posteriorPassAtK } from './betaPosterior';
import { passAtK, passHatK } from './passAtK';

const input = Type.Object({ samples: Type.Integer(), correct: Type.Integer(), k: Type.Integer() });
const params = Type.Object({});
const valueOrNull = Type.Union([Type.Number(), Type.Null()]);

describe('passAtK', () => {
  const cases = readVectors('trees/estimate-pass-at-k', {
    input,
    params,
    output: Type.Object({ passAtK: valueOrNull, defined: Type.Boolean() }),
  });

  it('has all vectors', () => expect(cases.length).toBe(61));

  it.each(cases)('$name: $input', ({ input: { samples, correct, k }, output }) => {
    const value = passAtK(samples, correct, k);
    if (output.passAtK === null) expect(value).toBeUndefined();
    else expect(Math.abs(value! - output.passAtK)).toBeLessThanOrEqual(1e-12);
  });

  it('is exact at n = 10,000 against integer arithmetic', () => {
    const choose = (n: bigint, k: bigint): bigint => {
      let value = 1n;
      for (let i = 0n; i < k; i++) value = (value * (n - i)) / (i + 1n);
      return value;
    };
    const scale = 10n ** 40n;
    for (const c of [1, 2, 17, 400, 5000, 9990]) {
      for (const k of [1, 2, 64, 1024, 4999, 8192]) {
        const miss = (choose(BigInt(10_000 - c), BigInt(k)) * scale) / choose(10_000n, BigInt(k));
        const exact = Number(((scale - miss) * 10n ** 20n) / scale) / 1e20;
        expect(Math.abs(passAtK(10_000, c, k)! - exact)).toBeLessThanOrEqual(1e-12);
      }
    }
  });

  it('is the worked example 1 − C(6,4)/C(8,4) and the mean over all k-subsets', () => {
    expect(passAtK(8, 2, 4)).toBeCloseTo(0.7857, 4);
    expect(passAtK(16, 3, 4)).toBeCloseTo(0.6071, 4);
  });

  it.each([
    [4, 1, 4, 1, 0.72222],
    [10, 3, 5, 0.916667, 0.818681],
    [64, 1, 8, 0.125, 0.208524],
    [64, 0, 8, 0, 0.109589],
    [16, 2, 32, undefined, 0.963092],
  ])('n = %d, c = %d, k = %d: by counts %d, by the posterior %d', (n, c, k, counted, expected) => {
    if (counted === undefined) expect(passAtK(n, c, k)).toBeUndefined();
    else expect(passAtK(n, c, k)).toBeCloseTo(counted, 5);
    expect(posteriorPassAtK(posterior(n, c), k)).toBeCloseTo(expected, 5);
  });

  it('is unbiased where the plug-in 1 − (1 − c/n)^k is not: p = .2, n = 16, k = 8', () => {
    const rng = Rng.from('plug-in');
    const trials = 40_000;
    let unbiased = 0;
    let plugIn = 0;
    for (let t = 0; t < trials; t++) {
      let c = 0;
      for (let i = 0; i < 16; i++) if (rng.float() < 0.2) c += 1;
      unbiased += passAtK(16, c, 8)! / trials;
      plugIn += (1 - (1 - c / 16) ** 8) / trials;
    }
    expect(Math.abs(unbiased - 0.83223)).toBeLessThan(0.005);
    expect(Math.abs(plugIn - 0.75782)).toBeLessThan(0.005);
  });

  it('is undefined for k > n, also with n = 0 and with every sample correct', () => {
    expect(passAtK(0, 0, 1)).toBeUndefined();
    expect(passAtK(4, 4, 5)).toBeUndefined();
    expect(passHatK(4, 0, 5)).toBeUndefined();
  });

  it('refuses what is no count', () => {
    const bad: [number, number, number][] = [
      [4, 5, 1],
      [4, -1, 1],
      [4, 1.5, 1],
      [Number.NaN, 0, 1],
      [4, 1, 0],
    ];
    for (const [n, c, k] of bad) {
      expect(() => passAtK(n, c, k)).toThrow(Refusal);
      expect(() => passHatK(n, c, k)).toThrow(Refusal);
    }
  });

  it('rises with k and with c, stays within 0 .. 1, is c/n at k = 1, and mirrors pass^k', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.nat(300),
        fc.integer({ min: 1, max: 300 }),
        (n, someC, someK) => {
          const c = someC % (n + 1);
          const k = 1 + (someK % n);
          const value = passAtK(n, c, k)!;
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
          expect(passAtK(n, c, 1)).toBeCloseTo(c / n, 12);
          expect(1 - passHatK(n, n - c, k)!).toBeCloseTo(value, 12);
          if (k < n) expect(passAtK(n, c, k + 1)!).toBeGreaterThanOrEqual(value - 1e-13);
          if (c < n) expect(passAtK(n, c + 1, k)!).toBeGreaterThanOrEqual(value - 1e-13);
        },
      ),
    );
  });
});

describe('passHatK', () => {
  const cases = readVectors('trees/estimate-pass-hat-k', {
    input,
    params,
    output: Type.Object({ passHatK: valueOrNull }),
  });

  it('has all vectors', () => expect(cases.length).toBe(46));

  it.each(cases)('$name: $input', ({ input: { samples, correct, k }, output }) => {
    const value = passHatK(samples, correct, k);
    if (output.passHatK === null) expect(value).toBeUndefined();
    else expect(Math.abs(value! - output.passHatK)).toBeLessThanOrEqual(1e-12);
  });
});
