import type { Incarnation } from '../incarnation';
import { CHUNK_MASK } from '../tables/chunks';
import { GROUP_CLOSED } from '../tables/groupTable';

export type Outcome = 'all0' | 'all1' | 'mixed' | 'none';

/**
 * What the published rewards of a group's baseline say so far: `all0` no success, `all1` only successes, `mixed`
 * different rewards. Equal rewards that are neither 0 nor a success count as `all0`.
 */
export function outcomeOf(incarnation: Incarnation, group: number): Outcome {
  const { groups, start } = incarnation;
  if (groups.baseline[group] === 0) return 'none';
  const least = groups.least[group]!;
  if (least !== groups.greatest[group]) return 'mixed';
  return least >= start.successThreshold ? 'all1' : 'all0';
}

export function isClosed(incarnation: Incarnation, group: number): boolean {
  return (incarnation.groups.flags[group]! & GROUP_CLOSED) !== 0;
}

/** Mean and standard deviation (of the group, not of a population it was drawn from) of rewards with a result. */
export function rewardMoments(
  n: number,
  sum: number,
  sumOfSquares: number,
): { readonly mean: number; readonly sd: number } {
  const mean = sum / n;
  return { mean, sd: Math.sqrt(Math.max(0, sumOfSquares / n - mean * mean)) };
}

/** Rows of a group's rollouts in the order in which they were launched; those that were released are missing. */
export function rolloutsOf(incarnation: Incarnation, group: number): number[] {
  const { groups, rollouts } = incarnation;
  const rows: number[] = [];
  for (let row = groups.firstRollout[group]!; row >= 0;) {
    const chunk = rollouts.chunk(row);
    if (!chunk) break;
    rows.push(row);
    row = chunk.nextInGroup.get(row & CHUNK_MASK);
  }
  return rows;
}
