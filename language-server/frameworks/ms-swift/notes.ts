import type { KeyNote } from '../../config/schema';

/** Meanings in our words. Source: modelscope/ms-swift at 3602360a. */
export const SWIFT_NOTES: Readonly<Record<string, KeyNote>> = {
  num_generations: { unit: 'rollouts', meaning: 'Rollouts of each prompt.' },
  per_device_train_batch_size: { unit: 'rollouts', meaning: 'Rollouts of one forward pass on one GPU.' },
  generation_batch_size: {
    unit: 'rollouts',
    meaning: 'Rollouts made before the next updates, over all processes.',
  },
  max_prompt_length: { instead: 'max_length limits prompt and answer together.' },
};
