import type { BatchRule } from './rule';

/** TRL5: num_generations is a whole number in type too. Source: trl/trainer/utils.py, RepeatSampler. */
export const trl5: BatchRule = {
  id: 'TRL5',
  check(batch) {
    const { generations } = batch;
    if (typeof generations !== 'number' || !batch.generationsIsFloat) return undefined;
    const message =
      `num_generations is the decimal number ${generations.toFixed(Number.isInteger(generations) ? 1 : 3)}. TRL ` +
      'accepts it and stops when training starts, with "\'float\' object cannot be interpreted as an integer". ' +
      'Write it without a dot.';
    return { kind: 'late', message, marks: ['generations'], validAlone: false };
  },
};
