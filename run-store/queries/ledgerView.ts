import type { Ledger, TokenLedger } from '../../protocol/panels/ledger';
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
import { TOKEN_FATES, type TokenCounts, type TokenFate } from '../ledger/tokens';
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
  mismatches: readonly Mismatch[],
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
    mismatches: mismatches.map(({ sentence }) => sentence),
    mismatchGroups: mismatches.map(({ group }) => group),
    seq,
  };
}

export function tokenLedger(counts: TokenCounts): TokenLedger {
  const at = (fate: TokenFate): number => counts[TOKEN_FATES.indexOf(fate)]!;
  return {
    used: at('used'),
    noGradient: at('noGradient'),
    undecided: at('undecided'),
    running: at('running'),
    discarded: at('discarded'),
    pruned: at('pruned'),
    aborted: at('aborted'),
    carriedOver: at('carriedOver'),
    probes: at('probes'),
    outside: at('outside'),
    released: at('released'),
    total: counts.reduce((sum, n) => sum + n, 0),
  };
}

const noReasons = (): Reasons => ({ discardedBy: new Map(), killedBy: new Map() });

/** A group of the run by its row. */
export interface GroupPlace {
  readonly incarnation: Incarnation;
  readonly group: number;
}

/** The ledger of some groups: of one, of a prompt's. */
export function groupsLedger(places: readonly GroupPlace[], seq: number): Ledger {
  const counts = new Float64Array(CATEGORY_COUNT);
  const sums = { planned: 0, used: 0, noGradient: 0, undecided: 0 };
  const reasons = noReasons();
  const mismatches: Mismatch[] = [];
  for (const { incarnation, group } of places) {
    const { groups } = incarnation;
    const at = group * CATEGORY_COUNT;
    for (let i = 0; i < CATEGORY_COUNT; i++) counts[i]! += groups.counts[at + i]!;
    const finished = groups.counts[at + FINISHED]!;
    const closed = (groups.flags[group]! & GROUP_CLOSED) !== 0;
    const gradient = closed ? groups.gradient[group]! : NONE;
    if (gradient === 0) sums.noGradient += finished;
    else if (gradient === 1 || (closed && groups.usedInStep[group]! >= 0)) sums.used += finished;
    else sums.undecided += finished;
    sums.planned += Math.max(groups.planned[group]!, launchedOf(groups, group));
    addReasonsOfGroup(incarnation, group, reasons);
    if (isMismatched(groups, group) && mismatches.length < MOST_SENTENCES)
      mismatches.push(mismatchOf(incarnation, group));
  }
  return ledger(counts, sums, reasons, mismatches, seq);
}

export const groupLedger = (incarnation: Incarnation, group: number): Ledger =>
  groupsLedger([{ incarnation, group }], incarnation.head);

export function stepLedger(incarnation: Incarnation, step: Step): Ledger {
  const { used, noGradient, undecided, counts } = step.totals;
  return ledger(
    counts,
    { planned: step.planned, used, noGradient, undecided },
    reasonsOfStep(incarnation, step),
    mismatchesOfStep(incarnation, step, MOST_SENTENCES),
    incarnation.head,
  );
}

/** A step of the run, in one life. */
export interface StepPlace {
  readonly incarnation: Incarnation;
  readonly step: Step;
}

/** The ledger of some steps; `withUnplaced`: and of what no step is known of. */
export function stepsLedger(store: RunStore, places: readonly StepPlace[], withUnplaced: boolean): Ledger {
  const sums = new Totals();
  const reasons = noReasons();
  const mismatches: Mismatch[] = [];
  let planned = 0;
  for (const { incarnation, step } of places) {
    sums.add(step.totals);
    planned += step.planned;
    const { discardedBy, killedBy } = reasonsOfStep(incarnation, step);
    for (const [reason, n] of discardedBy)
      reasons.discardedBy.set(reason, (reasons.discardedBy.get(reason) ?? 0) + n);
    for (const [reason, n] of killedBy) reasons.killedBy.set(reason, (reasons.killedBy.get(reason) ?? 0) + n);
    mismatches.push(...mismatchesOfStep(incarnation, step, MOST_SENTENCES - mismatches.length));
  }
  for (const incarnation of withUnplaced ? store.incarnations : []) {
    sums.add(incarnation.unplaced);
    planned += incarnation.unplaced.planned;
    addReasonsOfUnplaced(incarnation, reasons);
  }
  const { used, noGradient, undecided } = sums;
  return ledger(sums.counts, { planned, used, noGradient, undecided }, reasons, mismatches, store.head);
}

/** The ledger of the whole run, over all its incarnations. */
export function runLedger(store: RunStore): Ledger {
  const places = store.incarnations.flatMap((incarnation) =>
    incarnation.steps.map((step) => ({ incarnation, step })),
  );
  return stepsLedger(store, places, true);
}

/** At most `limit` sentences on the groups of a step whose counts do not add up. */
export const stepMismatches = (incarnation: Incarnation, step: Step, limit: number): string[] =>
  mismatchesOfStep(incarnation, step, limit).map(({ sentence }) => sentence);

interface Mismatch {
  /** Id of the group. */
  readonly group: string;
  readonly sentence: string;
}

function mismatchesOfStep(incarnation: Incarnation, step: Step, limit: number): Mismatch[] {
  const found: Mismatch[] = [];
  if (step.totals.mismatched === 0) return found;
  const { groups } = incarnation;
  for (
    let group = step.firstGroup;
    group !== NONE && found.length < limit;
    group = groups.nextInStep[group]!
  ) {
    if (isMismatched(groups, group)) found.push(mismatchOf(incarnation, group));
  }
  return found;
}

function mismatchOf(incarnation: Incarnation, group: number): Mismatch {
  const { groups } = incarnation;
  const name = incarnation.text(groups.handle[group]!);
  const launched = launchedOf(groups, group);
  const planned = `Group ${name}: ${launched} launched, ${groups.planned[group]!} planned, and no decision on the difference.`;
  const job = groups.job.subarray(group * JOB_COUNTS, (group + 1) * JOB_COUNTS);
  if (job[0] === NONE) return { group: name, sentence: planned };
  const at = group * CATEGORY_COUNT;
  const count = (category: number): number => groups.counts[at + category]!;
  const differences = [
    ['launched', job[0]!, launched],
    ['finished', job[1]!, count(FINISHED)],
    ['discarded', job[2]!, count(DISCARDED)],
    ['killed', job[3]!, count(KILLED)],
  ].filter(([, said, found]) => said !== found);
  if (differences.length === 0) return { group: name, sentence: planned };
  const listed = differences.map(([what, said, found]) => `${said!} ${what!}, ${found!} found`).join('; ');
  const open = openRollout(incarnation, group);
  return {
    group: name,
    sentence: `Group ${name}: ${listed}${open === null ? '' : `: rollout ${open} has no end`}.`,
  };
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
