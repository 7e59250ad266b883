import type { OverviewParams, OverviewView } from '../../protocol/panels/overview';
import { CARRIED_OVER, DISCARDED, KILLED, RUNNING } from '../ledger/categories';
import type { RunStore } from '../runStore';
import { figuresAt, metricOf } from './figures';
import { allFindings } from './findings';
import { stepLedger } from './ledgerView';
import { steeringPage } from './steeringList';
import { steeringOf, undoneCommands } from './pins';
import { slowestRollouts, stepClock, stepTimes } from './stepClock';

const BARS = 60;
const LAST_COMMANDS = 8;
/** Actions that change what is planned; a pause changes only when. */
const MARKED = new Set(['allocate', 'setMethod', 'skip', 'undo']);

/** What a person sees first. null: no step was opened yet. */
export function overviewView(store: RunStore, { step: number }: OverviewParams): OverviewView | null {
  const found = store.findStep(number);
  if (!found) return null;
  const { incarnation, step } = found;
  const ledger = stepLedger(incarnation, step);
  const times = stepTimes(incarnation, step);
  const findings = allFindings(store);
  const steering = steeringPage(store, { limit: LAST_COMMANDS });
  return {
    step: step.number,
    phase: step.phase,
    ledger,
    figures: figuresAt(store, found, times, ledger.planned, findings),
    clock: stepClock(incarnation, step, times),
    slowest: slowestRollouts(incarnation, step, times),
    bars: barsUpTo(store, step.number),
    findings,
    watched: watchedAt(found.step),
    steering: steering.rows,
    steeringTotal: steering.total,
    breakpoints: [...(store.current?.breakpoints.values() ?? [])].map(({ id, sentence, hits }) => ({
      id,
      sentence,
      hits,
    })),
  };
}

/**
 * The last 60 steps up to one. `running` holds all that is not judged: running, carried over, finished in a group
 * that is open or cannot be judged.
 */
function barsUpTo(store: RunStore, last: number): OverviewView['bars'] {
  const shown = store
    .steps()
    .filter(({ step }) => step.known && step.number <= last)
    .slice(-BARS);
  const of = (pick: (step: (typeof shown)[number]['step']) => number): number[] =>
    shown.map(({ step }) => pick(step));
  return {
    steps: of(({ number }) => number),
    planned: of(({ planned }) => planned),
    gradient: of(({ totals }) => totals.used),
    noGradient: of(({ totals }) => totals.noGradient),
    running: of(({ totals }) => totals.undecided + totals.counts[RUNNING]! + totals.counts[CARRIED_OVER]!),
    discardedOrKilled: of(({ totals }) => totals.counts[DISCARDED]! + totals.counts[KILLED]!),
    marks: marksWithin(store, shown[0]?.step.number ?? 0, last),
  };
}

function marksWithin(store: RunStore, first: number, last: number): { step: number; label: string }[] {
  const undone = undoneCommands(store);
  return steeringOf(store)
    .filter(({ record }) => MARKED.has(record.action) && record.state === 'applied')
    .filter(({ record }) => !undone.has(record.command))
    .map(({ record }) => ({ step: record.fromStep ?? record.step ?? -1, label: record.sentence }))
    .filter(({ step }) => step >= first && step <= last);
}

/** Metrics with a meaning for the run's health that no finding speaks of; limits come with the detectors. */
function watchedAt(step: Parameters<typeof metricOf>[0]): OverviewView['watched'] {
  const watched = [
    { label: 'Entropy of the policy', name: 'entropy', unit: 'nats' },
    { label: 'Gradient norm', name: 'gradientNorm', unit: '' },
    { label: 'Clipped tokens', name: 'clipFraction', unit: 'share' },
    { label: 'Log-probability gap', name: 'logProbGap', unit: 'nats' },
  ] as const;
  return watched
    .map(({ label, name, unit }) => ({ label, value: metricOf(step, name), unit, limit: '' }))
    .filter(({ value }) => !Number.isNaN(value));
}
