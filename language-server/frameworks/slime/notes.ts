import type { KeyNote } from '../../config/schema';

/** Meanings in our words. Source: slime/utils/arguments.py at 624b824a. */
export const SLIME_NOTES: Readonly<Record<string, KeyNote>> = {
  'rollout-batch-size': { unit: 'prompts', meaning: 'Prompts of one rollout step.' },
  'n-samples-per-prompt': { unit: 'rollouts', meaning: 'Rollouts of each prompt.' },
  'global-batch-size': { unit: 'rollouts', meaning: 'Rollouts of one optimizer step.' },
  'over-sampling-batch-size': {
    unit: 'prompts',
    meaning: 'Prompts that each wave of generation takes. A filter that drops groups asks for whole waves.',
  },
  'rollout-max-response-len': { unit: 'tokens', meaning: 'Longest answer.' },
};
