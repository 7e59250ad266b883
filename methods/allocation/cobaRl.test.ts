import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import type { AllocationAnswer } from './allocator';
import { cobaRl } from './cobaRl';

const run = (rates: number[], failureRate: number, budget: number, parameters = {}): AllocationAnswer => {
  const prompts = rates.map((value, i) => ({ id: String(i), passRate: { value } }));
  return cobaRl.next(cobaRl.start({ prompts, budget, failureRate }, Rng.from(0), parameters), []);
};
const counts = ({ requests }: AllocationAnswer): number[] => requests.map(({ count }) => count);

describe('CoBA-RL (paper)', () => {
  const cases = readVectors('allocation/coba_rl_paper', {
    input: Type.Object({
      success_probabilities: Type.Array(Type.Number()),
      mean_failure_rate: Type.Number(),
    }),
    params: Type.Object({
      budget_rollouts: Type.Integer(),
      b_low: Type.Integer(),
      b_up: Type.Integer(),
      kappa: Type.Number(),
      tau: Type.Number(),
      gamma: Type.Number(),
    }),
    output: Type.Object({
      allocation: Type.Array(Type.Integer()),
      unspent: Type.Integer(),
      transformed_failure: Type.Number(),
      beta_a: Type.Number(),
      beta_b: Type.Number(),
      min_relative_gap: Type.Union([Type.Number(), Type.Null()]),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(35));

  it.each(cases)('$name', ({ input, params, output }) => {
    const found = run(input.success_probabilities, input.mean_failure_rate, params.budget_rollouts, {
      least: params.b_low,
      most: params.b_up,
      kappa: params.kappa,
      tau: params.tau,
      gamma: params.gamma,
    });
    expect(found.shared['transformedFailure']).toBeCloseTo(output.transformed_failure, 12);
    expect(found.shared['a']).toBeCloseTo(output.beta_a, 12);
    expect(found.shared['b']).toBeCloseTo(output.beta_b, 12);
    expect(found.shared['unspent']).toBe(output.unspent);
    // The smallest relative gap between two gains of all cases is far above what doubles resolve.
    expect(output.min_relative_gap ?? 1).toBeGreaterThan(1e-12);
    expect(counts(found)).toEqual(output.allocation);
  });

  it('gives the worked examples: many failures favour easy prompts, few hard ones', () => {
    const rates = [0.1, 0.4, 0.7, 0.9];
    expect(counts(run(rates, 0.7, 32))).toEqual([2, 3, 25, 2]);
    expect(counts(run(rates, 0.5, 32))).toEqual([2, 18, 10, 2]);
    expect(counts(run(rates, 0.3, 32))).toEqual([26, 2, 2, 2]);
  });

  it('refuses a run that records no failure rate', () => {
    expect(() => cobaRl.start({ prompts: [{ id: 'a' }], budget: 8 }, Rng.from(0))).toThrow(
      /moving average of the failure rate/u,
    );
    expect(() => run([0.5], 0.5, 1)).toThrow(/fewer than 2/u);
    expect(() => run([0.5], 1.5, 8)).toThrow(/failure rate of 1\.5/u);
  });
});
