import type { KeyNote } from '../../config/schema';

/** Meanings in our words, and the dotted names that took the place of the flat ones. Source: OpenRLHF at ed62d0e2. */
export const OPENRLHF_NOTES: Readonly<Record<string, KeyNote>> = {
  'rollout.batch_size': { unit: 'prompts', meaning: 'Prompts of one step.' },
  'rollout.n_samples_per_prompt': { unit: 'rollouts', meaning: 'Rollouts of each prompt.' },
  'train.batch_size': { unit: 'rollouts', meaning: 'Rollouts of one optimizer step.' },
  'rollout.max_new_tokens': { unit: 'tokens', meaning: 'Longest answer.' },
  rollout_batch_size: { use: 'rollout.batch_size' },
  n_samples_per_prompt: { use: 'rollout.n_samples_per_prompt' },
  train_batch_size: { use: 'train.batch_size' },
  micro_train_batch_size: { use: 'train.micro_batch_size' },
  micro_rollout_batch_size: { use: 'rollout.micro_batch_size' },
  dynamic_filtering: { use: 'algo.dynamic_filtering_enable' },
  dynamic_filtering_reward_range: { use: 'algo.dynamic_filtering_range' },
  advantage_estimator: { use: 'algo.advantage.estimator' },
  vllm_generate_batch_size: { use: 'rollout.vllm_generate_batch_size' },
  eval_n_samples_per_prompt: { use: 'eval.n_samples_per_prompt' },
};
