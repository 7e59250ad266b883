import type { KeyNote } from '../../config/schema';

/** Meanings in our words. Source: skyrl/train/config/config.py at a9564572. */
export const SKYRL_NOTES: Readonly<Record<string, KeyNote>> = {
  'trainer.train_batch_size': { unit: 'prompts', meaning: 'Prompts of one step.' },
  'trainer.policy_mini_batch_size': { unit: 'prompts', meaning: 'Prompts of one optimizer step.' },
  'trainer.micro_train_batch_size_per_gpu': {
    unit: 'rollouts',
    meaning: 'Rollouts of one forward pass on one GPU.',
  },
  'generator.n_samples_per_prompt': { unit: 'rollouts', meaning: 'Rollouts of each prompt.' },
  'generator.sampling_params.max_generate_length': { unit: 'tokens', meaning: 'Longest answer of one turn.' },
};
