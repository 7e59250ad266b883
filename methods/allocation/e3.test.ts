import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { Refusal } from '../refusal';
import { e3 } from './e3';
import { e3Bounds, e3Counts, e3Ranks, e3Temperatures } from './e3Rules';
import type { E3TemperatureOptions } from './e3Rules';

const numbers = Type.Array(Type.Number());

describe('E3 counts', () => {
  const cases = readVectors('allocation/e3_counts', {
    input: Type.Object({ kind: Type.Literal('counts'), ranks: numbers }),
    params: Type.Object({ budget_rollouts: Type.Integer(), n_min: Type.Integer(), n_max: Type.Integer() }),
    output: Type.Object({ counts: numbers, counts_stable_ties: Type.Optional(numbers) }),
  });
  const ranks = readVectors('allocation/e3_counts', {
    input: Type.Object({ kind: Type.Literal('rank'), total_reward: numbers, sample_count: numbers }),
    params: Type.Object({}),
    output: Type.Object({ ranks: numbers }),
  });
  const bounds = readVectors('allocation/e3_counts', {
    input: Type.Object({ kind: Type.Literal('epoch-bounds'), epochs: Type.Integer() }),
    params: Type.Object({
      n: Type.Integer(),
      n_low: Type.Integer(),
      n_high: Type.Integer(),
      n_update: Type.Integer(),
    }),
    output: Type.Object({ n_min_n_max_by_epoch: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])) }),
  });

  it('has all vectors', () => expect(cases.length + ranks.length + bounds.length).toBe(36));

  it.each(cases)('$name', ({ input, params, output }) => {
    // The release sorts equal ranks unstably; here they keep their order.
    expect(
      e3Counts(input.ranks, params.budget_rollouts, { least: params.n_min, most: params.n_max }),
    ).toEqual(output.counts_stable_ties ?? output.counts);
  });

  it.each(ranks)('$name', ({ input, output }) => {
    const means = input.total_reward.map((total, i) =>
      input.sample_count[i] === 0 ? 0 : total / input.sample_count[i]!,
    );
    expect(e3Ranks(means)).toEqual(output.ranks);
  });

  it.each(bounds)('$name', ({ params, output }) => {
    const by = { n: params.n, low: params.n_low, high: params.n_high, update: params.n_update };
    output.n_min_n_max_by_epoch.forEach(([least, most], epoch) =>
      expect(e3Bounds(epoch, by)).toEqual({ least, most }),
    );
  });
});

