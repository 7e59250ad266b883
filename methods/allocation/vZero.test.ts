import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { vZero, vZeroGain, vZeroOptimum, vZeroUtility } from './vZero';

const answerTo = (rates: readonly number[], budget: number, parameters = {}) => {
  const prompts = rates.map((prediction, i) => ({ id: String(i), prediction }));
  return vZero.next(vZero.start({ prompts, budget }, Rng.from(0), parameters), []);
};

describe('V_0', () => {
  const cases = readVectors('allocation/v_zero', {
    input: Type.Object({ success_probabilities: Type.Array(Type.Number()) }),
    params: Type.Object({ budget_rollouts: Type.Integer(), n_low: Type.Integer(), n_up: Type.Integer() }),
    output: Type.Object({
      allocation: Type.Array(Type.Integer()),
      unspent: Type.Integer(),
      greedy_value: Type.Number(),
      double_safe: Type.Boolean(),
      optimum_value: Type.Optional(Type.Number()),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(37));

  it.each(cases)('$name', ({ input: { success_probabilities: rates }, params, output }) => {
    const bounds = { least: params.n_low, most: params.n_up };
    const { requests, shared } = answerTo(rates, params.budget_rollouts, bounds);
    expect(shared['utility']).toBeCloseTo(output.greedy_value, 9);
    expect(shared['unspent']).toBe(output.unspent);
    // Where rounding decides an exact tie, only the value is the rule's.
    if (output.double_safe) expect(requests.map(({ count }) => count)).toEqual(output.allocation);
    if (output.optimum_value !== undefined) {
      expect(vZeroOptimum(rates, params.budget_rollouts, bounds)).toBeCloseTo(output.optimum_value, 9);
      expect(shared['optimalUtility']).toBeCloseTo(output.optimum_value, 9);
    }
  });

  it('gives [2, 26, 2, 2] at p = .1, .33, .5, .9 and says that [26, 2, 2, 2] would be better', () => {
    const { requests, remark } = answerTo([0.1, 0.33, 0.5, 0.9], 32);
    expect(requests.map(({ count }) => count)).toEqual([2, 26, 2, 2]);
    expect(remark).toBe('Greedy: the utility is 18.3, the best counts would reach 22.8.');
    expect(requests[0]!.reason).toBe(
      'Predicted to succeed with probability 0.1: 2 rollouts, the least; one more would gain 0.333, the last one given gained 0.67.',
    );
    expect(vZero.optimal).toBe(false);
  });

  it('refuses a budget below the least and bounds that cross', () => {
    expect(() => answerTo([0.5, 0.5], 3)).toThrow(/3 rollouts are fewer than 2 for each of 2 prompts/u);
    expect(() => answerTo([0.5], 8, { least: 4, most: 3 })).toThrow(/most is 3, below least/u);
  });

  it('keeps budget and bounds, and gives no less than one more rollout would gain elsewhere', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 2, max: 20 }),
        (rates, perPrompt) => {
          const { requests, shared } = answerTo(rates, perPrompt * rates.length, { most: 16 });
          const counts = requests.map(({ count }) => count);
          expect(counts.every((count) => count >= 2 && count <= 16)).toBe(true);
          expect(counts.reduce((a, b) => a + b, 0) + shared['unspent']!).toBe(perPrompt * rates.length);
          if (shared['unspent']! > 0) {
            counts.forEach((count, i) => {
              if (count < 16) expect(vZeroGain(rates[i]!, count)).toBeLessThanOrEqual(0);
            });
          }
        },
      ),
    );
  });

  it('has gains that are the differences of its utility', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 64 }), (p, n) => {
        expect(vZeroGain(p, n)).toBeCloseTo(vZeroUtility(p, n + 1) - vZeroUtility(p, n), 9);
      }),
    );
  });
});
