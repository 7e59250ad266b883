import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { HBPO_BUDGETS, hbpo, hbpoAdvantages, hbpoCounts } from './hbpo';

const numbers = Type.Array(Type.Number());

describe('HBPO', () => {
  const counts = readVectors('allocation/hbpo', {
    input: Type.Object({
      kind: Type.Literal('counts'),
      rollouts_per_prompt: Type.Integer(),
      prompts: Type.Integer(),
    }),
    params: Type.Object({ budgets_tokens: numbers }),
    output: Type.Object({
      samples_per_prefix: Type.Integer(),
      rollouts_by_budget_per_prompt: Type.Record(Type.String(), Type.Integer()),
      total_rollouts: Type.Integer(),
      rollouts_lost_per_prompt: Type.Integer(),
      usable_as_released: Type.Boolean(),
    }),
  });
  const advantages = readVectors('allocation/hbpo', {
    input: Type.Object({
      kind: Type.Literal('advantage'),
      rewards: numbers,
      budgets_tokens: numbers,
      group_of_rollout: numbers,
    }),
    params: Type.Object({ epsilon: Type.Number() }),
    output: Type.Object({ advantages: numbers }),
  });
  const start = (n: number, groupSize: number) =>
    hbpo.start(
      { prompts: Array.from({ length: n }, (_, i) => ({ id: String(i) })), budget: 0 },
      Rng.from(0),
      { groupSize },
    );

  it('has all vectors', () => expect(counts.length + advantages.length).toBe(31));

  it.each(counts)('$name', ({ input, params, output }) => {
    expect(params.budgets_tokens).toEqual(HBPO_BUDGETS);
    const found = hbpoCounts(input.rollouts_per_prompt);
    expect(found.perBudget).toBe(2 * output.samples_per_prefix);
    for (const count of Object.values(output.rollouts_by_budget_per_prompt))
      expect(found.perBudget).toBe(count);
    expect(found.lost).toBe(output.rollouts_lost_per_prompt);
    if (!output.usable_as_released) {
      expect(() => start(input.prompts, input.rollouts_per_prompt)).toThrow(/groupSize is/u);
    } else {
      const answer = hbpo.next(start(input.prompts, input.rollouts_per_prompt), []);
      expect(answer.requests.reduce((sum, { count }) => sum + count, 0)).toBe(output.total_rollouts);
      expect(answer.remark !== undefined).toBe(found.lost > 0);
    }
  });

  it.each(advantages)('$name', ({ input, params, output }) => {
    for (const group of new Set(input.group_of_rollout)) {
      const own = input.group_of_rollout.flatMap((g, i) => (g === group ? [i] : []));
      const found = hbpoAdvantages(
        own.map((i) => input.rewards[i]!),
        own.map((i) => input.budgets_tokens[i]!),
        params.epsilon,
      );
      // The release computes in single precision.
      own.forEach((i, at) => expect(found[at]).toBeCloseTo(output.advantages[i]!, 3));
    }
  });

  it('gives the worked example: four rollouts for each of four lengths', () => {
    const { requests } = hbpo.next(start(1, 16), []);
    expect(requests.map(({ count, settings }) => [settings!.askedTokens, count])).toEqual([
      [512, 4],
      [1024, 4],
      [2048, 4],
      [2560, 4],
    ]);
    expect(requests[0]!.reason).toBe('2 prefixes of 8 ask for 512 tokens: 2 · ⌊16 / 8⌋ = 4 rollouts.');
    expect(() => hbpoAdvantages([1], [512])).toThrow(/group of one/u);
  });
});
