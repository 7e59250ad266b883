import type { KeyNote } from '../../config/schema';

/** Meanings in our words; the numbers and enums that the flattened YAML does not tell. Source: verl at 1dda039b. */
export const VERL_NOTES: Readonly<Record<string, KeyNote>> = {
  'data.train_batch_size': {
    unit: 'prompts',
    meaning: 'Prompts of one step; each gets `rollout.n` rollouts. Not the number of samples of an update.',
  },
  'data.gen_batch_size': {
    unit: 'prompts',
    meaning: 'Prompts generated at a time, where groups are filtered.',
  },
  'data.max_prompt_length': { unit: 'tokens', meaning: 'Longest prompt; longer ones are cut or refused.' },
  'data.max_response_length': {
    unit: 'tokens',
    meaning: 'Longest answer. In a loop with tools, the whole trajectory.',
  },
  'actor_rollout_ref.rollout.n': {
    unit: 'rollouts',
    meaning: 'Rollouts of each prompt: the group that advantages are compared in.',
  },
  'actor_rollout_ref.rollout.mode': {
    choices: ['async'],
    meaning: 'How the engine is driven.',
  },
  'actor_rollout_ref.rollout.tensor_model_parallel_size': {
    unit: 'GPUs',
    meaning: 'GPUs that share one engine. The default is 2, so a run on one GPU must set it to 1.',
  },
  'actor_rollout_ref.rollout.val_kwargs.n': {
    unit: 'rollouts',
    meaning: 'Rollouts of each prompt in validation. More than one says something only when sampling is on.',
  },
  'actor_rollout_ref.rollout.max_model_len': {
    unit: 'tokens',
    meaning: 'Longest prompt and answer together that the engine takes.',
  },
  'actor_rollout_ref.actor.ppo_mini_batch_size': {
    unit: 'prompts',
    meaning: 'Prompts of one optimizer step; times `rollout.n` gives the rollouts.',
  },
  'actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu': {
    unit: 'rollouts',
    meaning: 'Rollouts of one forward pass on one GPU.',
  },
  'actor_rollout_ref.actor.loss_agg_mode': {
    choices: [
      'token-mean',
      'token-sum',
      'seq-mean-token-sum',
      'seq-mean-token-mean',
      'seq-mean-token-sum-norm',
    ],
    meaning: 'How the loss of tokens becomes one number.',
  },
  'algorithm.adv_estimator': {
    meaning: 'How advantages are computed. Group-relative ones need `rollout.n` above 1.',
  },
  'algorithm.filter_groups.enable': {
    meaning: 'Whether groups whose rewards are all equal are dropped and others generated in their place.',
  },
  'trainer.n_gpus_per_node': { unit: 'GPUs', meaning: 'GPUs used on each node.' },
  'actor_rollout_ref.actor.fsdp_config.grad_offload': {
    instead: 'FSDP has no gradient offload any more; `param_offload` and `optimizer_offload` are left.',
  },
  'actor_rollout_ref.ref.fsdp_config.grad_offload': { instead: 'FSDP has no gradient offload any more.' },
  'critic.model.fsdp_config.grad_offload': { instead: 'FSDP has no gradient offload any more.' },
  'actor_rollout_ref.rollout.single_turn_response_length': { use: 'data.max_response_length' },
};
