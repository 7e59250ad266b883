import type { GroupTable } from '../tables/groupTable';
import {
  GROUP_CLOSED,
  GROUP_DROPPED,
  GROUP_MATCHED,
  GROUP_OPENED,
  GROUP_TRAINED,
  GROUP_UNTRAINED,
  JOB_COUNTS,
} from '../tables/groupTable';
import { NONE } from '../tables/chunks';
import { CARRIED_OVER, CATEGORY_COUNT, DISCARDED, FINISHED, KILLED, RUNNING } from './categories';

/** Rollouts that a group launched, by our count. */
export function launchedOf(groups: GroupTable, group: number): number {
  const at = group * CATEGORY_COUNT;
  let launched = 0;
  for (let i = RUNNING; i <= CARRIED_OVER; i++) launched += groups.counts[at + i]!;
  return launched;
}

/** The job's counts of a closed group have not agreed with ours, or more was launched than planned. */
export function isMismatched(groups: GroupTable, group: number): boolean {
  const flags = groups.flags[group]!;
  if ((flags & GROUP_OPENED) !== 0 && launchedOf(groups, group) > groups.planned[group]!) return true;
  return groups.job[group * JOB_COUNTS] !== NONE && (flags & GROUP_MATCHED) === 0;
}

/** Once the job's counts and ours have agreed after its close, later changes are no contradiction. */
export function matchCounts(groups: GroupTable, group: number): void {
  const at = group * JOB_COUNTS;
  if (groups.job[at] === NONE || (groups.flags[group]! & GROUP_MATCHED) !== 0) return;
  const counts = group * CATEGORY_COUNT;
  if (
    groups.job[at] === launchedOf(groups, group) &&
    groups.job[at + 1] === groups.counts[counts + FINISHED] &&
    groups.job[at + 2] === groups.counts[counts + DISCARDED] &&
    groups.job[at + 3] === groups.counts[counts + KILLED]
  ) {
    groups.flags[group]! |= GROUP_MATCHED;
  }
}

/** product.md, "Zero-gradient group": 0 no gradient, 1 gradient, −1 open, or fewer than two published rewards. */
export function gradientOf(groups: GroupTable, group: number): number {
  const flags = groups.flags[group]!;
  if ((flags & GROUP_CLOSED) === 0) return NONE;
  if (groups.baseline[group]! < 2) return NONE;
  if ((flags & GROUP_DROPPED) !== 0) return 0;
  if ((flags & GROUP_UNTRAINED) !== 0 && (flags & GROUP_TRAINED) === 0) return 0;
  return groups.least[group] === groups.greatest[group] ? 0 : 1;
}
