import type { Config } from '../../../config/config';

/** Names of verl's keys that the rules share. */
export const BATCH = 'data.train_batch_size';
export const GROUP = 'actor_rollout_ref.rollout.n';
export const MINI = 'actor_rollout_ref.actor.ppo_mini_batch_size';
export const MICRO = 'actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu';
export const GPUS = 'trainer.n_gpus_per_node';
export const NODES = 'trainer.nnodes';
export const ESTIMATOR = 'algorithm.adv_estimator';

/** All training GPUs. */
export function gpuCount(config: Config): number | undefined {
  const gpus = config.count(GPUS);
  const nodes = config.count(NODES);
  return gpus === undefined || nodes === undefined ? undefined : gpus * nodes;
}

/** Whether the actor is trained with Megatron; undefined: not known. */
export function isMegatron(config: Config): boolean | undefined {
  if (config.isSet('model_engine')) return config.text('model_engine') === 'megatron' ? true : undefined;
  const strategy = config.text('actor_rollout_ref.actor.strategy');
  if (strategy !== undefined && config.isSet('actor_rollout_ref.actor.strategy'))
    return strategy === 'megatron';
  if (
    config.hasSection('actor_rollout_ref.actor.megatron') ||
    config.hasSection('actor_rollout_ref.ref.megatron')
  )
    return true;
  return config.model.isWhole ? false : undefined;
}

/** Whether micro-batches are cut by tokens; undefined: not known. */
export function isDynamic(config: Config): boolean | undefined {
  return config.flag('actor_rollout_ref.actor.use_dynamic_bsz');
}

/** Fully asynchronous and one-step-off programs have other batch rules. */
export function isStepwise(config: Config): boolean {
  return !/fully_async|one_step_off|separate/.test(config.model.program) && config.number(BATCH) !== 0;
}
