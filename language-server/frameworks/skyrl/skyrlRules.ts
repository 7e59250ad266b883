import type { Config } from '../../config/config';
import { nearestWords, proposeNearest } from '../../config/rule';
import type { Rule } from '../../config/rule';
import { gcd } from '../../config/shared';

const BATCH = 'trainer.train_batch_size';
const MINI = 'trainer.policy_mini_batch_size';
const GROUP = 'generator.n_samples_per_prompt';
const MICRO = 'trainer.micro_train_batch_size_per_gpu';
const PLACEMENT = 'trainer.placement';

/** Data-parallel workers of the policy; undefined: not known, or trained with Megatron. */
function policyWorkers(config: Config): number | undefined {
  if (config.text('trainer.strategy') === 'megatron' || config.entry('trainer.strategy')?.value === null)
    return undefined;
  const nodes = config.count(`${PLACEMENT}.policy_num_nodes`);
  const gpus = config.count(`${PLACEMENT}.policy_num_gpus_per_node`);
  const sequence = config.count('trainer.policy.sequence_parallel_size') ?? 1;
  if (nodes === undefined || gpus === undefined || (nodes * gpus) % sequence !== 0) return undefined;
  return (nodes * gpus) / sequence;
}

/** Source of all: skyrl/train/utils/utils.py validate_batch_sizes, validate_cfg at a9564572. */
export const SKYRL_RULES: readonly Rule[] = [
  {
    id: 'S1',
    check(config) {
      const [batch, mini] = [config.count(BATCH), config.count(MINI)];
      if (batch === undefined || mini === undefined) return undefined;
      const isFully = config.flag('trainer.fully_async.enabled') === true;
      if (batch >= mini && batch % mini === 0 && !(isFully && batch !== mini)) return undefined;
      const isValid = (value: number): boolean => (isFully ? value === batch : batch % value === 0);
      return {
        severity: 'error',
        message: isFully
          ? `Fully asynchronous training needs ${BATCH} ${batch} equal to ${MINI} ${mini}.`
          : `${BATCH} ${batch} must be a multiple of ${MINI} ${mini}${nearestWords(mini, isValid)}; both count prompts. SkyRL refuses it.`,
        about: [MINI, BATCH],
        proposals: proposeNearest(config, MINI, isValid),
      };
    },
  },
  {
    id: 'S3',
    check(config) {
      const [mini, group, micro] = [config.count(MINI), config.count(GROUP), config.count(MICRO)];
      const workers = policyWorkers(config);
      if (mini === undefined || group === undefined || micro === undefined || workers === undefined)
        return undefined;
      const share = Math.floor((mini * group) / workers);
      if (share > 0 && share % micro === 0) return undefined;
      const isValid = (value: number): boolean => share > 0 && share % value === 0;
      return {
        severity: 'error',
        message: `${mini} prompts × ${group} rollouts // ${workers} workers = ${share}, not divisible by ${MICRO} ${micro}${nearestWords(micro, isValid)}. SkyRL stops with an assertion.`,
        about: [MICRO, MINI, GROUP],
        proposals: proposeNearest(config, MICRO, isValid),
      };
    },
  },
  {
    id: 'S6',
    check(config) {
      const [batch, group] = [config.count(BATCH), config.count(GROUP)];
      const workers = policyWorkers(config);
      if (batch === undefined || group === undefined || workers === undefined) return undefined;
      const stride = workers / gcd(workers, group);
      if (batch % stride === 0) return undefined;
      return {
        severity: batch < stride ? 'error' : 'warning',
        message:
          batch < stride
            ? `${batch} prompts × ${group} rollouts cannot be shared by ${workers} workers: at least ${stride} prompts are needed.`
            : `Only multiples of ${stride} prompts can be shared by ${workers} workers at ${group} rollouts each: ${batch % stride} of ${batch} prompts are dropped every step without a word.`,
        about: [BATCH, GROUP],
        proposals: proposeNearest(config, BATCH, (value) => value % stride === 0),
      };
    },
  },
  {
    id: 'S9',
    check(config) {
      if (
        config.flag('trainer.algorithm.use_kl_in_reward') !== true ||
        config.flag('trainer.algorithm.use_kl_loss') !== true
      )
        return undefined;
      return {
        severity: 'error',
        message: 'use_kl_in_reward and use_kl_loss exclude each other; switch one off.',
        about: ['trainer.algorithm.use_kl_in_reward', 'trainer.algorithm.use_kl_loss'],
      };
    },
  },
  {
    id: 'S14',
    check(config) {
      if (config.flag('trainer.fully_async.enabled') !== true) return undefined;
      const kind = config.text('trainer.algorithm.dynamic_sampling.type');
      if (kind === undefined) return undefined;
      return {
        severity: 'error',
        message: `Fully asynchronous training takes no dynamic sampling; dynamic_sampling.type is ${kind}. Set it to null.`,
        about: ['trainer.algorithm.dynamic_sampling.type'],
        proposals: [{ key: 'trainer.algorithm.dynamic_sampling.type', value: 'null' }],
      };
    },
  },
  {
    id: 'S15',
    check(config) {
      const kind = config.text('trainer.algorithm.dynamic_sampling.type');
      const most = config.count('trainer.algorithm.dynamic_sampling.max_sample_batches');
      if (kind !== 'filter' || most === undefined) return undefined;
      return {
        severity: 'information',
        message: `After ${most} batches without enough groups of unequal rewards the run ends with an error.`,
        about: ['trainer.algorithm.dynamic_sampling.type'],
      };
    },
  },
];
