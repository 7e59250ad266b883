import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { dots, dotsDraws, dotsLogits, drawByLogits, softmax } from './dots';
import { dotsAfterStep, dotsBuffer, dotsCut, dotsReplayable, dotsReplayCount } from './dotsReplay';
import type { BufferedGroup } from './dotsReplay';

const integers = Type.Array(Type.Integer());
const pair = Type.Tuple([Type.Integer(), Type.Integer()]);
const buffered = ([prompt, successes]: readonly [number, number], step = 1): BufferedGroup => ({
  prompt,
  group: { step, rollouts: 8, successes, meanReward: successes / 8 },
});

describe('DOTS selection', () => {
  const cases = readVectors('allocation/dots_selection', {
    input: Type.Object({ predictions: Type.Array(Type.Number()), round_index: Type.Integer() }),
    params: Type.Object({
      alpha: Type.Number(),
      tau: Type.Number(),
      mu: Type.Integer(),
      train_batch_prompts: Type.Integer(),
      fresh_share_sigma: Type.Number(),
    }),
    output: Type.Object({ probabilities: Type.Array(Type.Number()), selection_budget: Type.Integer() }),
  });

  it('has all vectors', () => expect(cases.length).toBe(31));

  it.each(cases)('$name', ({ input, params, output }) => {
    const found = softmax(dotsLogits(input.predictions, params.alpha, params.tau));
    found.forEach((probability, i) => expect(probability).toBeCloseTo(output.probabilities[i]!, 10));
    const sizes = { batch: params.train_batch_prompts, fresh: params.fresh_share_sigma, steps: params.mu };
    expect(dotsDraws(sizes, input.round_index === 0)).toBe(output.selection_budget);
  });

  it('draws the first prompt with the stated probability, and each prompt once', () => {
    const logits = [0, Math.log(2), Math.log(5)];
    const rng = Rng.from('draws');
    const first = [0, 0, 0];
    for (let i = 0; i < 8000; i++) {
      const drawn = drawByLogits(rng, logits, 3);
      expect(new Set(drawn).size).toBe(3);
      first[drawn[0]!]! += 1;
    }
    softmax(logits).forEach((probability, i) => expect(first[i]! / 8000).toBeCloseTo(probability, 1));
  });
});

describe('DOTS replay', () => {
  const params = Type.Object({
    train_batch_prompts: Type.Integer(),
    fresh_share_sigma: Type.Number(),
    buffer_size_groups: Type.Integer(),
  });
  const selects = readVectors('allocation/dots_replay', {
    input: Type.Object({
      kind: Type.Literal('select'),
      groups_oldest_first: Type.Array(pair),
      permutation_of_remaining: integers,
    }),
    params,
    output: Type.Object({
      remaining_groups: integers,
      replayed_groups: integers,
      buffer_groups: Type.Union([integers, Type.Null()]),
    }),
  });
  const steps = readVectors('allocation/dots_replay', {
    input: Type.Object({
      kind: Type.Literal('step'),
      fresh_groups_by_step: Type.Array(
        Type.Object({ round_index: Type.Integer(), groups: Type.Array(pair) }),
      ),
    }),
    params,
    output: Type.Object({
      by_step: Type.Array(
        Type.Object({
          buffer_groups: integers,
          training_groups: integers,
          permutation_used: Type.Union([integers, Type.Null()]),
        }),
      ),
    }),
  });

  it('has all vectors', () => expect(selects.length + steps.length).toBe(30));

  const sizesOf = (by: (typeof selects)[number]['params']) => ({
    batch: by.train_batch_prompts,
    fresh: by.fresh_share_sigma,
    buffer: by.buffer_size_groups,
  });

  it.each(selects)('$name', ({ input, params: by, output }) => {
    const groups = input.groups_oldest_first.map((group) => buffered(group));
    const place = (group: BufferedGroup): number => groups.indexOf(group);
    const remaining = dotsReplayable(groups);
    expect(remaining.map(place)).toEqual(output.remaining_groups);
    const drawn = input.permutation_of_remaining.slice(0, dotsReplayCount(sizesOf(by))).sort((a, b) => a - b);
    expect(drawn.map((i) => place(remaining[i]!))).toEqual(output.replayed_groups);
    expect(dotsCut(remaining, sizesOf(by)).map(place)).toEqual(output.buffer_groups ?? []);
  });

  it.each(steps)('$name', ({ input, params: by, output }) => {
    const all: BufferedGroup[] = [];
    let buffer: BufferedGroup[] = [];
    input.fresh_groups_by_step.forEach(({ round_index: round, groups }, s) => {
      const fresh = groups.map((group) => buffered(group, s + 1));
      all.push(...fresh);
      const expected = output.by_step[s]!;
      const remaining = dotsReplayable(buffer);
      const replayed =
        round === 0
          ? []
          : (expected.permutation_used ?? [])
              .slice(0, dotsReplayCount(sizesOf(by)))
              .sort((a, b) => a - b)
              .map((i) => remaining[i]!);
      expect([...fresh, ...replayed].map((group) => all.indexOf(group))).toEqual(expected.training_groups);
      buffer = dotsAfterStep(buffer, fresh, sizesOf(by));
      // After round 0 the release appends a fresh batch twice, which its next removal of copies undoes.
      expect([...new Set(expected.buffer_groups)]).toEqual(buffer.map((group) => all.indexOf(group)));
    });
  });
});

