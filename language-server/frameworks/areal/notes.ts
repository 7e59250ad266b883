import type { KeyNote } from '../../config/schema';

/** Meanings in our words. Source: areal/api/cli_args.py at cbff54d6. */
export const AREAL_NOTES: Readonly<Record<string, KeyNote>> = {
  'gconfig.n_samples': { unit: 'rollouts', meaning: 'Rollouts of each prompt.' },
  'train_dataset.batch_size': { unit: 'prompts', meaning: 'Prompts of one step.' },
  'actor.reward_norm.group_size': {
    unit: 'rollouts',
    meaning: 'Rollouts that rewards are compared in. Write `${gconfig.n_samples}`, so that it follows.',
  },
  'rollout.max_head_offpolicyness': {
    unit: 'steps',
    meaning: 'Policy versions that a rollout may be behind.',
  },
  'actor.behav_imp_weight_cap': { instead: 'Use actor.rejection_sampling.' },
  'actor.behave_imp_weight_cap': { instead: 'Use actor.rejection_sampling.' },
  'actor.behave_imp_weight_mode': { instead: 'Use actor.rejection_sampling.' },
};
