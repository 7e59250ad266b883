import { describe, expect, it } from 'vitest';
import { Refusal } from '../refusal';
import { checkOutcome, checkOutcomes, NONE_FINISHED, withFinished } from './outcomes';
import { outcomeOf } from './runToEnd';

describe('finished rollouts', () => {
  const first = outcomeOf(0, [
    { reward: 1, answer: 'A', tokens: 10 },
    { reward: 0, answer: 'B', tokens: 12 },
  ]);

  it('are appended in launch order, with the columns that the rule reads', () => {
    const kept = ['successes', 'answers'] as const;
    const once = withFinished(NONE_FINISHED, first, kept);
    const twice = withFinished(once, outcomeOf(0, [{ reward: 0.5, answer: 'C', tokens: 3 }]), kept);
    expect(twice).toEqual({
      rewards: [1, 0, 0.5],
      successes: [true, false, false],
      answers: ['A', 'B', 'C'],
      tokens: [],
      endings: [],
      predictions: [],
    });
    expect(withFinished(once, { prompt: 0, rewards: [], successes: [] }, kept)).toEqual(once);
    expect(withFinished(NONE_FINISHED, first, []).answers).toEqual([]);
  });

  it('are refused where a column is filled for some only, or a number cannot be counted', () => {
    const once = withFinished(NONE_FINISHED, first, ['answers']);
    const bare = { prompt: 0, rewards: [1], successes: [true] };
    expect(() => withFinished(once, bare, ['answers'])).toThrow(
      /Only 2 of 3 rollouts of prompt 0 say the final answer/u,
    );
    expect(() => checkOutcome({ prompt: 0, rewards: [1, 0], successes: [true] })).toThrow(
      /Only 1 of 2 rollouts/u,
    );
    for (const result of [
      { reward: Infinity },
      { reward: 1, tokens: -1 },
      { reward: 1, tokens: Number.NaN },
      { reward: 1, prediction: Number.NaN },
    ]) {
      expect(() => checkOutcome(outcomeOf(0, [result]))).toThrow(Refusal);
    }
    expect(() => checkOutcome(first)).not.toThrow();
  });

  it('must have what the rule needs of each, or the rule says which prompts lack it', () => {
    const known = withFinished(NONE_FINISHED, first, ['answers']);
    const bare = withFinished(NONE_FINISHED, { prompt: 1, rewards: [1], successes: [] }, ['answers']);
    expect(() => checkOutcomes(['answers'], [known, NONE_FINISHED])).not.toThrow();
    expect(() => checkOutcomes(['answers'], [known, bare])).toThrow(/1 of 2 prompts/u);
    expect(() => checkOutcomes(['rewards'], [known, bare])).not.toThrow();
  });
});
