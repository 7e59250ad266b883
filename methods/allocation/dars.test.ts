import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { Refusal } from '../refusal';
import { dars, darsAddition, darsKeeps } from './dars';
import type { PromptOutcome } from './outcomes';

const outcome = (prompt: number, successes: number, rollouts: number): PromptOutcome => ({
  prompt,
  rewards: Array.from({ length: rollouts }, (_, i) => (i < successes ? 1 : 0)),
  successes: [],
});

describe('DARS', () => {
  const schedules = readVectors('allocation/dars', {
    input: Type.Object({ kind: Type.Literal('schedule'), successes: Type.Array(Type.Integer()) }),
    params: Type.Object({
      rule: Type.Union([Type.Literal('ET'), Type.Literal('HW')]),
      first_stage_rollouts: Type.Integer(),
      max_rollouts: Type.Integer(),
      std_normalised: Type.Boolean(),
    }),
    output: Type.Object({ added_rollouts: Type.Array(Type.Integer()), total_added: Type.Integer() }),
  });
  const keeps = readVectors('allocation/dars', {
    input: Type.Object({
      kind: Type.Literal('keep'),
      first_stage_successes: Type.Array(Type.Integer()),
      added_rollouts: Type.Array(Type.Integer()),
      added_successes: Type.Array(Type.Integer()),
    }),
    params: Type.Object({ first_stage_rollouts: Type.Integer(), upper_threshold: Type.Number() }),
    output: Type.Object({ kept_prompt_positions: Type.Array(Type.Integer()) }),
  });

  it('has all vectors', () => expect(schedules.length + keeps.length).toBe(34));

  it.each(schedules)('$name', ({ input: { successes }, params, output }) => {
    const rule = params.rule === 'ET' ? ('equal-treatment' as const) : ('hardness-weighted' as const);
    const rollouts = params.first_stage_rollouts;
    const options = { rule, rollouts, most: params.max_rollouts, standardised: params.std_normalised };
    // −0 is a 0 of the release too.
    expect(successes.map((c) => darsAddition(c / rollouts, options).added + 0)).toEqual(
      output.added_rollouts,
    );
    if (params.max_rollouts < rollouts) return;
    const prompts = successes.map((_, i) => ({ id: String(i) }));
    const first = dars.next(
      dars.start({ prompts, budget: 0 }, Rng.from(0), {
        schedule: rule,
        firstStage: rollouts,
        most: params.max_rollouts,
        standardised: params.std_normalised,
      }),
      [],
    );
    expect(first.requests.every(({ count }) => count === rollouts)).toBe(true);
    const second = dars.next(
      first.state,
      successes.map((c, i) => outcome(i, c, rollouts)),
    );
    expect(second.requests.reduce((sum, { count }) => sum + count, 0)).toBe(output.total_added);
  });

  it.each(keeps)('$name', ({ input, params, output }) => {
    const kept = input.first_stage_successes.flatMap((c, i) => {
      const all = params.first_stage_rollouts + input.added_rollouts[i]!;
      return darsKeeps((c + input.added_successes[i]!) / all, params.upper_threshold) ? [i] : [];
    });
    expect(kept).toEqual(output.kept_prompt_positions);
  });

  it('gives the worked examples: 0 to 8 successes of 8', () => {
    const added = (rule: 'equal-treatment' | 'hardness-weighted', most: number): number[] =>
      [0, 1, 2, 3, 4, 5, 6, 7, 8].map(
        (c) => darsAddition(c / 8, { rule, rollouts: 8, most, standardised: false }).added,
      );
    expect(added('equal-treatment', 32)).toEqual([24, 11, 3, 1, 0, 0, 0, 0, 0]);
    expect(added('hardness-weighted', 64)).toEqual([56, 24, 8, 3, 0, 0, 0, 0, 0]);
  });

  it('goes through its three rounds: first stage, additions with their reasons, drops', () => {
    const prompts = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
    const first = dars.next(dars.start({ prompts, budget: 0 }, Rng.from(0)), []);
    const second = dars.next(first.state, [outcome(0, 1, 8), outcome(1, 8, 8), outcome(2, 0, 8)]);
    expect(second.requests.map(({ count, reasonCode }) => [count, reasonCode])).toEqual([
      [11, 'lifted'],
      [0, 'easy-enough'],
      [24, 'at-most'],
      [0, 'nothing-finished'],
    ]);
    expect(second.requests[0]!.reason).toBe(
      'Accuracy 0.125: (4 − 8 · 0.219) / 0.219 rounds up to 11 more rollouts.',
    );
    expect(second.state.asked).toEqual([19, 8, 32, 8]);
    const third = dars.next(second.state, [outcome(0, 2, 11), outcome(2, 0, 24)]);
    expect(third.done).toBe(true);
    expect(third.requests.map(({ prompt, action, count }) => [prompt, action, count])).toEqual([
      [1, 'drop', 8],
      [2, 'drop', 32],
    ]);
    expect(() => dars.next(third.state, [])).toThrow(Refusal);
  });

  it('refuses rewards that are no accuracy', () => {
    const first = dars.next(dars.start({ prompts: [{ id: 'a' }], budget: 0 }, Rng.from(0)), []);
    const outcomes = [{ prompt: 0, rewards: [1, 2.5], successes: [] }];
    expect(() => dars.next(first.state, outcomes)).toThrow(/between 0 and 1; one was 2\.5/u);
  });

  it('never asks for a negative number where the most is below the first stage', () => {
    const first = dars.next(dars.start({ prompts: [{ id: 'a' }], budget: 0 }, Rng.from(0), { most: 4 }), []);
    expect(dars.next(first.state, [outcome(0, 1, 8)]).requests[0]!.count).toBe(0);
  });
});
