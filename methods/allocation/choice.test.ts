import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { leastScores } from './choice';
import type { PastGroup } from './inputs';
import { mopps, moppsScores, moppsStart, moppsUpdate } from './mopps';
import type { MoppsPosterior } from './mopps';
import { vade, vadeChoice, vadeInformation, vadePosterior } from './vade';

const group = (successes: number, rollouts: number): PastGroup => ({
  step: 0,
  rollouts,
  successes,
  meanReward: successes / rollouts,
});

describe('VADE', () => {
  const scores = readVectors('allocation/vade', {
    input: Type.Object({
      kind: Type.Literal('score'),
      correct: Type.Array(Type.Integer()),
      wrong: Type.Array(Type.Integer()),
    }),
    params: Type.Object({}),
    output: Type.Object({
      posterior_alpha: Type.Array(Type.Integer()),
      posterior_beta: Type.Array(Type.Integer()),
      information: Type.Array(Type.Number()),
    }),
  });
  const choices = readVectors('allocation/vade', {
    input: Type.Object({ kind: Type.Literal('choose'), posterior_draws: Type.Array(Type.Number()) }),
    params: Type.Object({ batch: Type.Integer() }),
    output: Type.Object({
      chosen_positions: Type.Array(Type.Integer()),
      information: Type.Array(Type.Number()),
      boundary_tie: Type.Boolean(),
    }),
  });
  const updates = readVectors('allocation/vade', {
    input: Type.Object({
      kind: Type.Literal('update'),
      prompts: Type.Integer(),
      observed_prompt_correct_wrong_by_step: Type.Array(
        Type.Array(Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer()])),
      ),
    }),
    params: Type.Object({}),
    output: Type.Object({ by_step: Type.Array(Type.Unknown()) }),
  });

  it('has all vectors', () => expect(scores.length + choices.length + updates.length).toBe(37));

  it.each(scores)('$name', ({ input, output }) => {
    input.correct.forEach((correct, i) => {
      const total = correct + input.wrong[i]!;
      const { a, b } = vadePosterior({ history: total > 0 ? [group(correct, total)] : [] });
      expect([a, b]).toEqual([output.posterior_alpha[i], output.posterior_beta[i]]);
      expect(vadeInformation(a / (a + b))).toBeCloseTo(output.information[i]!, 12);
    });
  });

  it.each(choices)('$name', ({ input, params, output }) => {
    const chosen = vadeChoice(input.posterior_draws, params.batch);
    const information = chosen.map((i) => output.information[i]!).sort((a, b) => a - b);
    const expected = output.chosen_positions.map((i) => output.information[i]!).sort((a, b) => a - b);
    information.forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 12));
    if (!output.boundary_tie)
      expect([...chosen].sort((a, b) => a - b)).toEqual([...output.chosen_positions].sort((a, b) => a - b));
  });

  it('chooses as many groups as the budget pays for, and explains each', () => {
    const prompts = [
      { id: 'hard', history: [group(0, 80)] },
      { id: 'good', history: [group(30, 80)] },
      { id: 'easy', history: [group(78, 80)] },
    ];
    const { requests } = vade.next(vade.start({ prompts, budget: 15 }, Rng.from(1)), []);
    expect(requests.map(({ action, count }) => [action, count])).toEqual([
      ['skip', 0],
      ['launch', 8],
      ['skip', 0],
    ]);
    expect(requests[1]!.reason).toMatch(
      /^A draw of 0\.\d+ from Beta\(31, 51\) gives .*rank 1 of 3; the first 1 are sampled\.$/u,
    );
    expect(() => vade.next(vade.start({ prompts, budget: 7 }, Rng.from(1)), [])).toThrow(
      /do not pay for one group of 8/u,
    );
    expect(() => vade.start({ prompts: [{ id: 'a' }], budget: 8 }, Rng.from(1))).toThrow(/earlier groups/u);
  });
});

describe('VADE counts over steps', () => {
  const updates = readVectors('allocation/vade', {
    input: Type.Object({
      kind: Type.Literal('update'),
      prompts: Type.Integer(),
      observed_prompt_correct_wrong_by_step: Type.Array(
        Type.Array(Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer()])),
      ),
    }),
    params: Type.Object({}),
    output: Type.Object({
      by_step: Type.Array(
        Type.Object({ correct: Type.Array(Type.Integer()), wrong: Type.Array(Type.Integer()) }),
      ),
    }),
  });

  it.each(updates)('$name', ({ input, output }) => {
    const history = Array.from({ length: input.prompts }, (): PastGroup[] => []);
    input.observed_prompt_correct_wrong_by_step.forEach((step, s) => {
      for (const [prompt, correct, wrong] of step) {
        if (correct + wrong > 0) history[prompt]!.push(group(correct, correct + wrong));
      }
      history.forEach((groups, prompt) => {
        const { a, b } = vadePosterior({ history: groups });
        expect([a - 1, b - 1]).toEqual([
          output.by_step[s]!.correct[prompt],
          output.by_step[s]!.wrong[prompt],
        ]);
      });
    });
  });
});

