/**
 * What other frameworks and other trainers call a key: their name (last part, lower case, underscores) → TRL's.
 * Only names that TRL itself does not use for anything.
 */
export const ELSEWHERE: ReadonlyMap<string, { readonly name: string; readonly from: string }> = new Map([
  ['n', { name: 'num_generations', from: 'verl and vLLM' }],
  ['group_size', { name: 'num_generations', from: 'prime-rl and AReaL' }],
  ['n_samples', { name: 'num_generations', from: 'AReaL' }],
  ['n_samples_per_prompt', { name: 'num_generations', from: 'OpenRLHF, SkyRL and slime' }],
  ['num_generations_per_prompt', { name: 'num_generations', from: 'NeMo RL' }],
  ['num_return_sequences', { name: 'num_generations', from: 'transformers' }],
  ['num_sample_generations', { name: 'num_generations', from: 'older TRL trainers' }],
  ['num_samples', { name: 'num_generations', from: 'other loops' }],
  ['n_generations', { name: 'num_generations', from: 'other loops' }],
  ['entropy_coeff', { name: 'entropy_coef', from: 'verl' }],
  ['kl_coef', { name: 'beta', from: 'verl and OpenRLHF' }],
  ['kl_loss_coef', { name: 'beta', from: 'verl' }],
  ['clip_ratio', { name: 'epsilon', from: 'verl' }],
  ['clip_ratio_low', { name: 'epsilon', from: 'verl' }],
  ['clip_ratio_high', { name: 'epsilon_high', from: 'verl' }],
  ['epsilon_low', { name: 'epsilon', from: 'DAPO' }],
  ['eps', { name: 'epsilon', from: 'other loops' }],
  ['lr', { name: 'learning_rate', from: 'other loops' }],
  ['epochs', { name: 'num_train_epochs', from: 'other loops' }],
  ['num_epochs', { name: 'num_train_epochs', from: 'other loops' }],
  ['model', { name: 'model_name_or_path', from: 'other loops' }],
  ['model_name', { name: 'model_name_or_path', from: 'other loops' }],
  ['model_id', { name: 'model_name_or_path', from: 'other loops' }],
  ['dataset', { name: 'dataset_name', from: 'other loops' }],
  ['reward_functions', { name: 'reward_funcs', from: 'other loops' }],
  ['max_new_tokens', { name: 'max_completion_length', from: 'transformers' }],
  ['max_response_length', { name: 'max_completion_length', from: 'verl' }],
  ['per_device_batch_size', { name: 'per_device_train_batch_size', from: 'other loops' }],
  ['micro_batch_size', { name: 'per_device_train_batch_size', from: 'other loops' }],
  ['beta1', { name: 'adam_beta1', from: 'other loops' }],
  ['beta2', { name: 'adam_beta2', from: 'other loops' }],
  ['tensor_parallel_size', { name: 'vllm_tensor_parallel_size', from: 'vLLM' }],
  ['gpu_memory_utilization', { name: 'vllm_gpu_memory_utilization', from: 'vLLM' }],
]);

/** How other frameworks name the idea behind a TRL key, for people who come from there. */
export const NAMES_ELSEWHERE: Readonly<Record<string, string>> = {
  num_generations:
    'verl rollout.n · OpenRLHF rollout.n_samples_per_prompt · SkyRL generator.n_samples_per_prompt · AReaL ' +
    'gconfig.n_samples · slime --n-samples-per-prompt · ROLL num_return_sequences_in_group · NeMo RL ' +
    'grpo.num_generations_per_prompt · prime-rl orchestrator.group_size',
  generation_batch_size:
    'counted in prompts elsewhere: verl data.train_batch_size · OpenRLHF rollout.batch_size · SkyRL ' +
    'trainer.train_batch_size · slime --rollout-batch-size · ROLL rollout_batch_size · NeMo RL grpo.num_prompts_per_step',
};
