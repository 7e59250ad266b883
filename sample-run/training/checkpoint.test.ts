import { describe, expect, it } from 'vitest';
import { Rng } from '../../methods/random';
import { initialParameters } from '../policy/policyParameters';
import { TRAIN_TASKS } from '../tasks/taskSet';
import { VOCABULARY_SIZE } from '../tasks/vocabulary';
import { loadCheckpoint, saveCheckpoint } from './checkpoint';
import { GRPO_DEFAULTS, GrpoTrainer } from './grpoTrainer';
import { sampleRollouts } from './samplePrompts';

const SHAPE = { vocabulary: VOCABULARY_SIZE, hidden: 8, query: 4, positions: 6 };
const SEED = 3;

function step(trainer: GrpoTrainer, number: number): void {
  const requests = Array.from({ length: 10 }, (_, i) => ({
    prompt: TRAIN_TASKS[(number + i) % 96]!.tokens,
    key: `${number}/${i}`,
  }));
  const rollouts = sampleRollouts(trainer.parameters, trainer.seed, requests);
  trainer.update(
    rollouts.map((rollout, i) => ({ ...rollout, advantages: i % 3 === 0 ? 1 : -0.5, temperature: 1 })),
  );
}

const start = () =>
  new GrpoTrainer(initialParameters(SHAPE, Rng.from(1).fork('start')), SEED, {
    ...GRPO_DEFAULTS,
    normaliser: 'rollouts',
    learningRate: 3e-3,
  });

describe('checkpoint', () => {
  it('lets a killed run go on exactly as the one that was not killed', () => {
    const whole = start();
    const killed = start();
    for (let i = 1; i <= 3; i++) {
      step(whole, i);
      step(killed, i);
    }
    const { trainer, extra } = loadCheckpoint(saveCheckpoint(killed, { step: 3, plan: ['add-1000'] }));
    expect(extra).toEqual({ step: 3, plan: ['add-1000'] });
    expect(trainer.options).toEqual(whole.options);
    for (let i = 4; i <= 6; i++) {
      step(whole, i);
      step(trainer, i);
    }
    expect(trainer.parameters.values).toEqual(whole.parameters.values);
    expect(trainer.adam.first).toEqual(whole.adam.first);
    expect(trainer.adam.second).toEqual(whole.adam.second);
    expect(trainer.updates).toBe(6);
    expect(trainer.adam.updates).toBe(whole.adam.updates);
    expect(saveCheckpoint(trainer, null)).toEqual(saveCheckpoint(whole, null));
  });

  it('refuses a file that was cut off while it was written', () => {
    const bytes = saveCheckpoint(start(), null);
    for (const length of [0, 3, 7, 40, bytes.length - 1]) {
      expect(() => loadCheckpoint(bytes.subarray(0, length))).toThrow(/not a usable checkpoint/);
    }
  });
});
