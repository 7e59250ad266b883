import type { Rule } from '../../../config/rule';
import { ASYNC_RULES } from './asyncRules';
import { BATCH_RULES } from './batchRules';
import { ROLLOUT_RULES } from './rolloutRules';

export const VERL_RULES: readonly Rule[] = [...BATCH_RULES, ...ROLLOUT_RULES, ...ASYNC_RULES];
