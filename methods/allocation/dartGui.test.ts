import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { dartGui, dartGuiCount, dartGuiRate } from './dartGui';
import type { PastGroup } from './inputs';

const group = (rewards: readonly number[]): PastGroup => ({
  step: 1,
  rollouts: rewards.length,
  successes: rewards.filter((reward) => reward === 1).length,
  meanReward: rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length,
  rewards,
});

describe('DART-GUI', () => {
  const cases = readVectors('allocation/dart_gui', {
    input: Type.Object({ success_rates: Type.Array(Type.Number()) }),
    params: Type.Object({
      rollout_n: Type.Integer(),
      success_rate_threshold: Type.Number(),
      min_rollout_n: Type.Integer(),
    }),
    output: Type.Object({ rollouts: Type.Array(Type.Integer()) }),
  });

  it('has all vectors', () => expect(cases.length).toBe(32));

  it.each(cases)('$name', ({ input, params, output }) => {
    const by = {
      full: params.rollout_n,
      threshold: params.success_rate_threshold,
      least: params.min_rollout_n,
    };
    expect(input.success_rates.map((rate) => dartGuiCount(rate, by))).toEqual(output.rollouts);
  });

  it('gives the worked example at a threshold of 0.6, from recorded groups', () => {
    const rates = [0, 4, 8, 6, 7].map((successes) =>
      Array.from({ length: 8 }, (_, i) => (i < successes ? 1 : 0)),
    );
    const prompts = rates.map((rewards, i) => ({ id: String(i), history: [group(rewards)] }));
    const answer = dartGui.next(dartGui.start({ prompts, budget: 0 }, Rng.from(0), { threshold: 0.6 }), []);
    expect(answer.requests.map(({ count }) => count)).toEqual([8, 8, 2, 5, 3]);
    expect(answer.requests[3]!.reason).toBe(
      'A rate of 0.75 in its newest group: 9 / 0.75 − 7 is cut to 5: 5 rollouts.',
    );
  });

  it('looks at the newest group only, and leaves rewards below 0 out of it', () => {
    expect(dartGuiRate([group([1, 1]), group([-1, 1, 0, -1])])).toBe(0.5);
    expect(dartGuiRate([group([-1, -1])])).toBe(0);
    expect(dartGuiRate([])).toBe(0);
    expect(dartGuiRate([{ step: 1, rollouts: 4, successes: 1, meanReward: 0.25 }])).toBe(0.25);
    const solved = [{ id: 'a', history: [group([1, 1])] }];
    const least = dartGui.next(dartGui.start({ prompts: solved, budget: 0 }, Rng.from(0), { least: 3 }), []);
    expect(least.requests[0]!.reason).toBe(
      'A rate of 1 in its newest group: 9 / 1 − 7 is cut to 2, raised to the least, 3: 3 rollouts.',
    );
  });

  it('refuses mean rewards that are no success rate', () => {
    const history = [{ step: 1, rollouts: 2, successes: 0, meanReward: 5 }];
    const state = dartGui.start({ prompts: [{ id: 'a', history }], budget: 0 }, Rng.from(0));
    expect(() => dartGui.next(state, [])).toThrow(/a mean of 5/u);
  });

  it('gives no fewer rollouts to a task that succeeds less often, where the threshold is what the constants are made for', () => {
    const rate = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(rate, rate, (a, b) => {
        const by = { full: 8, threshold: 0.6, least: 1 };
        expect(dartGuiCount(Math.min(a, b), by)).toBeGreaterThanOrEqual(dartGuiCount(Math.max(a, b), by));
      }),
    );
  });
});
