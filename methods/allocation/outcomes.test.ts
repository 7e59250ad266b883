import { describe, expect, it } from 'vitest';
import { Refusal } from '../refusal';
import { checkOutcomes, NONE_FINISHED, withFinished } from './outcomes';
import { outcomeOf } from './runToEnd';

describe('finished rollouts', () => {
  const first = outcomeOf(0, [
    { reward: 1, answer: 'A', tokens: 10 },
    { reward: 0, answer: 'B', tokens: 12 },
  ]);

  it('are appended in launch order, column by column', () => {
    const once = withFinished(NONE_FINISHED, first);
    const twice = withFinished(once, outcomeOf(0, [{ reward: 0.5, answer: 'C', tokens: 3 }]));
    expect(twice).toEqual({
      rewards: [1, 0, 0.5],
      successes: [true, false, false],
      answers: ['A', 'B', 'C'],
      tokens: [10, 12, 3],
      endings: [],
      predictions: [],
    });
    expect(withFinished(once, { prompt: 0, rewards: [], successes: [] })).toEqual(once);
  });

  it('are refused where a column is filled for some only, or a number cannot be counted', () => {
    const once = withFinished(NONE_FINISHED, first);
    expect(() => withFinished(once, { prompt: 0, rewards: [1], successes: [true] })).toThrow(
      /Only 2 of 3 rollouts of prompt 0 say the final answer/u,
    );
    expect(() => withFinished(once, outcomeOf(0, [{ reward: Infinity, answer: 'A', tokens: 1 }]))).toThrow(
      Refusal,
    );
    expect(() => withFinished(once, outcomeOf(0, [{ reward: 1, answer: 'A', tokens: -1 }]))).toThrow(Refusal);
    expect(() => withFinished(NONE_FINISHED, outcomeOf(0, [{ reward: 1, prediction: Number.NaN }]))).toThrow(
      Refusal,
    );
  });

  it('must have what the rule needs of each, or the rule says which prompts lack it', () => {
    const known = withFinished(NONE_FINISHED, first);
    const bare = withFinished(NONE_FINISHED, { prompt: 1, rewards: [1], successes: [] });
    expect(() => checkOutcomes(['answers'], [known, NONE_FINISHED])).not.toThrow();
    expect(() => checkOutcomes(['answers'], [known, bare])).toThrow(/1 of 2 prompts/u);
    expect(() => checkOutcomes(['rewards'], [known, bare])).not.toThrow();
  });
});
