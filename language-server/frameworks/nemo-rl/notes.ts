import type { KeyNote } from '../../config/schema';

/** Meanings in our words. Source: NVIDIA-NeMo/RL at 7ea279ab. */
export const NEMO_NOTES: Readonly<Record<string, KeyNote>> = {
  'grpo.num_prompts_per_step': { unit: 'prompts', meaning: 'Prompts of one step.' },
  'grpo.num_generations_per_prompt': { unit: 'rollouts', meaning: 'Rollouts of each prompt.' },
  'policy.train_global_batch_size': { unit: 'rollouts', meaning: 'Rollouts of one optimizer step.' },
  'policy.max_total_sequence_length': { unit: 'tokens', meaning: 'Longest prompt and answer together.' },
  'grpo.max_val_samples': { unit: 'prompts', meaning: 'Prompts of one validation.' },
};
