import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { Refusal } from '../refusal';
import type { AllocationAnswer, AllocationMethod } from './allocator';
import type { PassRate } from './inputs';
import { knapsackPassRate } from './knapsackPassRate';
import { knapsackPublished } from './knapsackPublished';
import { knapsackReleased } from './knapsackReleased';
import { knapsackValue } from './knapsackValue';

const run = (
  method: AllocationMethod,
  rates: (PassRate | undefined)[],
  budget: number,
  parameters: Record<string, number | boolean | string>,
): AllocationAnswer => {
  const prompts = rates.map((passRate, i) => ({
    id: String(i),
    ...(passRate === undefined ? {} : { passRate }),
  }));
  return method.next(method.start({ prompts, budget }, Rng.from(0), parameters), []);
};

const counts = (answer: AllocationAnswer): number[] => answer.requests.map(({ count }) => count);
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

const Formula = {
  input: Type.Object({ success_probabilities: Type.Array(Type.Number()) }),
  params: Type.Object({ budget_rollouts: Type.Integer(), n_low: Type.Integer(), n_up: Type.Integer() }),
  output: Type.Object({
    greedy_value: Type.Number(),
    allocation_with_fallback: Type.Array(Type.Integer()),
    unspent: Type.Integer(),
    double_safe: Type.Boolean(),
    optimum_value: Type.Optional(Type.Number()),
  }),
};

describe('Knapsack-RL as published', () => {
  const cases = readVectors('allocation/knapsack_rl_formula', Formula);

  it('has all vectors', () => expect(cases.length).toBe(38));

  it.each(cases)('$name', ({ input, params, output }) => {
    const answer = run(
      knapsackPublished,
      input.success_probabilities.map((value) => ({ value })),
      params.budget_rollouts,
      { least: params.n_low, most: params.n_up },
    );
    const found = counts(answer);
    // Rollouts handed to unsolved prompts have no value, so that the sum is that of the greedy run.
    const value = sum(found.map((n, i) => knapsackValue(input.success_probabilities[i]!, n)));
    expect(value).toBeCloseTo(output.greedy_value, 12);
    if (output.optimum_value !== undefined) expect(value).toBeCloseTo(output.optimum_value, 12);
    if (output.double_safe) expect(found).toEqual(output.allocation_with_fallback);
    expect(answer.shared['unspent']).toBe(output.unspent);
  });

  it('gives the worked example, with the numbers put in', () => {
    const answer = run(
      knapsackPublished,
      [0.1, 0.33, 0.5, 0.9].map((value) => ({ value })),
      32,
      {},
    );
    expect(counts(answer)).toEqual([14, 9, 7, 2]);
    expect(answer.requests[0]!.reason).toMatch(
      /^14 rollouts: the 14th gains 0\.00\d+, at or above the price of/u,
    );
    expect(answer.requests[3]!.reasonCode).toBe('at-least');
    for (const { numbers } of answer.requests)
      expect(numbers['gainOfNext']).toBeLessThanOrEqual(numbers['price']!);
  });

  it('refuses a budget below the minimum and prompts without a rate', () => {
    expect(() => run(knapsackPublished, [{ value: 0.5 }], 1, {})).toThrow(
      /fewer than 2 for each of 1 prompt/u,
    );
    expect(() => run(knapsackPublished, [{ value: 0.5 }, undefined], 8, {})).toThrow(/1 of 2 prompts/u);
    expect(() => run(knapsackPublished, [{ value: 1.2 }], 8, {})).toThrow(/pass rate of 1\.2/u);
    expect(() => run(knapsackPublished, [{ value: 0.5 }], 8, { most: 1 })).toThrow(Refusal);
  });
});

