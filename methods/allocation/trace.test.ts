import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { trace, traceAgreement, tracePrefixes, traceTarget } from './trace';
import type { RewardTree } from './trace';

const answerTo = (predicted: readonly number[], budget: number, least = 1) => {
  const prompts = predicted.map((prediction, i) => ({ id: String(i), prediction }));
  return trace.next(trace.start({ prompts, budget }, Rng.from(0), { least }), []);
};

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

describe('TRACE', () => {
  const roots = readVectors('allocation/trace', {
    input: Type.Object({ kind: Type.Literal('root'), predicted_success: Type.Array(Type.Number()) }),
    params: Type.Object({ budget_rollouts: Type.Integer(), m_min: Type.Integer() }),
    output: Type.Object({
      allocation: Type.Array(Type.Integer()),
      unspent: Type.Integer(),
      value: Type.Number(),
      double_safe: Type.Boolean(),
    }),
  });
  const prefixes = readVectors('allocation/trace', {
    input: Type.Object({
      kind: Type.Literal('prefix'),
      terminal_reward: Type.Array(Type.Number()),
      predicted_prefix_success: Type.Array(Type.Number()),
    }),
    params: Type.Object({ continuations: Type.Integer() }),
    output: Type.Object({
      continuations_per_prefix: Type.Array(Type.Integer()),
      agreement: Type.Array(Type.Number()),
      value: Type.Number(),
      double_safe: Type.Optional(Type.Boolean()),
    }),
  });
  const targets = readVectors('allocation/trace', {
    input: Type.Object({
      kind: Type.Literal('target'),
      tree_nested_lists_leaf_is_reward: Type.Recursive((Self) =>
        Type.Union([Type.Number(), Type.Array(Self)]),
      ),
    }),
    params: Type.Object({}),
    output: Type.Object({
      target: Type.Number(),
      leaves: Type.Integer(),
      child_targets: Type.Array(Type.Number()),
    }),
  });

  it('has all vectors', () => expect(roots.length + prefixes.length + targets.length).toBe(38));

  it.each(roots)('$name', ({ input, params, output }) => {
    const { requests, shared } = answerTo(input.predicted_success, params.budget_rollouts, params.m_min);
    const value = sum(requests.map(({ numbers }) => numbers['value']!));
    expect(value).toBeCloseTo(output.value, 9);
    expect(shared['unspent']).toBe(output.unspent);
    // v and 1 − v gain alike: where rounding decides between them, only the value is the rule's.
    if (output.double_safe) expect(requests.map(({ count }) => count)).toEqual(output.allocation);
  });

  it.each(prefixes)('$name', ({ input, params, output }) => {
    const agreements = input.terminal_reward.map((reward, i) =>
      traceAgreement(reward, input.predicted_prefix_success[i]!),
    );
    agreements.forEach((agreement, i) => expect(agreement).toBeCloseTo(output.agreement[i]!, 12));
    const { counts } = tracePrefixes(agreements, params.continuations);
    expect(sum(counts.map((k, i) => 1 - agreements[i]! ** k))).toBeCloseTo(output.value, 9);
    if (output.double_safe !== false) expect(counts).toEqual(output.continuations_per_prefix);
  });

  it.each(targets)('$name', ({ input: { tree_nested_lists_leaf_is_reward: tree }, output }) => {
    const found = traceTarget(tree);
    expect(found.target).toBeCloseTo(output.target, 12);
    expect(found.leaves).toBe(output.leaves);
    (tree as readonly RewardTree[]).forEach((child, i) =>
      expect(traceTarget(child).target).toBeCloseTo(output.child_targets[i]!, 12),
    );
  });

  it('gives [3, 6, 5, 2] at v = .05, .3, .5, .95 or, by rounding of an exact tie, [2, 6, 5, 3]', () => {
    const counts = answerTo([0.05, 0.3, 0.5, 0.95], 16).requests.map(({ count }) => count);
    expect([
      [3, 6, 5, 2],
      [2, 6, 5, 3],
    ]).toContainEqual(counts);
  });

  it('goes first to the prefixes whose outcome disagrees most with the prediction', () => {
    const agreements = [
      [1, 0.9],
      [1, 0.5],
      [1, 0.2],
      [0, 0.2],
      [0, 0.6],
    ].map(([reward, predicted]) => traceAgreement(reward!, predicted!));
    expect(tracePrefixes(agreements, 1).counts).toEqual([0, 0, 1, 0, 0]);
    expect(tracePrefixes(agreements, 2).counts).toEqual([0, 0, 1, 0, 1]);
    expect(tracePrefixes(agreements, 3).counts).toEqual([0, 1, 1, 0, 1]);
  });

  it('keeps the budget, and no other hand-out within it is worth more', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 19 }), { minLength: 2, maxLength: 3 }),
        fc.integer({ min: 0, max: 6 }),
        (twentieths, extra) => {
          const predicted = twentieths.map((value) => value / 20);
          const budget = predicted.length + extra;
          const worth = (counts: readonly number[]): number =>
            sum(counts.map((m, i) => 1 - predicted[i]! ** m - (1 - predicted[i]!) ** m));
          const counts = answerTo(predicted, budget).requests.map(({ count }) => count);
          expect(sum(counts)).toBe(budget);
          const all = (prompts: number, left: number): number[][] =>
            prompts === 1
              ? [[left + 1]]
              : Array.from({ length: left + 1 }, (_, i) =>
                  all(prompts - 1, left - i).map((rest) => [i + 1, ...rest]),
                ).flat();
          const best = Math.max(...all(predicted.length, extra).map(worth));
          expect(worth(counts)).toBeCloseTo(best, 9);
        },
      ),
    );
  });

  it('refuses a budget below the least', () =>
    expect(() => answerTo([0.5, 0.5], 1)).toThrow(/1 rollouts are fewer than 1 for each of 2 prompts/u));
});
