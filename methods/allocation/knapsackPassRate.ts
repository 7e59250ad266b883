import type { PassRate } from './inputs';

/**
 * Success rate as the release of Knapsack-RL keeps it for a prompt: the share of rewards above 0 among the newest
 * `buffer` rollouts of all its groups, or with `latestOnly` among those of the latest group
 * (liziniu/KnapsackRL@ca5d5f5b7e:verl/utils/dataset/rl_dataset.py:update_sample_state). `samples` counts all rollouts
 * ever seen, as the release does. `groups` hold rewards in launch order, oldest group first; undefined without any.
 */
export function knapsackPassRate(
  groups: readonly (readonly number[])[],
  { buffer = 16, latestOnly = false }: { readonly buffer?: number; readonly latestOnly?: boolean } = {},
): PassRate | undefined {
  const newest = latestOnly ? (groups.at(-1) ?? []) : groups.flat().slice(-buffer);
  if (newest.length === 0) return undefined;
  const samples = groups.reduce((sum, group) => sum + group.length, 0);
  return { value: newest.filter((reward) => reward > 0).length / newest.length, samples };
}
