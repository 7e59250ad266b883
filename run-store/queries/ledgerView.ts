import type { Ledger } from '../../protocol/panels/ledger';
import type { Incarnation } from '../incarnation';
import {
  CARRIED_OVER,
  CATEGORY_COUNT,
  DISCARDED,
  DUPLICATE,
  EXTERNAL,
  FINISHED,
  KILLED,
  PROBE,
  REPLAYED,
  RUNNING,
} from '../ledger/categories';
import { isMismatched, launchedOf } from '../ledger/groupJudgement';
import { addReasonsOfGroup, addReasonsOfUnplaced, type Reasons, reasonsOfStep } from '../ledger/reasons';
import { Totals } from '../ledger/totals';
import type { RunStore } from '../runStore';
import type { Step } from '../step';
import { CHUNK_MASK, NONE } from '../tables/chunks';
import { GROUP_CLOSED, JOB_COUNTS } from '../tables/groupTable';

const MOST_SENTENCES = 20;

function ledger(
  counts: ArrayLike<number>,
  sums: Pick<Totals, 'planned' | 'used' | 'noGradient' | 'undecided'>,
  reasons: Reasons,
  mismatches: readonly string[],
  seq: number,
): Ledger {
  let launched = 0;
  for (let i = RUNNING; i <= CARRIED_OVER; i++) launched += counts[i]!;
  // More launched than planned is among the mismatches; the plan was then at least what was launched.
  const planned = Math.max(sums.planned, launched);
  return {
    planned,
    launched,
    neverLaunched: planned - launched,
    running: counts[RUNNING]!,
    finished: counts[FINISHED]!,
    discarded: counts[DISCARDED]!,
    killed: counts[KILLED]!,
    carriedOver: counts[CARRIED_OVER]!,
    used: sums.used,
    noGradient: sums.noGradient,
    undecided: sums.undecided,
    discardedBy: Object.fromEntries(reasons.discardedBy),
    killedBy: Object.fromEntries(reasons.killedBy),
    outside: {
      probes: counts[PROBE]!,
      duplicates: counts[DUPLICATE]!,
      replayed: counts[REPLAYED]!,
      external: counts[EXTERNAL]!,
    },
    mismatches,
    seq,
  };
}

const noReasons = (): Reasons => ({ discardedBy: new Map(), killedBy: new Map() });

export function groupLedger(incarnation: Incarnation, group: number): Ledger {
  const { groups } = incarnation;
  const at = group * CATEGORY_COUNT;
  const counts = groups.counts.subarray(at, at + CATEGORY_COUNT);
  const finished = counts[FINISHED]!;
  const closed = (groups.flags[group]! & GROUP_CLOSED) !== 0;
  const gradient = closed ? groups.gradient[group]! : NONE;
  const used = gradient === 1 || (closed && gradient === NONE && groups.usedInStep[group]! >= 0);
  const noGradient = gradient === 0;
  const reasons = noReasons();
  addReasonsOfGroup(incarnation, group, reasons);
  return ledger(
    counts,
    {
      planned: groups.planned[group]!,
      used: used ? finished : 0,
      noGradient: noGradient ? finished : 0,
      undecided: used || noGradient ? 0 : finished,
    },
    reasons,
    isMismatched(groups, group) ? [mismatchSentence(incarnation, group)] : [],
    incarnation.head,
  );
}

export function stepLedger(incarnation: Incarnation, step: Step): Ledger {
  const { used, noGradient, undecided, counts } = step.totals;
  return ledger(
    counts,
    { planned: step.planned, used, noGradient, undecided },
    reasonsOfStep(incarnation, step),
    stepMismatches(incarnation, step, MOST_SENTENCES),
    incarnation.head,
  );
}

/** The ledger of the whole run, over all its incarnations. */
export function runLedger(store: RunStore): Ledger {
  const sums = new Totals();
  const reasons = noReasons();
  const mismatches: string[] = [];
  let planned = 0;
  for (const incarnation of store.incarnations) {
    sums.add(incarnation.unplaced);
    planned += incarnation.unplaced.planned;
    addReasonsOfUnplaced(incarnation, reasons);
    for (const step of incarnation.steps) {
      sums.add(step.totals);
      planned += step.planned;
      const { discardedBy, killedBy } = reasonsOfStep(incarnation, step);
      for (const [reason, n] of discardedBy)
        reasons.discardedBy.set(reason, (reasons.discardedBy.get(reason) ?? 0) + n);
      for (const [reason, n] of killedBy)
        reasons.killedBy.set(reason, (reasons.killedBy.get(reason) ?? 0) + n);
      mismatches.push(...stepMismatches(incarnation, step, MOST_SENTENCES - mismatches.length));
    }
  }
  const { used, noGradient, undecided } = sums;
  return ledger(sums.counts, { planned, used, noGradient, undecided }, reasons, mismatches, store.head);
}

/** At most `limit` sentences on the groups of a step whose counts do not add up. */
export function stepMismatches(incarnation: Incarnation, step: Step, limit: number): string[] {
  const sentences: string[] = [];
  if (step.totals.mismatched === 0) return sentences;
  const { groups } = incarnation;
  for (
    let group = step.firstGroup;
    group !== NONE && sentences.length < limit;
    group = groups.nextInStep[group]!
  ) {
    if (isMismatched(groups, group)) sentences.push(mismatchSentence(incarnation, group));
  }
  return sentences;
}

function mismatchSentence(incarnation: Incarnation, group: number): string {
  const { groups } = incarnation;
  const name = incarnation.text(groups.handle[group]!);
  const launched = launchedOf(groups, group);
  const job = groups.job.subarray(group * JOB_COUNTS, (group + 1) * JOB_COUNTS);
  if (job[0] === NONE) {
    return `Group ${name}: ${launched} launched, ${groups.planned[group]!} planned, and no decision on the difference.`;
  }
  const at = group * CATEGORY_COUNT;
  const count = (category: number): number => groups.counts[at + category]!;
  const differences = [
    ['launched', job[0]!, launched],
    ['finished', job[1]!, count(FINISHED)],
    ['discarded', job[2]!, count(DISCARDED)],
    ['killed', job[3]!, count(KILLED)],
  ].filter(([, said, found]) => said !== found);
  if (differences.length === 0) {
    return `Group ${name}: ${launched} launched, ${groups.planned[group]!} planned, and no decision on the difference.`;
  }
  const listed = differences.map(([what, said, found]) => `${said!} ${what!}, ${found!} found`).join('; ');
  const open = openRollout(incarnation, group);
  return `Group ${name}: ${listed}${open === null ? '' : `: rollout ${open} has no end`}.`;
}

/** A rollout of a closed group that has not ended. */
function openRollout(incarnation: Incarnation, group: number): string | null {
  const { groups, rollouts } = incarnation;
  for (let row = groups.firstRollout[group]!; row >= 0;) {
    const chunk = rollouts.chunk(row);
    if (!chunk) return null;
    const i = row & CHUNK_MASK;
    if (chunk.category[i] === RUNNING) return incarnation.text(chunk.handle.get(i));
    row = chunk.nextInGroup.get(i);
  }
  return null;
}
