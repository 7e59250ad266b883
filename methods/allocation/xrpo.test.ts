import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { runToEnd } from './runToEnd';
import { twoSidedT } from './studentT';
import { sampleDeviation, xrpo, xrpoPriority, xrpoSeeds } from './xrpo';

describe('XRPO', () => {
  const cases = readVectors('allocation/xrpo', {
    input: Type.Object({ rewards_so_far: Type.Array(Type.Array(Type.Number())) }),
    params: Type.Object({ a: Type.Number(), lam: Type.Number(), total_rollouts_T: Type.Integer() }),
    output: Type.Object({
      half_width: Type.Array(Type.Union([Type.Number(), Type.Null()])),
      reduction: Type.Array(Type.Union([Type.Number(), Type.Null()])),
      bonus: Type.Array(Type.Number()),
      priority: Type.Array(Type.Union([Type.Number(), Type.Null()])),
      all_wrong: Type.Array(Type.Boolean()),
      best: Type.Union([Type.Integer(), Type.Null()]),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(33));

  it.each(cases)('$name', ({ input: { rewards_so_far: all }, params, output }) => {
    const settings = { level: params.a, bonus: params.lam, total: params.total_rollouts_T };
    const priorities = all.map((rewards, i) => {
      expect(xrpoSeeds(rewards)).toBe(output.all_wrong[i]);
      // One rollout has no interval; such cases carry null.
      if (rewards.length < 2) {
        expect(output.half_width[i]).toBeNull();
        return -Infinity;
      }
      const found = xrpoPriority(rewards.length, sampleDeviation(rewards), settings);
      expect(found.halfWidth).toBeCloseTo(output.half_width[i]!, 10);
      expect(found.reduction).toBeCloseTo(output.reduction[i]!, 10);
      expect(found.bonus).toBeCloseTo(output.bonus[i]!, 12);
      expect(found.priority).toBeCloseTo(output.priority[i]!, 10);
      return found.priority;
    });
    if (output.best !== null) expect(priorities[output.best]).toBeCloseTo(Math.max(...priorities), 12);
  });

  it('has the quantiles of Student’s t', () => {
    expect(twoSidedT(0.05, 1)).toBeCloseTo(12.706204736432095, 9);
    expect(twoSidedT(0.05, 3)).toBeCloseTo(3.182446305284263, 10);
    expect(twoSidedT(0.05, 1e6)).toBeCloseTo(1.9599663, 6);
    expect(twoSidedT(1, 5)).toBe(0);
  });

  it('gives the next rollout to the prompt with 2 of 4: priority .273', () => {
    const streams = [
      [0, 0, 0, 0],
      [1, 0, 0, 0],
      [1, 1, 0, 0],
      [1, 1, 1, 1],
    ];
    const prompts = streams.map((_, i) => ({ id: String(i) }));
    const parameters = { firstRollouts: 4, perRound: 1 };
    const answers = runToEnd(
      xrpo,
      { prompts, budget: 17 },
      Rng.from(0),
      (prompt, i) => streams[prompt]![i]!,
      parameters,
    );
    const { requests } = answers.at(-1)!;
    expect(requests.map(({ prompt, count }) => [prompt, count])).toEqual([[2, 1]]);
    expect(requests[0]!.numbers['priority']).toBeCloseTo(0.273, 3);
    expect(requests[0]!.reason).toBe(
      'After 4 rollouts the interval is ± 0.919; one more takes 0.202 off, and the bonus is 0.0708: priority 0.273, 1 of this round’s 1.',
    );
  });

  it('says that rollouts of prompts without a reward start from solved examples', () => {
    const parameters = { firstRollouts: 2, perRound: 3 };
    const answers = runToEnd(xrpo, { prompts: [{ id: 'a' }], budget: 5 }, Rng.from(0), () => 0, parameters);
    expect(answers.at(-1)!.requests[0]).toMatchObject({
      count: 3,
      settings: { examples: 2 },
      reasonCode: 'seeded',
    });
  });

  it('keeps the budget, whatever the rewards and the size of a round', () => {
    const rewards = fc.array(fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 8, maxLength: 8 }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(rewards, fc.integer({ min: 1, max: 9 }), fc.nat(20), (streams, perRound, extra) => {
        const inputs = {
          prompts: streams.map((_, i) => ({ id: String(i) })),
          budget: 2 * streams.length + extra,
        };
        const parameters = { firstRollouts: 2, perRound };
        const answers = runToEnd(
          xrpo,
          inputs,
          Rng.from(0),
          (prompt, i) => streams[prompt]![i % 8]!,
          parameters,
        );
        const { asked } = answers.at(-1)!.state;
        expect(asked.reduce((a, b) => a + b, 0)).toBe(inputs.budget);
        expect(asked.every((count) => count >= 2)).toBe(true);
      }),
    );
  });

  it('asks for what is not published, and refuses a budget below the first rollouts', () => {
    const inputs = { prompts: [{ id: 'a' }], budget: 3 };
    expect(() => xrpo.start(inputs, Rng.from(0))).toThrow(/firstRollouts has no published value/u);
    const state = xrpo.start(inputs, Rng.from(0), { firstRollouts: 4, perRound: 1 });
    expect(() => xrpo.next(state, [])).toThrow(/3 rollouts are fewer than 4/u);
  });
});
