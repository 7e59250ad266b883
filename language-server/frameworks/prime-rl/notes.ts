import type { KeyNote } from '../../config/schema';

/** Meanings in our words, and the defaults of sections with several forms. Source: prime-rl at 559b4477. */
export const PRIME_NOTES: Readonly<Record<string, KeyNote>> = {
  'orchestrator.batch_size': {
    unit: 'rollouts',
    meaning: 'Rollouts of one step; 128 where nothing is said.',
  },
  'orchestrator.token_batch_size': {
    unit: 'tokens',
    meaning: 'Tokens of one step, in place of `batch_size`.',
  },
  'orchestrator.group_size': {
    unit: 'rollouts',
    meaning: 'Rollouts of each prompt. The default is 1, with which group-relative algorithms learn nothing.',
  },
  'orchestrator.rollouts_per_example': { use: 'orchestrator.group_size' },
  'orchestrator.algo.type': { default: 'grpo', meaning: 'How advantages are computed.' },
  'orchestrator.max_off_policy_steps': {
    unit: 'steps',
    meaning: 'Policy versions that a rollout may be behind.',
  },
  'orchestrator.train.sampling.max_completion_tokens': { unit: 'tokens', meaning: 'Longest answer.' },
};