describe('MoPPS', () => {
  const updates = readVectors('allocation/mopps', {
    input: Type.Object({
      kind: Type.Literal('update'),
      observed_success_rates_by_step: Type.Array(Type.Array(Type.Tuple([Type.Integer(), Type.Number()]))),
    }),
    params: Type.Object({
      rollouts_per_prompt: Type.Integer(),
      decay: Type.Number(),
      prior_alpha: Type.Number(),
      prior_beta: Type.Number(),
    }),
    output: Type.Object({
      prompts: Type.Array(Type.Integer()),
      by_step: Type.Array(Type.Object({ alpha: Type.Array(Type.Number()), beta: Type.Array(Type.Number()) })),
    }),
  });
  const choices = readVectors('allocation/mopps', {
    input: Type.Object({ kind: Type.Literal('choose'), posterior_draws: Type.Array(Type.Number()) }),
    params: Type.Object({
      batch_prompts: Type.Integer(),
      strategy: Type.String(),
      target: Type.Number(),
      lower: Type.Number(),
      upper: Type.Number(),
    }),
    output: Type.Object({
      scores: Type.Array(Type.Number()),
      chosen_prompt_positions: Type.Optional(Type.Array(Type.Integer())),
      inside_positions: Type.Optional(Type.Array(Type.Integer())),
      boundary_is_tie: Type.Boolean(),
    }),
  });
  const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

  const starts = readVectors('allocation/mopps', {
    input: Type.Object({
      kind: Type.Literal('init'),
      outcomes_by_prompt: Type.Record(Type.String(), Type.Array(Type.Integer())),
    }),
    params: Type.Object({ prior_alpha: Type.Number(), prior_beta: Type.Number(), weight: Type.Number() }),
    output: Type.Object({
      alpha: Type.Record(Type.String(), Type.Number()),
      beta: Type.Record(Type.String(), Type.Number()),
    }),
  });

  it('has all vectors', () => expect(updates.length + choices.length + starts.length).toBe(34));

  it.each(starts)('$name', ({ input, params, output }) => {
    for (const [prompt, outcomes] of Object.entries(input.outcomes_by_prompt)) {
      const successes = outcomes.reduce((sum, outcome) => sum + outcome, 0);
      const prior = { a: params.prior_alpha, b: params.prior_beta };
      expect(moppsStart(prior, { rollouts: outcomes.length, successes }, params.weight)).toEqual({
        a: output.alpha[prompt],
        b: output.beta[prompt],
      });
    }
  });

  it('starts from a profile where its weight is above 0', () => {
    const prompts = [{ id: 'a', history: [], initialRate: { value: 0.25, samples: 8 } }];
    const numbers = (profileWeight: number) =>
      mopps.next(mopps.start({ prompts, budget: 8 }, Rng.from(0), { profileWeight }), []).requests[0]!
        .numbers;
    expect(numbers(0)).toMatchObject({ a: 1, b: 1 });
    expect(numbers(3)).toMatchObject({ a: 7, b: 19 });
  });

  it.each(updates)('$name', ({ input, params, output }) => {
    const prior = { a: params.prior_alpha, b: params.prior_beta };
    const posteriors = new Map<number, MoppsPosterior>();
    input.observed_success_rates_by_step.forEach((step, s) => {
      for (const [prompt, rate] of step) {
        const seen = { rollouts: params.rollouts_per_prompt, successes: rate * params.rollouts_per_prompt };
        posteriors.set(prompt, moppsUpdate(posteriors.get(prompt) ?? prior, seen, prior, params.decay));
      }
      const expected = output.by_step[s]!;
      output.prompts.forEach((prompt, i) => {
        const { a, b } = posteriors.get(prompt) ?? prior;
        expect(a).toBeCloseTo(expected.alpha[i]!, 9);
        expect(b).toBeCloseTo(expected.beta[i]!, 9);
      });
    });
  });

  it.each(choices)('$name', ({ input, params, output }) => {
    const scores = moppsScores(input.posterior_draws, params);
    scores.forEach((score, i) => expect(score).toBeCloseTo(output.scores[i]!, 12));
    if (output.inside_positions !== undefined) {
      expect(scores.flatMap((score, i) => (score === 0 ? [i] : []))).toEqual(output.inside_positions);
    } else if (!output.boundary_is_tie) {
      expect(sorted(leastScores(scores, params.batch_prompts))).toEqual(
        sorted(output.chosen_prompt_positions!),
      );
    }
  });

  it('gives the worked example: s = .25 then .5 with decay .5', () => {
    const prior = { a: 1, b: 1 };
    const first = moppsUpdate(prior, group(2, 8), prior, 0.5);
    expect(first).toEqual({ a: 3, b: 7 });
    expect(moppsUpdate(first, group(4, 8), prior, 0.5)).toEqual({ a: 6, b: 8 });
    expect(moppsUpdate(first, group(1, 1), prior, 0.5)).toEqual({ a: 8, b: 8 });
  });

  it('takes the prompts near one half, and at random within the interval where there are too many', () => {
    const prompts = Array.from({ length: 12 }, (_, i) => ({
      id: String(i),
      history: [group(i < 10 ? 400 : 4, 800)],
    }));
    const taken = (seed: number, strategy: string): number[] =>
      mopps
        .next(mopps.start({ prompts, budget: 32 }, Rng.from(seed), { strategy }), [])
        .requests.filter(({ action }) => action === 'launch')
        .map(({ prompt }) => prompt);
    for (const strategy of ['topk', 'threshold']) {
      expect(taken(1, strategy)).toHaveLength(4);
      expect(taken(1, strategy).every((prompt) => prompt < 10)).toBe(true);
      expect(taken(1, strategy)).toEqual(taken(1, strategy));
    }
    expect(new Set([1, 2, 3, 4, 5].map((seed) => taken(seed, 'threshold').join())).size).toBeGreaterThan(1);
  });
});
