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

const add = (counts: Map<string, number>, reason: string, n: number): void => {
  if (n > 0) counts.set(reason, (counts.get(reason) ?? 0) + n);
};

/**
 * Counts why the rollouts of a group's ledger were discarded or killed. Those that are not in memory, or went on in
 * another group, are counted as `other`.
 */
export function addReasonsOfGroup(incarnation: Incarnation, group: number, into: Reasons): void {
  const { groups, rollouts, dictionary } = incarnation;
  const at = group * CATEGORY_COUNT;
  let discarded = groups.counts[at + DISCARDED]!;
  let killed = groups.counts[at + KILLED]!;
  if (discarded === 0 && killed === 0) return;
  for (let row = groups.firstRollout[group]!; row >= 0;) {
    const chunk = rollouts.chunk(row);
    if (!chunk) break;
    const i = row & CHUNK_MASK;
    const elsewhere =
      chunk.countedIn !== null && chunk.countedIn.get(i) >= 0 && chunk.countedIn.get(i) !== group;
    if (chunk.category[i] === DISCARDED && !elsewhere) {
      add(into.discardedBy, dictionary.text(chunk.discardReason?.[i] ?? 0) ?? 'other', 1);
      discarded -= 1;
    } else if (chunk.category[i] === KILLED && !elsewhere) {
      const ending = ENDINGS[chunk.ending[i]!] ?? 'other';
      add(into.killedBy, dictionary.text(chunk.reason?.[i] ?? 0) ?? ending, 1);
      killed -= 1;
    }
    row = chunk.nextInGroup.get(i);
  }
  add(into.discardedBy, 'other', discarded);
  add(into.killedBy, 'other', killed);
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

/** Adds the reasons of groups that no step is known of. */
export function addReasonsOfUnplaced(incarnation: Incarnation, into: Reasons): void {
  const { unplaced, groups } = incarnation;
  if (unplaced.counts[DISCARDED] === 0 && unplaced.counts[KILLED] === 0) return;
  for (let group = 0; group < groups.count; group++) {
    if (groups.step[group] === NONE) addReasonsOfGroup(incarnation, group, into);
  }
}
