import { proposeNearest, nearestWords } from '../../../config/rule';
import type { Rule } from '../../../config/rule';
import {
  BATCH,
  GPUS,
  GROUP,
  MICRO,
  MINI,
  NODES,
  gpuCount,
  isDynamic,
  isMegatron,
  isStepwise,
} from './quantities';

/** Source of all: verl/utils/config.py validate_config, verl/workers/config/actor.py at 1dda039b. */
export const BATCH_RULES: readonly Rule[] = [
  {
    id: 'V1',
    check(config) {
      const prompts = config.count(BATCH);
      const group = config.count(GROUP);
      const gpus = gpuCount(config);
      if (prompts === undefined || group === undefined || gpus === undefined) return undefined;
      if (!isStepwise(config) || isMegatron(config) !== false || isDynamic(config) !== false)
        return undefined;
      if ((prompts * group) % gpus === 0) return undefined;
      const isValid = (value: number): boolean => (value * group) % gpus === 0;
      return {
        severity: 'error',
        message:
          `${prompts} prompts × ${group} rollouts = ${prompts * group} is not divisible by ${gpus} GPUs` +
          `${nearestWords(prompts, isValid)} for ${BATCH}. verl refuses the config.`,
        about: [BATCH, GROUP, GPUS, NODES],
        proposals: proposeNearest(config, BATCH, isValid),
      };
    },
  },
  {
    id: 'V2',
    check(config) {
      const gpus = gpuCount(config);
      if (gpus === undefined || isMegatron(config) !== true || !isStepwise(config)) return undefined;
      const section = 'actor_rollout_ref.actor.megatron';
      const sizes = ['tensor', 'pipeline'].map((kind) =>
        config.count(`${section}.${kind}_model_parallel_size`),
      );
      sizes.push(config.count(`${section}.context_parallel_size`));
      const [tensor, pipeline, context] = sizes;
      if (tensor === undefined || pipeline === undefined || context === undefined) return undefined;
      const size = tensor * pipeline * context;
      if (gpus % size === 0) return undefined;
      return {
        severity: 'error',
        message: `${gpus} GPUs are not divisible by tensor ${tensor} × pipeline ${pipeline} × context ${context} = ${size}. verl refuses the config.`,
        about: [GPUS, NODES, `${section}.tensor_model_parallel_size`],
      };
    },
  },
  {
    id: 'V3',
    check(config) {
      const prompts = config.count(BATCH);
      const mini = config.count(MINI);
      if (
        prompts === undefined ||
        mini === undefined ||
        !isStepwise(config) ||
        isDynamic(config) === undefined
      )
        return undefined;
      if (prompts < mini && isDynamic(config) === false) {
        return {
          severity: 'error',
          message: `${MINI} ${mini} is larger than ${BATCH} ${prompts}; both count prompts. verl refuses the config. Set it to ${prompts} or less.`,
          about: [MINI, BATCH],
          proposals: [{ key: MINI, value: String(prompts) }],
        };
      }
      if (prompts % mini === 0 || prompts < mini) return undefined;
      return {
        severity: 'warning',
        message: `${prompts} prompts a step are not divisible by ${MINI} ${mini}${nearestWords(mini, (value) => prompts % value === 0)}. Nothing checks it: the last update of a step is smaller.`,
        about: [MINI, BATCH],
        proposals: proposeNearest(config, MINI, (value) => prompts % value === 0),
      };
    },
  },
  {
    id: 'V4',
    check(config) {
      if (isDynamic(config) !== false || !isStepwise(config)) return undefined;
      const old = 'actor_rollout_ref.actor.ppo_micro_batch_size';
      const hasOld = config.has(old);
      const hasNew = config.has(MICRO);
      if (hasOld === undefined || hasNew === undefined || hasOld !== hasNew) return undefined;
      return {
        severity: 'error',
        message: hasOld
          ? `Both ${old} and ${MICRO} are set; verl takes one. Keep the one per GPU.`
          : `Neither ${MICRO} nor use_dynamic_bsz is set; verl refuses the config. Set one of them.`,
        about: hasOld ? [old, MICRO] : [],
      };
    },
  },
  {
    id: 'V6',
    check(config) {
      const mini = config.count(MINI);
      const group = config.count(GROUP);
      const micro = config.count(MICRO);
      const gpus = gpuCount(config);
      const sequence = config.count('actor_rollout_ref.actor.ulysses_sequence_parallel_size') ?? 1;
      if (mini === undefined || group === undefined || micro === undefined || gpus === undefined)
        return undefined;
      if (isDynamic(config) !== false || isMegatron(config) !== false || gpus % sequence !== 0)
        return undefined;
      const share = Math.floor((mini * group) / (gpus / sequence));
      if (share > 0 && share % micro === 0) return undefined;
      const isValid = (value: number): boolean => share > 0 && share % value === 0;
      const sum = `${mini} prompts × ${group} rollouts over ${gpus / sequence} workers = ${share} rollouts each`;
      return {
        severity: 'error',
        message:
          share < micro
            ? `${sum}, fewer than ${MICRO} ${micro}: gradient accumulation becomes 0. The worker stops after Ray and the model have been loaded, or the loss is NaN.`
            : `${sum}, not divisible by ${MICRO} ${micro}${nearestWords(micro, isValid)}. The worker stops after Ray and the model have been loaded.`,
        about: [MICRO, MINI],
        proposals: proposeNearest(config, MICRO, isValid),
      };
    },
  },
  {
    id: 'V9',
    check(config) {
      const key = 'actor_rollout_ref.rollout.tensor_model_parallel_size';
      const gpus = gpuCount(config);
      const parallel = config.count(key);
      if (gpus === undefined || parallel === undefined || gpus % parallel === 0) return undefined;
      const origin = config.isSet(key) ? '' : ', its default,';
      return {
        severity: 'error',
        message: `${gpus} ${gpus === 1 ? 'GPU is' : 'GPUs are'} not divisible by ${key} ${parallel}${origin} so no engine can be placed. Set rollout.tensor_model_parallel_size=${gpus === 1 ? 1 : 'a divisor of the GPUs'}.`,
        about: [key, GPUS, NODES],
        proposals: proposeNearest(config, key, (value) => gpus % value === 0),
      };
    },
  },
];
