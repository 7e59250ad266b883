import type { Framework } from '../../framework';
import { openTrl } from './openTrl';

/**
 * TRL's GRPO configs. They have no sections, but a parser with conversions of its own and three launchers that judge
 * differently; their checks are therefore written for them and not as data.
 */
export const trl: Framework = {
  id: 'trl',
  open: async ({ text }, directive, settings) => openTrl(text, directive, settings),
};
