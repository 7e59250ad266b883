import type { Rule } from '../../../config/rule';
import { BATCH } from './quantities';

/** Source: verl/experimental/fully_async_policy/fully_async_rollouter.py at 1dda039b. */
export const ASYNC_RULES: readonly Rule[] = [
  {
    id: 'V15',
    check(config) {
      if (!config.model.program.includes('fully_async')) return undefined;
      const prompts = config.isSet(BATCH) ? config.number(BATCH) : undefined;
      if (prompts !== undefined && prompts !== 0) {
        return {
          severity: 'error',
          message: `Fully asynchronous training takes prompts one by one: ${BATCH} must be 0, not ${prompts}.`,
          about: [BATCH],
          proposals: [{ key: BATCH, value: '0' }],
        };
      }
      const generated = config.isSet('data.gen_batch_size')
        ? config.number('data.gen_batch_size')
        : undefined;
      if (generated !== undefined && generated !== 1) {
        return {
          severity: 'error',
          message: `Fully asynchronous training takes prompts one by one: data.gen_batch_size must be 1, not ${generated}.`,
          about: ['data.gen_batch_size'],
          proposals: [{ key: 'data.gen_batch_size', value: '1' }],
        };
      }
      const staleness = config.number('async_training.staleness_threshold');
      if (staleness === undefined || staleness >= 0) return undefined;
      return {
        severity: 'error',
        message: `async_training.staleness_threshold must be 0 or more, not ${staleness}.`,
        about: ['async_training.staleness_threshold'],
      };
    },
  },
];
