import type { Config } from '../../config/config';
import { proposeNearest, nearestWords } from '../../config/rule';
import type { Rule } from '../../config/rule';

const GROUP = 'rollout.n_samples_per_prompt';
const BATCH = 'rollout.batch_size';
const TRAIN = 'train.batch_size';
const ESTIMATOR = 'algo.advantage.estimator';
const FILTER = 'algo.dynamic_filtering_enable';
const GROUP_RELATIVE: ReadonlySet<string> = new Set(['rloo', 'reinforce_baseline', 'group_norm', 'dr_grpo']);

const isOn = (config: Config, key: string): boolean => config.flag(key) === true;

/** Source of all: openrlhf/cli/train_ppo_ray.py and openrlhf/trainer at 3c3be623. */
export const OPENRLHF_RULES: readonly Rule[] = [
  {
    id: 'O1',
    check(config) {
      const estimator = config.text(ESTIMATOR);
      const group = config.number(GROUP);
      if (estimator === undefined || !GROUP_RELATIVE.has(estimator) || group === undefined || group > 1)
        return undefined;
      return {
        severity: 'error',
        message: `${ESTIMATOR} ${estimator} compares the rollouts of a prompt, but ${GROUP} is ${group}. OpenRLHF refuses it; set 2 or more.`,
        about: [GROUP, ESTIMATOR],
      };
    },
  },
  {
    id: 'O2',
    check(config) {
      const key = 'rollout.vllm_generate_batch_size';
      const generated = config.count(key);
      const batch = config.count(BATCH);
      if (generated === undefined || batch === undefined || generated <= batch) return undefined;
      if (config.flag('train.async_enable') !== false) return undefined;
      return {
        severity: 'error',
        message: `${key} ${generated} is above ${BATCH} ${batch}; that needs --train.async_enable.`,
        about: [key, BATCH],
        proposals: [{ key, value: String(batch) }],
      };
    },
  },
  {
    id: 'O3',
    check(config) {
      if (!isOn(config, FILTER)) return undefined;
      const group = config.number(GROUP);
      if (group !== undefined && group <= 1) {
        return {
          severity: 'error',
          message: `Dynamic filtering compares the rollouts of a prompt, but ${GROUP} is ${group}.`,
          about: [GROUP, FILTER],
        };
      }
      if (config.has('reward.remote_url') !== false || config.has('train.agent_func_path') !== false)
        return undefined;
      return {
        severity: 'error',
        message: 'Dynamic filtering needs --reward.remote_url or --train.agent_func_path.',
        about: [FILTER],
      };
    },
  },
  {
    id: 'O4',
    check(config) {
      if (!isOn(config, 'train.partial_rollout_enable') || config.flag('train.async_enable') !== false)
        return undefined;
      return {
        severity: 'error',
        message: '--train.partial_rollout_enable needs --train.async_enable.',
        about: ['train.partial_rollout_enable'],
      };
    },
  },
  {
    id: 'O5',
    check(config) {
      if (!isOn(config, 'train.async_enable') || !isOn(config, 'vllm.enable_sleep')) return undefined;
      return {
        severity: 'error',
        message: '--vllm.enable_sleep cannot go with --train.async_enable: the engines never rest.',
        about: ['vllm.enable_sleep', 'train.async_enable'],
      };
    },
  },
  {
    id: 'O7',
    check(config) {
      const batch = config.count(BATCH);
      const group = config.count(GROUP);
      const train = config.count(TRAIN);
      if (batch === undefined || group === undefined || train === undefined) return undefined;
      const total = batch * group;
      if (total % train === 0) return undefined;
      return {
        severity: 'warning',
        message: `${batch} prompts × ${group} rollouts = ${total} is not divisible by ${TRAIN} ${train}${nearestWords(train, (value) => total % value === 0)}: ${Math.floor(total / train)} optimizer steps are made and ${total % train} rollouts are dropped without a word.`,
        about: [TRAIN, BATCH, GROUP],
        proposals: proposeNearest(config, TRAIN, (value) => total % value === 0),
      };
    },
  },
  {
    id: 'O9',
    check(config) {
      if (config.has('eval.dataset') !== true) return undefined;
      if (config.has('reward.remote_url') !== false || config.has('train.agent_func_path') !== false)
        return undefined;
      return {
        severity: 'error',
        message: '--eval.dataset needs --reward.remote_url or --train.agent_func_path.',
        about: ['eval.dataset'],
      };
    },
  },
];
