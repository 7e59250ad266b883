import type { Rule } from '../../../config/rule';
import { ESTIMATOR, GROUP } from './quantities';

const GROUP_RELATIVE: ReadonlySet<string> = new Set([
  'grpo',
  'grpo_vectorized',
  'grpo_passk',
  'rloo',
  'rloo_vectorized',
  'opo',
  'gpg',
]);
const FILTER = 'algorithm.filter_groups';
const VAL = 'actor_rollout_ref.rollout.val_kwargs';

/** Source of all: verl at 1dda039b and its tags; see each. */
export const ROLLOUT_RULES: readonly Rule[] = [
  {
    // verl/workers/config/rollout.py
    id: 'V8',
    check(config) {
      const key = 'actor_rollout_ref.rollout.mode';
      if (config.text(key) !== 'sync' || !config.isSet(key) || !config.isSince('0.7')) return undefined;
      return {
        severity: 'error',
        message: 'rollout.mode=sync was removed; verl refuses the config. Use async.',
        about: [key],
        proposals: [{ key, value: 'async' }],
      };
    },
  },
  {
    // verl/trainer/ppo/core_algos.py: with one rollout a group's mean is the rollout itself.
    id: 'V10',
    check(config) {
      const estimator = config.text(ESTIMATOR);
      if (estimator === undefined || !GROUP_RELATIVE.has(estimator) || config.number(GROUP) !== 1)
        return undefined;
      if (config.flag('distillation.enabled') !== false && config.hasSection('distillation'))
        return undefined;
      const effect =
        estimator === 'rloo_vectorized'
          ? 'every advantage is 0 and nothing is learned'
          : 'the advantage is the raw score';
      return {
        severity: 'warning',
        message: `adv_estimator ${estimator} compares the rollouts of a prompt, but rollout.n is 1: ${effect}, and nothing checks it. Set rollout.n to 2 or more.`,
        about: [GROUP, ESTIMATOR],
      };
    },
  },
  {
    // verl/trainer/ppo/v1/trainer_base.py
    id: 'V11',
    check(config) {
      if (config.flag(`${FILTER}.enable`) !== true || config.has(`${FILTER}.metric`) !== false)
        return undefined;
      return {
        severity: 'error',
        message: 'filter_groups.enable needs filter_groups.metric, such as acc; without it verl stops.',
        about: [`${FILTER}.enable`],
      };
    },
  },
  {
    // No reader of the key outside recipe/dapo in the tags v0.7.1 and v0.8.0; only the v1 trainer since 0.9.
    id: 'V12',
    check(config) {
      if (config.flag(`${FILTER}.enable`) !== true || config.model.program !== 'verl.trainer.main_ppo')
        return undefined;
      const isRead = config.isSince('0.9') && config.flag('trainer.use_v1') !== false;
      if (isRead) return undefined;
      return {
        severity: 'warning',
        message:
          'filter_groups.enable has no effect here: the trainer of main_ppo reads it only since verl 0.9, with trainer.use_v1.',
        about: [`${FILTER}.enable`],
      };
    },
  },
  {
    // recipe/dapo/dapo_ray_trainer.py raises after that many batches; the v1 trainer passes it over.
    id: 'V13',
    check(config) {
      const key = `${FILTER}.max_num_gen_batches`;
      const most = config.count(key);
      if (most === undefined || config.flag(`${FILTER}.enable`) !== true) return undefined;
      const { program } = config.model;
      if (program === 'verl.trainer.main_ppo') {
        return {
          severity: 'information',
          message:
            'The v1 trainer passes filter_groups.max_num_gen_batches over: it generates until the batch is full.',
          about: [key],
        };
      }
      const group = config.count(GROUP) ?? 0;
      const dead = (rate: number): string => `${(100 * (rate ** group + (1 - rate) ** group)).toFixed(0)} %`;
      return {
        severity: 'warning',
        message: `After ${most} generation batches without enough groups of unequal rewards the run ends with an error. At rollout.n ${group}, expect ${dead(0.02)} of the groups to be dropped at a pass rate of 0.02, ${dead(0.1)} at 0.1. For a weak model on a hard set raise rollout.n, or set this to 0: no limit.`,
        about: [key],
      };
    },
  },
  {
    // verl/trainer/config/rollout/rollout.yaml: validation is greedy by default.
    id: 'V16',
    check(config) {
      const count = config.count(`${VAL}.n`);
      if (count === undefined || count === 1) return undefined;
      const isGreedy = config.flag(`${VAL}.do_sample`) === false || config.number(`${VAL}.temperature`) === 0;
      if (!isGreedy) return undefined;
      return {
        severity: 'warning',
        message: `Validation makes ${count} rollouts a prompt, but all the same: do_sample is false or the temperature 0. best@${count} and maj@${count} equal mean@1. Set val_kwargs.do_sample=True and a temperature.`,
        about: [`${VAL}.n`, `${VAL}.do_sample`, `${VAL}.temperature`],
      };
    },
  },
  {
    // verl/utils/config.py
    id: 'V17',
    check(config) {
      const temperature = config.number('actor_rollout_ref.rollout.temperature');
      if (config.flag(`${VAL}.do_sample`) !== true || temperature === undefined || temperature > 0)
        return undefined;
      return {
        severity: 'error',
        message: `val_kwargs.do_sample needs rollout.temperature above 0; it is ${temperature}. verl refuses the config.`,
        about: ['actor_rollout_ref.rollout.temperature', `${VAL}.do_sample`],
      };
    },
  },
  {
    // verl#7823: the engine cuts what does not fit.
    id: 'V18',
    check(config) {
      const key = 'actor_rollout_ref.rollout.max_model_len';
      const longest = config.count(key);
      const prompt = config.count('data.max_prompt_length');
      const response = config.count('data.max_response_length');
      if (longest === undefined || prompt === undefined || response === undefined) return undefined;
      if (longest >= prompt + response) return undefined;
      return {
        severity: 'warning',
        message: `max_model_len ${longest} is below max_prompt_length ${prompt} + max_response_length ${response} = ${prompt + response}: answers are cut early, and response_length/clip_ratio still shows 0.`,
        about: [key, 'data.max_response_length'],
        proposals: [{ key, value: String(prompt + response) }],
      };
    },
  },
  {
    // verl/utils/config.py prints a notice.
    id: 'V20',
    check(config) {
      if (config.flag('algorithm.use_kl_in_reward') !== true) return undefined;
      if (config.flag('actor_rollout_ref.actor.use_kl_loss') !== true) return undefined;
      return {
        severity: 'information',
        message: 'KL counts twice: use_kl_in_reward and use_kl_loss are both on. verl only prints a notice.',
        about: ['algorithm.use_kl_in_reward', 'actor_rollout_ref.actor.use_kl_loss'],
      };
    },
  },
  {
    // Expected share of groups with equal rewards: p^G + (1 - p)^G.
    id: 'smallGroup',
    check(config) {
      const group = config.number(GROUP);
      const estimator = config.text(ESTIMATOR);
      if (group !== 2 || estimator === undefined || !GROUP_RELATIVE.has(estimator)) return undefined;
      return {
        severity: 'hint',
        message:
          'With 2 rollouts a prompt most groups have equal rewards and teach nothing: 70 % at a pass rate of 0.18, 50 % at 0.5. With 8 it is 20 % and 1 %.',
        about: [GROUP],
      };
    },
  },
];
