import type { StepRow, StepsPage } from '../../protocol/panels/lists';
import type { Incarnation } from '../incarnation';
import { CARRIED_OVER, DISCARDED, FINISHED, KILLED, RUNNING } from '../ledger/categories';
import type { EvaluationRecord } from '../records';
import type { RunStore } from '../runStore';
import type { Step } from '../step';

/** Steps of all incarnations, newest first, and the evaluations. A step done again after a restart has two rows. */
export function stepsPage(store: RunStore, { limit }: { readonly limit: number }): StepsPage {
  const rows: StepRow[] = [];
  let total = 0;
  for (let i = store.incarnations.length - 1; i >= 0; i--) {
    const incarnation = store.incarnations[i]!;
    total += incarnation.steps.length;
    for (let s = incarnation.steps.length - 1; s >= 0 && rows.length < limit; s--) {
      rows.push(stepRow(incarnation, incarnation.steps[s]!));
    }
  }
  const evaluations = store.incarnations.flatMap(({ evaluations }) => evaluations).map(evaluationRow);
  return { total, rows, evaluations: evaluations.reverse() };
}

function stepRow(incarnation: Incarnation, step: Step): StepRow {
  const { counts, groups, closedGroups, zeroGradientGroups } = step.totals;
  let launched = 0;
  for (let i = RUNNING; i <= CARRIED_OVER; i++) launched += counts[i]!;
  const seconds = stepSeconds(incarnation, step);
  return {
    step: step.number,
    incarnation: incarnation.start.number,
    phase: step.phase,
    open: step.isOpen && !incarnation.isOver,
    seconds: Number.isNaN(seconds) ? null : seconds,
    planned: Math.max(step.planned, launched),
    launched,
    ended: counts[FINISHED]! + counts[DISCARDED]! + counts[KILLED]!,
    groups,
    closedGroups,
    zeroGradientGroups,
  };
}

/** The job's seconds of a closed step; of an open one those so far; NaN when it was never opened. */
export function stepSeconds(incarnation: Incarnation, step: Step): number {
  if (!Number.isNaN(step.seconds)) return step.seconds;
  const end = step.isClosed ? step.closedAt : incarnation.lastT;
  return (end - step.openedAt) / 1000;
}

function evaluationRow({ step, name, n, c }: EvaluationRecord): StepsPage['evaluations'][number] {
  let problems = 0;
  let sum = 0;
  for (let i = 0; i < n.length; i++) {
    if (n[i] === 0) continue;
    problems += 1;
    sum += c[i]! / n[i]!;
  }
  return { step, set: name, problems, passAt1: problems > 0 ? sum / problems : NaN };
}
