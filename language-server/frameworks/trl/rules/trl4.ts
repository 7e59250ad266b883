import { refused } from './rule';
import type { BatchRule } from './rule';

/** TRL4: a group has at least two rollouts. Source: GRPOConfig.__post_init__. */
export const trl4: BatchRule = {
  id: 'TRL4',
  check(batch) {
    const { generations } = batch;
    if (typeof generations !== 'number' || generations >= 2) return undefined;
    const effect =
      generations === 0
        ? 'TRL divides by it and stops with a ZeroDivisionError that does not name the key.'
        : 'TRL refuses fewer.';
    return refused(
      `num_generations is ${generations}, but GRPO compares each rollout with the others of its prompt, so a group ` +
        `needs at least 2. ${effect}`,
      'generations',
    );
  },
};
