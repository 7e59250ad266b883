import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Distribution } from './distribution';

const logits = fc.array(fc.double({ min: -30, max: 30, noNaN: true }), { minLength: 2, maxLength: 12 });
const temperature = fc.double({ min: 0.2, max: 3, noNaN: true });

describe('distribution', () => {
  it('is the softmax of logits / temperature, with its entropy in nats', () => {
    fc.assert(
      fc.property(logits, temperature, (values, t) => {
        const distribution = new Distribution(values.length);
        distribution.set(Float64Array.from([9, ...values]), 1, t);
        const powers = values.map((v) => Math.exp((v - Math.max(...values)) / t));
        const total = powers.reduce((a, b) => a + b, 0);
        let entropy = 0;
        powers.forEach((power, v) => {
          const p = power / total;
          if (p > 0) entropy -= p * Math.log(p);
          expect(distribution.probabilities[v]).toBeCloseTo(p, 11);
          expect(distribution.logProb(v)).toBeCloseTo(Math.log(p), 8);
        });
        expect(distribution.entropy).toBeCloseTo(entropy, 9);
      }),
    );
  });

  it('picks the token in whose share of [0, 1) the number lies', () => {
    const distribution = new Distribution(3);
    distribution.set(Float64Array.of(Math.log(0.5), Math.log(0.25), Math.log(0.25)), 0, 1);
    expect([0, 0.49, 0.51, 0.74, 0.76, 0.999999].map((u) => distribution.pick(u))).toEqual([
      0, 0, 1, 1, 2, 2,
    ]);
  });

  it('never picks a token of probability 0, whatever rounding leaves over', () => {
    const distribution = new Distribution(4);
    distribution.set(Float64Array.of(-1e5, 0, 0.3, -1e5), 0, 1);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (u) => {
        expect([1, 2]).toContain(distribution.pick(u));
      }),
    );
    expect(distribution.pick(1 - 2 ** -53)).toBe(2);
  });

  it('lists the most probable tokens in order, ties by id', () => {
    const distribution = new Distribution(5);
    distribution.set(Float64Array.of(1, 3, 1, 2, 1), 0, 1);
    expect(distribution.top(4).map(({ token }) => token)).toEqual([1, 3, 0, 2]);
    expect(distribution.top(9)).toHaveLength(5);
    expect(distribution.top(0)).toEqual([]);
  });
});
