import type { Rule } from '../../config/rule';
import { nearestWords, proposeNearest } from '../../config/rule';

const BATCH = 'rollout-batch-size';
const GROUP = 'n-samples-per-prompt';
const GLOBAL = 'global-batch-size';
const STEPS = 'num-steps-per-rollout';

/** Source of all: slime/utils/arguments.py at 624b824a. */
export const SLIME_RULES: readonly Rule[] = [
  {
    id: 'L1',
    check(config) {
      const temperature = config.number('rollout-temperature');
      if (temperature === undefined || temperature > 0) return undefined;
      return {
        severity: 'error',
        message: `--rollout-temperature must be above 0; it is ${temperature}.`,
        about: ['rollout-temperature'],
      };
    },
  },
  {
    id: 'L2',
    check(config) {
      const [batch, group, steps] = [config.count(BATCH), config.count(GROUP), config.count(STEPS)];
      if (batch === undefined || group === undefined) return undefined;
      const global = config.count(GLOBAL);
      const total = batch * group;
      if (steps !== undefined && global !== undefined && config.isSet(STEPS)) {
        const wanted = Math.floor(total / steps);
        if (global === wanted) return undefined;
        return {
          severity: 'error',
          message: `${batch} prompts × ${group} rollouts // ${steps} steps = ${wanted}, but --${GLOBAL} is ${global}. slime refuses it.`,
          about: [GLOBAL, STEPS],
          proposals: [{ key: GLOBAL, value: String(wanted) }],
        };
      }
      if (global === undefined || total % global === 0) return undefined;
      return {
        severity: 'warning',
        message: `${batch} prompts × ${group} rollouts = ${total} is not divisible by --${GLOBAL} ${global}${nearestWords(global, (value) => total % value === 0)}: the rest is not trained on.`,
        about: [GLOBAL, BATCH, GROUP],
        proposals: proposeNearest(config, GLOBAL, (value) => total % value === 0),
      };
    },
  },
  {
    id: 'L3',
    check(config) {
      const key = 'over-sampling-batch-size';
      const [wave, batch] = [config.count(key), config.count(BATCH)];
      if (wave === undefined || batch === undefined || wave >= batch) return undefined;
      return {
        severity: 'error',
        message: `--${key} ${wave} is below --${BATCH} ${batch}: a wave must hold at least the prompts of a step. slime refuses it.`,
        about: [key, BATCH],
        proposals: [{ key, value: String(batch) }],
      };
    },
  },
  {
    id: 'L5',
    check(config) {
      if (config.has('num-rollout') !== false || config.has('num-epoch') !== false) return undefined;
      return {
        severity: 'error',
        message: 'Neither --num-rollout nor --num-epoch is set; slime refuses that.',
        about: [],
      };
    },
  },
  {
    id: 'L6',
    check(config) {
      const [reward, loss] = [config.number('kl-coef'), config.number('kl-loss-coef')];
      if (reward === undefined || loss === undefined || reward === 0 || loss === 0) return undefined;
      return {
        severity: 'error',
        message: `--kl-coef ${reward} and --kl-loss-coef ${loss} are both set; one of them must be 0.`,
        about: ['kl-loss-coef', 'kl-coef'],
      };
    },
  },
  {
    id: 'L8',
    check(config) {
      if (config.flag('use-rollout-logprobs') !== true || config.flag('use-tis') !== true) return undefined;
      return {
        severity: 'error',
        message: '--use-rollout-logprobs and --use-tis exclude each other.',
        about: ['use-tis', 'use-rollout-logprobs'],
      };
    },
  },
  {
    id: 'L9',
    check(config) {
      if (config.flag('use-dynamic-batch-size') !== true || config.has('max-tokens-per-gpu') !== false)
        return undefined;
      return {
        severity: 'error',
        message: '--use-dynamic-batch-size needs --max-tokens-per-gpu.',
        about: ['use-dynamic-batch-size'],
      };
    },
  },
  {
    id: 'L10',
    check(config) {
      const [prompt, context] = [
        config.count('rollout-max-prompt-len'),
        config.count('rollout-max-context-len'),
      ];
      if (prompt === undefined || context === undefined || prompt <= context - 1) return undefined;
      return {
        severity: 'error',
        message: `--rollout-max-prompt-len ${prompt} leaves no token of --rollout-max-context-len ${context} for an answer.`,
        about: ['rollout-max-prompt-len', 'rollout-max-context-len'],
      };
    },
  },
];
