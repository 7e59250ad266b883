import { nearestWords, proposeNearest } from '../../config/rule';
import type { Rule } from '../../config/rule';

const PROMPTS = 'grpo.num_prompts_per_step';
const GROUP = 'grpo.num_generations_per_prompt';
const GLOBAL = 'policy.train_global_batch_size';

/** Source of all: nemo_rl/algorithms/grpo.py, nemo_rl/distributed/batched_data_dict.py at 7ea279ab. */
export const NEMO_RULES: readonly Rule[] = [
  {
    id: 'N1',
    check(config) {
      const multiplier = config.number('grpo.batch_multiplier');
      if (multiplier === undefined || multiplier === 1 || config.flag('grpo.use_dynamic_sampling') !== false)
        return undefined;
      return {
        severity: 'warning',
        message: `grpo.batch_multiplier ${multiplier} needs grpo.use_dynamic_sampling; the GRPO trainer refuses it without.`,
        about: ['grpo.batch_multiplier', 'grpo.use_dynamic_sampling'],
      };
    },
  },
  {
    id: 'N2',
    check(config) {
      const key = 'grpo.dynamic_sampling_max_gen_batches';
      const most = config.number(key);
      if (config.flag('grpo.use_dynamic_sampling') !== true || most === undefined) return undefined;
      if (most <= 0)
        return { severity: 'error', message: `${key} must be above 0; it is ${most}.`, about: [key] };
      return {
        severity: 'information',
        message: `After ${most} batches without enough groups of unequal rewards the run ends with an error.`,
        about: [key, 'grpo.use_dynamic_sampling'],
      };
    },
  },
  {
    id: 'N4',
    check(config) {
      const [prompts, group, global] = [config.count(PROMPTS), config.count(GROUP), config.count(GLOBAL)];
      if (prompts === undefined || group === undefined || global === undefined) return undefined;
      const total = prompts * group;
      const mustBeEqual = config.flag('loss_fn.force_on_policy_ratio') === true;
      if (mustBeEqual ? total === global : total % global === 0) return undefined;
      const isValid = (value: number): boolean => (mustBeEqual ? value === total : total % value === 0);
      const end = mustBeEqual
        ? 'must equal it, because of loss_fn.force_on_policy_ratio'
        : 'does not divide it';
      return {
        severity: 'error',
        message: `${prompts} prompts × ${group} rollouts = ${total}; ${GLOBAL} ${global} ${end}${nearestWords(global, isValid)}. ${mustBeEqual ? 'NeMo RL refuses it.' : 'It fails after the first generation.'}`,
        about: [GLOBAL, PROMPTS, GROUP],
        proposals: proposeNearest(config, GLOBAL, isValid),
      };
    },
  },
  {
    id: 'N6',
    check(config) {
      const key = 'loss_fn.use_importance_sampling_correction';
      if (config.flag('grpo.async_grpo.enabled') !== true || config.flag(key) !== false) return undefined;
      return {
        severity: 'error',
        message: `grpo.async_grpo.enabled needs ${key}: the rollouts come from older policies.`,
        about: [key, 'grpo.async_grpo.enabled'],
        proposals: [{ key, value: 'true' }],
      };
    },
  },
  {
    id: 'N7',
    check(config) {
      const metric = config.text('grpo.stop_at_validation_metric');
      if (metric === undefined || config.has('grpo.stop_at_validation_threshold') !== false) return undefined;
      return {
        severity: 'error',
        message: `grpo.stop_at_validation_metric ${metric} needs grpo.stop_at_validation_threshold.`,
        about: ['grpo.stop_at_validation_metric'],
      };
    },
  },
  {
    id: 'N8',
    check(config) {
      const penalty = config.number('loss_fn.reference_policy_kl_penalty');
      if (config.flag('grpo.skip_reference_policy_logprobs_calculation') !== true) return undefined;
      if (penalty === undefined || penalty === 0) return undefined;
      return {
        severity: 'error',
        message: `Without the reference policy's log-probabilities the KL penalty must be 0; it is ${penalty}.`,
        about: ['loss_fn.reference_policy_kl_penalty'],
        proposals: [{ key: 'loss_fn.reference_policy_kl_penalty', value: '0' }],
      };
    },
  },
];
