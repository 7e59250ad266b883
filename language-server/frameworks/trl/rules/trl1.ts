import { refused } from './rule';
import type { BatchRule } from './rule';

/** TRL1: generation_batch_size and steps_per_generation exclude each other. Source: GRPOConfig.__post_init__. */
export const trl1: BatchRule = {
  id: 'TRL1',
  check(batch) {
    const { generationBatch, stepsPerGeneration } = batch;
    if (generationBatch === null || stepsPerGeneration === null) return undefined;
    if (generationBatch === undefined || stepsPerGeneration === undefined || batch.roundIsOnePass)
      return undefined;
    return refused(
      `generation_batch_size (${generationBatch} rollouts) and steps_per_generation (${stepsPerGeneration} forward ` +
        'passes) are both set. TRL takes one and derives the other, and refuses both. Remove one of them.',
      'generationBatch',
      'stepsPerGeneration',
    );
  },
};
