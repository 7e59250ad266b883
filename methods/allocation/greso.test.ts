import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { greso } from './greso';
import { gresoBatch, gresoDecides, gresoExploration, gresoKind, gresoSkip } from './gresoRules';
import type { PastGroup, PromptInput } from './inputs';
import { runToEnd } from './runToEnd';

const file = 'allocation/greso';

describe('GRESO skip', () => {
  const cases = readVectors(file, {
    input: Type.Object({
      kind: Type.Literal('skip'),
      reward_traces_oldest_first: Type.Array(Type.Array(Type.Number())),
      uniforms: Type.Array(Type.Number()),
    }),
    params: Type.Object({
      p_easy: Type.Number(),
      p_hard: Type.Number(),
      all_correct_threshold: Type.Number(),
      all_wrong_threshold: Type.Number(),
      floor_keep_probability: Type.Number(),
    }),
    output: Type.Object({
      consecutive_easy: Type.Array(Type.Integer()),
      consecutive_hard: Type.Array(Type.Integer()),
      skip_probability: Type.Array(Type.Number()),
      decisions: Type.Array(Type.String()),
      uniforms_used: Type.Integer(),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(19));

  it.each(cases)('$name', ({ input, params, output }) => {
    let used = 0;
    const explore = { easy: params.p_easy, hard: params.p_hard, floor: params.floor_keep_probability };
    const thresholds = { correctFrom: params.all_correct_threshold, wrongTo: params.all_wrong_threshold };
    input.reward_traces_oldest_first.forEach((trace, i) => {
      const skip = gresoSkip(trace, explore, thresholds);
      expect([skip.easy, skip.hard]).toEqual([output.consecutive_easy[i], output.consecutive_hard[i]]);
      expect(Math.max(skip.easyProbability, skip.hardProbability)).toBeCloseTo(
        output.skip_probability[i]!,
        14,
      );
      const decided = gresoDecides(trace, skip, () => input.uniforms[used++]!);
      expect(decided.replace('-', '_')).toBe(output.decisions[i]);
    });
    expect(used).toBe(output.uniforms_used);
  });

  it('gives the worked example: 1, 2, 3, 7 in a row at p = 0.5', () => {
    const probabilities = [1, 2, 3, 7].map(
      (z) =>
        gresoSkip(
          new Array<number>(z).fill(1),
          { easy: 0.5, hard: 0.5, floor: 0.01 },
          { correctFrom: 0.98, wrongTo: 0.11 },
        ).easyProbability,
    );
    expect(probabilities).toEqual([0.5, 0.75, 0.875, 0.99]);
  });
});

describe('GRESO exploration after a step', () => {
  const cases = readVectors(file, {
    input: Type.Object({
      kind: Type.Literal('exploration-step'),
      p_easy_before: Type.Number(),
      p_hard_before: Type.Number(),
      epoch: Type.Integer(),
    }),
    params: Type.Object({
      target_zero_variance: Type.Number(),
      step: Type.Number(),
      min_p: Type.Number(),
      max_p: Type.Number(),
    }),
    output: Type.Object({
      hard_ratio: Type.Number(),
      easy_ratio: Type.Number(),
      p_easy: Type.Number(),
      p_hard: Type.Number(),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(12));

  it.each(cases)('$name', ({ input, params, output }) => {
    const before = { easy: input.p_easy_before, hard: input.p_hard_before };
    const shares = { easy: output.easy_ratio, hard: output.hard_ratio };
    const by = {
      target: params.target_zero_variance,
      step: params.step,
      minimum: params.min_p,
      maximum: params.max_p,
    };
    const after = input.epoch > 0 ? gresoExploration(before, shares, by) : before;
    expect(after.easy).toBeCloseTo(output.p_easy, 14);
    expect(after.hard).toBeCloseTo(output.p_hard, 14);
  });
});

describe('GRESO adaptive batch', () => {
  const input = Type.Object({
    kind: Type.Literal('adaptive-batch'),
    kept_prompts_so_far: Type.Integer(),
    zero_variance_ratio_float32: Type.Number(),
  });
  const params = Type.Object({
    train_batch_prompts: Type.Integer(),
    default_batch_prompts: Type.Integer(),
    rollouts_per_prompt: Type.Integer(),
    safety_factor: Type.Number(),
    minimum_batch_prompts: Type.Integer(),
  });
  const cases = readVectors(file, {
    input,
    params,
    output: Type.Object({
      estimated_prompts: Type.Integer(),
      next_batch_prompts: Type.Integer(),
      last_round: Type.Boolean(),
    }),
  });
  const failing = readVectors(file, { input, params, output: Type.Object({ error: Type.String() }) });
  const batch = (vector: (typeof failing)[number]): ReturnType<typeof gresoBatch> =>
    gresoBatch(
      vector.params.train_batch_prompts - vector.input.kept_prompts_so_far,
      vector.input.zero_variance_ratio_float32,
      {
        groupSize: vector.params.rollouts_per_prompt,
        safety: vector.params.safety_factor,
        batch: vector.params.default_batch_prompts,
        minimum: vector.params.minimum_batch_prompts,
      },
    );

  it('has all vectors', () => expect(cases.length + failing.length).toBe(14));

  it.each(cases)('$name', ({ name, input: given, params: by, output }) => {
    expect(batch({ name, input: given, params: by, output: { error: '' } })).toEqual({
      estimated: output.estimated_prompts,
      prompts: output.next_batch_prompts,
      last: output.last_round,
    });
  });

  it.each(failing)('$name: goes on with the default batch where the release divides by zero', (vector) => {
    expect(batch(vector)).toEqual({
      estimated: Infinity,
      prompts: vector.params.default_batch_prompts,
      last: false,
    });
  });
});

describe('GRESO shares of a round', () => {
  const cases = readVectors(file, {
    input: Type.Object({
      kind: Type.Literal('round-metrics'),
      group_rewards: Type.Array(Type.Array(Type.Number())),
    }),
    params: Type.Object({ format_reward: Type.Number() }),
    output: Type.Object({
      zero_variance_ratio: Type.Number(),
      hard_ratio: Type.Number(),
      easy_ratio: Type.Number(),
      kept_group_positions: Type.Array(Type.Integer()),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(6));

  it.each(cases)('$name', ({ input, params, output }) => {
    const kinds = input.group_rewards.map((rewards) => gresoKind(rewards, 1, params.format_reward));
    const share = (...of: string[]): number =>
      kinds.filter((kind) => of.includes(kind)).length / kinds.length;
    expect(kinds.flatMap((kind, i) => (kind === 'mixed' ? [i] : []))).toEqual(output.kept_group_positions);
    expect(share('easy', 'hard', 'flat')).toBeCloseTo(output.zero_variance_ratio, 6);
    expect(share('hard')).toBeCloseTo(output.hard_ratio, 6);
    expect(share('easy')).toBeCloseTo(output.easy_ratio, 6);
  });
});

describe('GRESO over a step', () => {
  const solved = (groups: number): PastGroup[] =>
    Array.from({ length: groups }, (_, step) => ({ step, rollouts: 4, successes: 4, meanReward: 1 }));
  const prompts = (count: number, history: readonly PastGroup[] = []): PromptInput[] =>
    Array.from({ length: count }, (_, i) => ({ id: String(i), history }));
  const parameters = { groupSize: 4, batch: 5, minimumBatch: 5, wrongReward: 0 };

  it('samples until the batch is full, drops what has no variance and the surplus', () => {
    // Every second prompt gives a mixed group: 2 of the first round's, then 3 of an estimated 5.
    const inputs = { prompts: prompts(40), budget: 16, epoch: 1 };
    const answers = runToEnd(
      greso,
      inputs,
      Rng.from(1),
      (prompt, i) => (prompt % 2 === 0 ? i % 2 : 1),
      parameters,
    );
    const launched = answers.flatMap(({ requests }) => requests.filter(({ action }) => action === 'launch'));
    const dropped = answers.flatMap(({ requests }) => requests.filter(({ action }) => action === 'drop'));
    const used = launched.filter(({ prompt }) => !dropped.some((drop) => drop.prompt === prompt));
    expect(used.length).toBe(4);
    expect(used.every(({ prompt }) => prompt % 2 === 0)).toBe(true);
    expect(new Set(dropped.map(({ reasonCode }) => reasonCode))).toEqual(
      new Set(['zero-variance', 'surplus']),
    );
    // Half of the sampled groups were easy, none hard: both explore probabilities move.
    const last = answers.at(-1)!;
    expect(last.carry!['easy']).toBeCloseTo(0.49, 12);
    expect(last.carry!['hard']).toBeCloseTo(0.51, 12);
  });

  it('skips prompts that were solved again and again, and says with which probability', () => {
    const inputs = { prompts: prompts(400, solved(3)), budget: 400, memory: { easy: 0.5, hard: 0.5 } };
    const first = greso.next(greso.start(inputs, Rng.from(2), { ...parameters, batch: 400 }), []);
    const skipped = first.requests.filter(({ action }) => action === 'skip');
    expect(skipped.length / 400).toBeGreaterThan(0.8);
    expect(skipped.length / 400).toBeLessThan(0.95);
    expect(skipped[0]!.reason).toBe(
      '3 all-correct groups in a row: skipped with probability 1 − max(0.5^3, 0.01) = 0.875; the draw skipped it.',
    );
  });

  it('ends when the candidates run out, and does not move in the first pass over the data', () => {
    const inputs = { prompts: prompts(5), budget: 400, epoch: 0 };
    const answers = runToEnd(greso, inputs, Rng.from(3), () => 1, parameters);
    expect(answers).toHaveLength(2);
    expect(answers[1]!.carry).toEqual({ easy: 0.5, hard: 0.5 });
  });
});
