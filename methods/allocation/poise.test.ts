import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { poise, poiseAdvantages, poiseTargets, siblingMeans } from './poise';
import { runToEnd } from './runToEnd';

const inGroups = (values: readonly number[], size: number): number[][] =>
  Array.from({ length: values.length / size }, (_, i) => values.slice(i * size, (i + 1) * size));

describe('POISE', () => {
  const cases = readVectors('allocation/poise', {
    input: Type.Object({ rewards: Type.Array(Type.Number()), predicted_values: Type.Array(Type.Number()) }),
    params: Type.Object({
      group_size: Type.Integer(),
      target_mode: Type.Union([Type.Literal('other_rollout_correctness'), Type.Literal('pair_average')]),
    }),
    output: Type.Object({
      baselines: Type.Array(Type.Number()),
      targets: Type.Array(Type.Number()),
      advantages: Type.Array(Type.Number()),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(33));

  it.each(cases)('$name', ({ input, params: { group_size: size, target_mode: mode }, output }) => {
    const rewards = inGroups(input.rewards, size);
    const predictions = inGroups(input.predicted_values, size);
    // Single precision: a sum in another order may differ in the last place.
    const close = (found: readonly number[], expected: readonly number[]): void =>
      found.forEach((value, i) => expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(2.4e-7));
    const baselines = predictions.map(siblingMeans);
    close(baselines.flat(), output.baselines);
    close(
      rewards.flatMap((group) => poiseTargets(group, mode)),
      output.targets,
    );
    close(
      rewards.flatMap((group, i) => poiseAdvantages(group, baselines[i]!)),
      output.advantages,
    );
    const answers = runToEnd(
      poise,
      { prompts: rewards.map((_, i) => ({ id: String(i) })), budget: 0 },
      Rng.from(0),
      (prompt, i) => ({ reward: rewards[prompt]![i]!, prediction: predictions[prompt]![i]! }),
      { groupSize: size },
    );
    expect(answers[1]!.requests.flatMap(({ values }) => values ?? [])).toEqual(baselines.flat());
  });

  it('compares each of two rollouts with the prediction of the other: advantages .45 and −.60', () => {
    const baselines = siblingMeans([0.6, 0.55]);
    const [first, second] = poiseAdvantages([1, 0], baselines);
    expect(first).toBeCloseTo(0.45, 6);
    expect(second).toBeCloseTo(-0.6, 6);
  });

  it('gives a baseline that its own prediction does not move', () => {
    const values = fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(values, fc.float({ min: 0, max: 1, noNaN: true }), (predictions, other) => {
        const changed = [other, ...predictions.slice(1)];
        expect(siblingMeans(changed)[0]).toBeCloseTo(siblingMeans(predictions)[0]!, 5);
      }),
    );
  });

  it('leaves a rollout without a sibling out, and refuses rollouts without a prediction', () => {
    const inputs = { prompts: [{ id: 'a' }, { id: 'b' }], budget: 0 };
    const { state } = poise.next(poise.start(inputs, Rng.from(0)), []);
    const one = { prompt: 0, rewards: [1], successes: [true], predictions: [0.5] };
    expect(poise.next(state, [one]).requests).toMatchObject([{ action: 'drop', count: 1 }]);
    const bare = { prompt: 0, rewards: [1], successes: [true] };
    expect(() => poise.next(state, [bare])).toThrow(/the value predicted for each rollout/u);
  });
});