describe('Knapsack-RL as released', () => {
  const input = Type.Object({
    prompt_states_valid_rate_count: Type.Array(Type.Tuple([Type.Integer(), Type.Number(), Type.Integer()])),
  });
  const params = Type.Object({
    n: Type.Integer(),
    min_n: Type.Integer(),
    max_n: Type.Integer(),
    alpha: Type.Number(),
    negative_n: Type.Integer(),
    positive_n: Type.Integer(),
    total_budget: Type.Integer(),
    cost_estimation: Type.String(),
    allow_fallback: Type.Boolean(),
  });
  const file = 'allocation/knapsack_rl_code';
  const answered = readVectors(file, {
    input,
    params,
    output: Type.Object({
      allocation: Type.Array(Type.Integer()),
      total: Type.Integer(),
      programme_value: Type.Number(),
    }),
  });
  const failing = readVectors(file, { input, params, output: Type.Object({ error: Type.String() }) });

  const answer = (
    state: (typeof answered)[number]['input'],
    p: (typeof answered)[number]['params'],
  ): AllocationAnswer =>
    run(
      knapsackReleased,
      state.prompt_states_valid_rate_count.map(([valid, value, samples]) =>
        valid === 1 ? { value, samples } : { value, samples: Math.min(samples, 7) },
      ),
      p.total_budget,
      {
        unseen: p.n,
        least: p.min_n,
        most: p.max_n,
        unsolved: p.negative_n,
        solved: p.positive_n,
        confidence: p.alpha,
        cost: p.cost_estimation,
        surplusToUnsolved: p.allow_fallback,
      },
    );

  it('has all vectors', () => expect(answered.length + failing.length).toBe(38));

  it.each(answered)('$name', ({ input: state, params: p, output }) => {
    const found = answer(state, p);
    // Prompts with the same state may swap their counts: compared as sets.
    const bySet = (allocation: number[]): Record<string, number[]> => {
      const sets: Record<string, number[]> = {};
      state.prompt_states_valid_rate_count.forEach(([valid, rate], i) =>
        (sets[`${valid} ${rate}`] ??= []).push(allocation[i]!),
      );
      for (const set of Object.values(sets)) set.sort((a, b) => a - b);
      return sets;
    };
    expect(bySet(counts(found))).toEqual(bySet(output.allocation));
    expect(found.shared['programmeValue']).toBeCloseTo(output.programme_value, 10);
    expect(sum(counts(found))).toBe(output.total);
  });

  it.each(failing)('$name: refused where the release fails its sum check', ({ input: state, params: p }) => {
    expect(() => answer(state, p)).toThrow(Refusal);
  });

  it('gives the corrected worked example [14, 9, 6, 3]', () => {
    const rates = [0.1, 0.33, 0.5, 0.9].map((value) => ({ value, samples: 16 }));
    expect(counts(run(knapsackReleased, rates, 32, {}))).toEqual([14, 9, 6, 3]);
  });

  it('reaches the optimum of its own programme, found by trying everything', () => {
    const best = (rates: number[], low: number, budget: number): number => {
      const [first, ...others] = rates;
      if (first === undefined) return budget === 0 ? 0 : -Infinity;
      let value = -Infinity;
      for (let extra = 0; extra <= budget; extra++) {
        value = Math.max(
          value,
          (extra > 0 ? knapsackValue(first, low + extra) : 0) + best(others, low, budget - extra),
        );
      }
      return value;
    };
    const rate = fc.integer({ min: 1, max: 15 }).map((c) => c / 16);
    fc.assert(
      fc.property(
        fc.array(rate, { minLength: 2, maxLength: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(9),
        (rates, low, extra) => {
          const answered = run(
            knapsackReleased,
            rates.map((value) => ({ value, samples: 16 })),
            rates.length * low + extra,
            { least: low, surplusToUnsolved: false },
          );
          expect(answered.shared['programmeValue']).toBeCloseTo(best(rates, low, extra), 12);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('pass rate as the release estimates it', () => {
  const cases = readVectors('allocation/knapsack_rl_code', {
    input: Type.Object({ reward_groups_in_time_order: Type.Array(Type.Array(Type.Number())) }),
    params: Type.Object({
      reward_buffer_length: Type.Integer(),
      min_seen_rollouts: Type.Integer(),
      epoch_estimation: Type.Boolean(),
      robust: Type.Boolean(),
    }),
    output: Type.Object({
      valid_rate_count_after_each_group: Type.Array(
        Type.Tuple([Type.Number(), Type.Number(), Type.Number()]),
      ),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(9));

  it.each(cases)('$name', ({ input, params, output }) => {
    output.valid_rate_count_after_each_group.forEach(([valid, rate, seen], i) => {
      const found = knapsackPassRate(input.reward_groups_in_time_order.slice(0, i + 1), {
        buffer: params.reward_buffer_length,
        latestOnly: params.epoch_estimation && !params.robust,
      })!;
      expect(found.value).toBeCloseTo(rate, 6);
      expect(found.samples).toBe(seen);
      expect(found.samples! >= params.min_seen_rollouts).toBe(valid === 1);
    });
  });

  it('knows nothing of a prompt that was never sampled', () => expect(knapsackPassRate([])).toBeUndefined());
});