describe('E3 temperature', () => {
  const params = Type.Object({
    init_temperature: Type.Number(),
    vocab_size: Type.Integer(),
    enable_temperature_scheduler: Type.Boolean(),
    init_steps: Type.Integer(),
    target_entropy: Type.Union([Type.Number(), Type.Null()]),
    enable_annealing: Type.Boolean(),
    max_steps: Type.Integer(),
    annealing_ratio: Type.Number(),
    annealing_factor: Type.Number(),
  });
  const input = Type.Object({ entropies: Type.Array(Type.Union([Type.Number(), Type.Null(), numbers])) });
  const target = Type.Array(Type.Union([Type.Number(), Type.Null()]));
  const cases = readVectors('allocation/e3_temperature', {
    input,
    params,
    output: Type.Object({
      temperature_after_step: numbers,
      target_entropy_after_step: target,
      error: Type.Optional(Type.String()),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(30));

  it.each(cases)('$name', ({ input: { entropies }, params: by, output }) => {
    const options: E3TemperatureOptions = {
      first: by.init_temperature,
      vocabulary: by.vocab_size,
      initSteps: by.init_steps,
      target: by.target_entropy ?? undefined,
      annealing: by.enable_annealing
        ? { steps: by.max_steps, ratio: by.annealing_ratio, factor: by.annealing_factor }
        : undefined,
    };
    // A null entropy is a step that the release skips; a list holds one value a rank.
    const told = entropies.flatMap((entropy, i) => (entropy === null ? [] : [i]));
    const values = told
      .map((i) => [entropies[i]!].flat())
      .map((list) => list.reduce((a, b) => a + b, 0) / list.length);
    if (!by.enable_temperature_scheduler) {
      expect(new Set(output.temperature_after_step)).toEqual(new Set([by.init_temperature]));
      return;
    }
    if (output.error !== undefined) {
      expect(() => e3Temperatures(values, options)).toThrow(Refusal);
      values.length = output.temperature_after_step.length;
    }
    e3Temperatures(values, options).forEach((found, i) => {
      const at = told[i]!;
      expect(found.temperature).toBeCloseTo(output.temperature_after_step[at]!, 9);
      const expected = output.target_entropy_after_step[at] ?? undefined;
      if (expected === undefined) expect(found.target).toBe(undefined);
      else expect(found.target).toBeCloseTo(expected, 9);
    });
  });
});

describe('E3-RL4LLMs', () => {
  const prompts = [0, 0.25, 0.5, 0.75].map((difficultyRank, i) => ({ id: String(i), difficultyRank }));
  const run = (epoch: number, more = {}) =>
    e3.next(e3.start({ prompts, budget: 32, epoch, ...more }, Rng.from(0)), []);

  it('gives the worked example over three passes', () => {
    const counts = (epoch: number): number[] => run(epoch).requests.map(({ count }) => count);
    expect([0, 1, 2].map(counts)).toEqual([
      [8, 8, 8, 8],
      [6, 7, 9, 10],
      [4, 6, 10, 12],
    ]);
    expect(run(1).requests[3]!.reason).toBe(
      'Rank 0.75 of 1: ⌊6 + 8 · 0.75 / 1.5⌋ = 9, and 1 that rounding left over: 10 rollouts.',
    );
  });

  it('gives the worked temperatures and targets', () => {
    const by = { first: 1, vocabulary: 151_936, initSteps: 1, target: undefined, annealing: undefined };
    expect(e3Temperatures([0.3, 0.24], by).at(-1)!.temperature).toBeCloseTo(1.0155, 4);
    expect(e3Temperatures([0.3, 0.4], by).at(-1)!.temperature).toBeCloseTo(0.98, 4);
    const steps = e3Temperatures(new Array<number>(480).fill(0.3), {
      ...by,
      annealing: { steps: 480, ratio: 0.4, factor: 0.9 },
    });
    expect([288, 384, 480].map((step) => steps[step - 1]!.target!.toFixed(3))).toEqual([
      '0.300',
      '0.285',
      '0.270',
    ]);
    const held = run(1, { entropies: [0.3, 0.24] });
    expect(held.requests[0]!.settings!.temperature).toBeCloseTo(1.0155, 4);
    expect(held.shared['targetEntropy']).toBe(0.3);
    expect(run(1).requests[0]!.settings).toBeUndefined();
  });

  it('ranks by the earlier groups where no rank is recorded', () => {
    const past = (successes: number) => [{ step: 1, rollouts: 8, successes, meanReward: successes / 8 }];
    const seen = [past(0), past(8), past(4)].map((history, i) => ({ id: String(i), history }));
    const start = (given: { id: string }[]) =>
      e3.next(e3.start({ prompts: given, budget: 24, epoch: 2 }, Rng.from(0)), []);
    expect(start(seen).requests.map(({ count }) => count)).toEqual([12, 4, 8]);
    expect(start([{ id: 'a' }]).requests[0]!.reasonCode).toBe('no-rank');
  });

  it('refuses a budget below the lower bound, and an entropy that it would divide by', () => {
    expect(() => e3.next(e3.start({ prompts, budget: 15, epoch: 2 }, Rng.from(0)), [])).toThrow(
      /fewer than 4/u,
    );
    expect(() => run(1, { entropies: [0.3, 0] })).toThrow(/divides by the entropy/u);
    expect(() => e3.start({ prompts, budget: 32 }, Rng.from(0))).toThrow(/passes over the data/u);
  });

  it('never goes below the lower bound nor beyond the budget, and gives harder ranks no fewer', () => {
    const ranks = fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(ranks, fc.nat({ max: 8 }), (given, perPrompt) => {
        const sorted = given.map((rank) => rank / 100).sort((a, b) => a - b);
        const budget = (4 + perPrompt) * sorted.length;
        const counts = e3Counts(sorted, budget, { least: 4, most: 12 });
        expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(budget);
        counts.forEach((count) => expect(count).toBeGreaterThanOrEqual(4));
        const strictly = counts.every(
          (count, i) => i === 0 || sorted[i] === sorted[i - 1] || count >= counts[i - 1]!,
        );
        expect(strictly).toBe(true);
      }),
    );
  });
});
