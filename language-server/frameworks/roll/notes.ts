import type { KeyNote } from '../../config/schema';

/** Meanings in our words. Source: alibaba/ROLL at 8eb27cc2. */
export const ROLL_NOTES: Readonly<Record<string, KeyNote>> = {
  rollout_batch_size: { unit: 'prompts', meaning: 'Prompts of one step.' },
  num_return_sequences_in_group: { unit: 'rollouts', meaning: 'Rollouts of each prompt.' },
  prompt_length: { unit: 'tokens', meaning: 'Longest prompt.' },
  response_length: { unit: 'tokens', meaning: 'Longest answer.' },
  use_additional_prompts: { use: 'is_use_additional_prompts' },
};
