import type { Rule } from '../../config/rule';

const GROUP = 'gconfig.n_samples';
const NORM = 'actor.reward_norm';

/** Source of all: areal/api/cli_args.py at cbff54d6. */
export const AREAL_RULES: readonly Rule[] = [
  {
    id: 'A1',
    check(config) {
      const [group, size] = [config.number(GROUP), config.number(`${NORM}.group_size`)];
      const isGrouped = [`${NORM}.mean_level`, `${NORM}.std_level`].some(
        (key) => config.text(key) === 'group',
      );
      if (group === undefined || size === undefined || group === size || !isGrouped) return undefined;
      return {
        severity: 'warning',
        message: `actor.reward_norm.group_size ${size} differs from gconfig.n_samples ${group}: rewards of different prompts are normalised together, and nothing checks it. Write \${gconfig.n_samples}.`,
        about: [`${NORM}.group_size`, GROUP],
        proposals: [{ key: `${NORM}.group_size`, value: '${gconfig.n_samples}' }],
      };
    },
  },
  {
    id: 'A3',
    check(config) {
      if (config.flag('actor.use_sapo_loss') !== true || config.flag('actor.use_decoupled_loss') !== true)
        return undefined;
      return {
        severity: 'error',
        message: 'actor.use_sapo_loss and actor.use_decoupled_loss exclude each other.',
        about: ['actor.use_sapo_loss', 'actor.use_decoupled_loss'],
      };
    },
  },
  {
    id: 'A6',
    check(config) {
      const epochs = config.number('total_train_epochs');
      if (epochs === undefined || epochs > 0) return undefined;
      return {
        severity: 'error',
        message: `total_train_epochs must be above 0; it is ${epochs}.`,
        about: ['total_train_epochs'],
      };
    },
  },
];
