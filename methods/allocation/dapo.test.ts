import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import type { AllocationAnswer } from './allocator';
import { dapo, dapoKeeps, dapoStatus } from './dapo';
import { runToEnd } from './runToEnd';
import { pairwiseSum } from './spread';

/** Runs the method over groups with these rewards, in rounds of so many prompts. */
const run = (
  groups: readonly (readonly number[])[],
  batch: number,
  perRound: number,
  maxRounds = 0,
): AllocationAnswer[] => {
  const size = groups[0]!.length;
  const prompts = groups.map((_, i) => ({ id: String(i) }));
  return runToEnd(dapo, { prompts, budget: batch * size }, Rng.from(0), (prompt, i) => groups[prompt]![i]!, {
    groupSize: size,
    roundFactor: perRound / batch,
    maxRounds,
  });
};
const trained = (answers: readonly AllocationAnswer[]): number[] => {
  const { asked } = answers.at(-1)!.state;
  const dropped = new Set(
    answers.flatMap(({ requests }) => requests.flatMap((r) => (r.action === 'drop' ? [r.prompt] : []))),
  );
  return asked.flatMap((count, prompt) => (count > 0 && !dropped.has(prompt) ? [prompt] : []));
};

describe('DAPO dynamic sampling', () => {
  const input = Type.Object({ metric_values_by_round: Type.Array(Type.Array(Type.Array(Type.Number()))) });
  const params = Type.Object({
    train_batch_prompts: Type.Integer(),
    rollouts_per_prompt: Type.Integer(),
    max_num_gen_batches: Type.Integer(),
  });
  const cases = readVectors('allocation/dapo', {
    input,
    params,
    output: Type.Object({
      status: Type.String(),
      kept_groups_by_round: Type.Array(Type.Array(Type.Integer())),
      rounds_used: Type.Integer(),
      rollouts_sampled: Type.Integer(),
      training_groups: Type.Optional(Type.Array(Type.Integer())),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(34));

  it.each(cases)('$name', ({ input: { metric_values_by_round: rounds }, params: by, output }) => {
    let first = 0;
    let kept = 0;
    rounds.slice(0, output.rounds_used).forEach((groups, round) => {
      const found = groups.flatMap((rewards, i) => (dapoKeeps(rewards) ? [first + i] : []));
      expect(found).toEqual(output.kept_groups_by_round[round]);
      first += groups.length;
      kept += found.length;
      const status = dapoStatus(kept, by.train_batch_prompts, round + 1, by.max_num_gen_batches);
      const last = round + 1 === output.rounds_used;
      const named = { filled: 'filled', 'go-on': 'need_more', 'gave-up': 'error: generated too many' }[
        status
      ];
      expect(named).toBe(last ? output.status : 'need_more');
    });
    const perRound = rounds[0]!.length;
    if (rounds.some((groups) => groups.length !== perRound) || perRound < by.train_batch_prompts) return;
    const groups = rounds.slice(0, output.rounds_used).flat();
    const answers = run(groups, by.train_batch_prompts, perRound, Math.max(0, by.max_num_gen_batches));
    expect(answers.at(-1)!.state.asked.reduce((sum, n) => sum + n, 0)).toBe(output.rollouts_sampled);
    if (output.training_groups !== undefined) expect(trained(answers)).toEqual(output.training_groups);
    expect(answers.at(-1)!.remark === undefined).toBe(output.status === 'filled');
  });

  it('gives the worked example: 48 rollouts sampled, 16 used', () => {
    const group = (successes: number): number[] => [0, 1, 2, 3].map((i) => (i < successes ? 1 : 0));
    const answers = run([0, 4, 2, 1, 4, 0, 3, 0, 2, 1, 4, 4].map(group), 4, 6);
    expect(answers.at(-1)!.state.asked.reduce((sum, n) => sum + n, 0)).toBe(48);
    expect(trained(answers)).toEqual([2, 3, 6, 8]);
    const surplus = answers.at(-1)!.requests.find(({ reasonCode }) => reasonCode === 'surplus')!;
    expect([surplus.prompt, surplus.count]).toEqual([9, 4]);
    expect(answers[1]!.requests.find(({ action }) => action === 'launch')!.reason).toBe(
      'Round 2: 2 groups of 4 still missing, so 6 prompts are sampled with 4 rollouts each.',
    );
  });

  it('says when it gives up, and when the candidates run out', () => {
    const solved = Array.from({ length: 9 }, () => [1, 1]);
    expect(run(solved, 1, 3, 2).at(-1)!.remark).toMatch(
      /^0 of 1 group have a spread after 2 rounds: the release/u,
    );
    expect(run(solved, 1, 3).at(-1)!.remark).toMatch(/after 3 rounds and no candidate is left/u);
  });

  it('cuts an uneven group within itself and leaves prompts alone of which nothing finished', () => {
    const prompts = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
    const first = dapo.next(
      dapo.start({ prompts, budget: 4 }, Rng.from(0), { groupSize: 2, roundFactor: 1.5 }),
      [],
    );
    const next = dapo.next(first.state, [
      { prompt: 0, rewards: [1, 0, 0], successes: [] },
      { prompt: 2, rewards: [1, 0], successes: [] },
    ]);
    expect(next.requests.map(({ prompt, count, rollouts }) => [prompt, count, rollouts])).toEqual([
      [2, 1, [1]],
    ]);
  });

  it('trains on exactly the batch when it is filled, and only on groups with a spread', () => {
    const reward = fc.constantFrom(0, 1);
    const groups = fc.array(fc.array(reward, { minLength: 3, maxLength: 3 }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(groups, fc.integer({ min: 1, max: 4 }), (rewards, batch) => {
        const answers = run(rewards, batch, batch + 1);
        const used = trained(answers);
        for (const prompt of used) expect(new Set(rewards[prompt]).size).toBe(2);
        if (answers.at(-1)!.remark === undefined) expect(used).toHaveLength(batch);
        else expect(used.length).toBeLessThan(batch);
      }),
    );
  });
});

describe('pairwise sum', () => {
  it('is the sum, for every length around its blocks', () => {
    for (const count of [0, 1, 7, 8, 9, 127, 128, 129, 300, 1000]) {
      expect(pairwiseSum(Array.from({ length: count }, (_, i) => i))).toBe(Math.abs(count * (count - 1)) / 2);
    }
  });
});