describe('DOTS + replay', () => {
  it('gives the worked example: near-greedy around one half, half of the batch replayed', () => {
    const probabilities = softmax(dotsLogits([0.45, 0.5, 0.2, 0.9], 0.5, 1e-3));
    expect(probabilities[0]).toBeCloseTo(2e-22, 22);
    expect(probabilities[1]).toBe(1);
    expect(dotsDraws({ batch: 512, fresh: 0.5, steps: 2 }, false)).toBe(512);
    const prompts = [0.45, 0.5, 0.2, 0.9].map((prediction, i) => ({
      id: String(i),
      prediction,
      history: i < 2 ? [buffered([i, 3], 1).group, buffered([i, 4 * i], 2).group] : [],
    }));
    const { requests, shared } = dots.next(dots.start({ prompts, budget: 32 }, Rng.from(1)), []);
    // Two of the four groups are fresh; of the two in the buffer one has a newest group without a success.
    expect(requests.filter(({ action }) => action === 'launch').map(({ prompt }) => prompt)).toEqual([0, 1]);
    expect(
      requests
        .filter(({ action }) => action === 'replay')
        .map(({ prompt, from, count }) => [prompt, from, count]),
    ).toEqual([[1, 2, 8]]);
    expect(shared).toMatchObject({ fresh: 2, replayed: 1, replayable: 1 });
    expect(requests[1]!.reason).toBe(
      'Predicted success 0.5 lies 0 from 0.5: drawn first with probability 1; among the 2 drawn of 4.',
    );
  });

  it('samples the whole batch anew in the first round', () => {
    const prompts = [0.4, 0.5, 0.6].map((prediction, i) => ({ id: String(i), prediction }));
    const { requests } = dots.next(dots.start({ prompts, budget: 16 }, Rng.from(1)), []);
    expect(requests.filter(({ action }) => action === 'launch')).toHaveLength(2);
  });

  it('never holds more than its size beside the fresh groups, and only the newest of a prompt is replayable', () => {
    const history = fc
      .uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 8 })
      .chain((steps) =>
        fc.tuple(
          ...steps.sort((a, b) => a - b).map((step) => fc.nat(8).map((c) => buffered([0, c], step).group)),
        ),
      );
    fc.assert(
      fc.property(fc.array(history, { minLength: 1, maxLength: 8 }), (histories) => {
        const prompts = histories.map((past, i) => ({ id: String(i), history: past }));
        const sizes = { batch: 4, fresh: 0.5, buffer: 6 };
        const replayable = dotsReplayable(dotsBuffer(prompts, sizes));
        expect(new Set(replayable.map(({ prompt }) => prompt)).size).toBe(replayable.length);
        expect(dotsCut(replayable, sizes).length).toBeLessThanOrEqual(4);
        for (const { prompt, group } of replayable) expect(group).toEqual(histories[prompt]!.at(-1));
      }),
    );
  });
});
