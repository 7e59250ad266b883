import { ENDINGS } from '../../protocol/wire/words';
import type { Incarnation } from '../incarnation';
import type { Step } from '../step';
import { CHUNK_MASK, NONE } from '../tables/chunks';
import { CATEGORY_COUNT, DISCARDED, KILLED } from './categories';

/** Reason or ending → rollouts. */
export interface Reasons {
  readonly discardedBy: Map<string, number>;
  readonly killedBy: Map<string, number>;
}

/** Counts why the rollouts of a group were discarded or killed, from the rollouts that are in memory. */
export function addReasonsOfGroup(incarnation: Incarnation, group: number, into: Reasons): void {
  const { groups, rollouts, dictionary } = incarnation;
  const at = group * CATEGORY_COUNT;
  if (groups.counts[at + DISCARDED] === 0 && groups.counts[at + KILLED] === 0) return;
  for (let row = groups.firstRollout[group]!; row >= 0;) {
    const chunk = rollouts.chunk(row);
    if (!chunk) return;
    const i = row & CHUNK_MASK;
    if (chunk.category[i] === DISCARDED) {
      const reason = dictionary.text(chunk.discardReason?.[i] ?? 0) ?? 'other';
      into.discardedBy.set(reason, (into.discardedBy.get(reason) ?? 0) + 1);
    } else if (chunk.category[i] === KILLED) {
      const reason = dictionary.text(chunk.reason?.[i] ?? 0) ?? ENDINGS[chunk.ending[i]!] ?? 'other';
      into.killedBy.set(reason, (into.killedBy.get(reason) ?? 0) + 1);
    }
    row = chunk.nextInGroup[i]!;
  }
}

/** The same for a step; of a released step as it stood when it was released. */
export function reasonsOfStep(incarnation: Incarnation, step: Step): Reasons {
  if (step.released) return step.released;
  const reasons: Reasons = { discardedBy: new Map(), killedBy: new Map() };
  for (let group = step.firstGroup; group !== NONE; group = incarnation.groups.nextInStep[group]!) {
    addReasonsOfGroup(incarnation, group, reasons);
  }
  return reasons;
}
