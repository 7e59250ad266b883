import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import type { AllocationAnswer } from './allocator';
import { barAssemble, barPadded } from './orchardAssembly';
import { orchardBar } from './orchardBar';
import { runToEnd } from './runToEnd';

const ENDINGS = ['complete', 'aborted', 'time-exceeded'] as const;
type Trajectory = readonly [status: number, reward: number, tokens: number];

const run = (trajectories: readonly Trajectory[], parameters = {}): AllocationAnswer[] =>
  runToEnd(
    orchardBar,
    { prompts: [{ id: 'a' }], budget: 0 },
    Rng.from(0),
    (_, i) => {
      const [status, reward, tokens] = trajectories[i]!;
      return { reward, tokens, ending: ENDINGS[status]! };
    },
    parameters,
  );
const columns = (trajectories: readonly Trajectory[]) => ({
  rewards: trajectories.map(([, reward]) => reward),
  tokens: trajectories.map(([, , tokens]) => tokens),
  endings: trajectories.map(([status]) => ENDINGS[status]!),
});

describe('Orchard BAR', () => {
  const cases = readVectors('allocation/orchard_bar', {
    input: Type.Object({
      trajectories_status_reward_tokens: Type.Array(
        Type.Tuple([Type.Integer(), Type.Number(), Type.Number()]),
      ),
    }),
    params: Type.Object({
      group_size: Type.Integer(),
      max_rollouts: Type.Integer(),
      stride: Type.Integer(),
      rho_target: Type.Number(),
      rho_min: Type.Number(),
      rho_max: Type.Number(),
    }),
    output: Type.Object({
      stage: Type.Union([Type.Literal('strict'), Type.Literal('relaxed'), Type.Literal('padded')]),
      rollouts_sampled: Type.Integer(),
      group: Type.Array(Type.Integer()),
      positives: Type.Integer(),
      usable_in_group: Type.Integer(),
      no_signal: Type.Boolean(),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(37));

  it.each(cases)(
    '$name',
    ({ input: { trajectories_status_reward_tokens: trajectories }, params, output }) => {
      const by = {
        size: params.group_size,
        target: params.rho_target,
        least: params.rho_min,
        most: params.rho_max,
      };
      const ended = columns(trajectories.slice(0, output.rollouts_sampled));
      const group = {
        strict: barAssemble(ended, by),
        relaxed: barAssemble(ended, { ...by, least: 0, most: 1 }),
        padded: barPadded(ended, by),
      }[output.stage]!;
      expect(group.rollouts).toEqual(output.group);
      expect(group.positives).toBe(output.positives);
      expect(group.usable).toBe(output.usable_in_group);

      const answers = run(trajectories, {
        groupSize: by.size,
        most: params.max_rollouts,
        stride: params.stride,
        target: by.target,
        leastShare: by.least,
        mostShare: by.most,
      });
      const last = answers.at(-1)!;
      expect(last.state.asked).toEqual([output.rollouts_sampled]);
      const [stop, drop] = last.requests;
      expect(stop!.reasonCode).toBe(
        { strict: 'balanced', relaxed: 'unbalanced', padded: 'padded' }[output.stage],
      );
      if (output.no_signal)
        expect([drop!.reasonCode, drop!.count]).toEqual(['no-signal', output.rollouts_sampled]);
      else {
        const out = new Set(drop?.rollouts ?? []);
        const kept = ended.rewards.flatMap((_, i) => (out.has(i) ? [] : [i]));
        expect(kept).toEqual([...output.group].sort((a, b) => a - b));
      }
    },
  );

  it('gives the worked example: in strides of four, twelve rollouts and a group of 3 and 5', () => {
    const rewards = [1, -1, -1, -1, 1, -1, -1, -1, 1, -1, -1, -1, 1, 1, 1, 1];
    const trajectories = rewards.map((reward, i) => [0, reward, 100 + i] as const);
    const answers = run(trajectories, { stride: 4 });
    expect(answers.at(-1)!.state.asked).toEqual([12]);
    expect(answers.at(-1)!.requests.map(({ reason }) => reason)).toEqual([
      'After 12 rollouts: 3 of 8 rewards are above 0, within 0.375 to 0.625.',
      'The group takes the shortest 8 of 12 rollouts with its balance: 4 stay out.',
    ]);
    expect(answers[1]!.requests[0]!.reason).toBe(
      '1 of 4 rewards are above 0, no balanced group of 8 yet: 4 more.',
    );
    // All sixteen at once: two and fourteen are not balanced, and a group of no successes is dropped.
    const of = (successes: number) =>
      run(rewards.map((_, i) => [0, i < successes ? 1 : -1, 100] as const)).at(-1)!.requests;
    expect(of(2)[0]!.reason).toBe(
      'After 16 rollouts: no balanced group among 16 rollouts, so one with 2 of 8 rewards above 0.',
    );
    expect(of(0)[1]!.reasonCode).toBe('no-signal');
    expect(of(7)[0]!.numbers['positives']).toBe(4);
  });

  it('refuses parameters that contradict each other', () => {
    expect(() => run([], { most: 4 })).toThrow(/below groupSize/u);
    expect(() => run([], { leastShare: 0.9 })).toThrow(/above mostShare/u);
  });

  it('never samples beyond the most, and drops all but one group', () => {
    const trajectory = fc.tuple(fc.nat(2), fc.constantFrom(1, -1), fc.integer({ min: 1, max: 500 }));
    fc.assert(
      fc.property(
        fc.array(trajectory, { minLength: 16, maxLength: 16 }),
        fc.integer({ min: 1, max: 16 }),
        (given, stride) => {
          const last = run(given, { stride }).at(-1)!;
          const sampled = last.state.asked[0]!;
          expect(sampled).toBeLessThanOrEqual(16);
          const drop = last.requests.find(({ action }) => action === 'drop');
          const kept = sampled - (drop?.count ?? 0);
          expect(kept).toBe(drop?.reasonCode === 'no-signal' ? 0 : 8);
        },
      ),
    );
  });
});
