import type { Figure, FindingRow } from '../../protocol/panels/overview';
import type { StandardMetric } from '../../protocol/wire/words';
import type { Incarnation } from '../incarnation';
import type { RunStore } from '../runStore';
import type { Step } from '../step';
import { expectedZeroGradientGroups, resultsBefore } from './resultsBefore';
import type { StepTimes } from './stepClock';
import { stepSeconds } from './steps';

const LONGEST_SERIES = 40;

/**
 * A metric of a step as the job sent it: for the whole, else from its workers (throughput adds up, the others are
 * averaged); NaN when it sent none.
 */
export function metricOf(step: Step, name: StandardMetric): number {
  const whole = step.metrics.get(name);
  if (whole !== undefined) return whole;
  const byWorker = step.workerMetrics.get(name);
  if (!byWorker || byWorker.size === 0) return NaN;
  let sum = 0;
  for (const value of byWorker.values()) sum += value;
  return name === 'throughput' ? sum : sum / byWorker.size;
}

/** A figure of one step without looking at its rollouts: sent by the job, else from the step's totals. */
function figureOf(id: Figure['id'], incarnation: Incarnation, step: Step): number {
  const sent = metricOf(step, id);
  switch (id) {
    case 'throughput':
      return Number.isNaN(sent) && step.tokens >= 0 && step.seconds > 0 ? step.tokens / step.seconds : sent;
    case 'stepSeconds':
      return Number.isNaN(sent) ? stepSeconds(incarnation, step) : sent;
    case 'effectiveBatch':
      // Our own count stands above the job's: it is the one that adds up with the ledger beside it.
      return step.totals.groups > 0 ? step.totals.used : sent;
    case 'zeroGradientGroups':
      return step.totals.groups > 0 ? step.totals.zeroGradientGroups : sent;
    default:
      return sent;
  }
}

function median(values: readonly number[]): number | null {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const IDS: readonly Figure['id'][] = [
  'throughput',
  'stepSeconds',
  'effectiveBatch',
  'zeroGradientGroups',
  'staleness',
  'slowestTenth',
];

/** The overview's six figures at a step, each with its last 40 steps; the median is over closed steps. */
export function figuresAt(
  store: RunStore,
  at: { readonly incarnation: Incarnation; readonly step: Step },
  times: StepTimes,
  planned: number,
  findings: readonly FindingRow[],
): Figure[] {
  const steps = store.steps().filter(({ step }) => step.known && step.number <= at.step.number);
  const shown = steps.slice(-LONGEST_SERIES);
  const running = at.step.isOpen && !at.incarnation.isOver;
  return IDS.map((id) => {
    const series = shown.map(({ incarnation, step }) => figureOf(id, incarnation, step));
    const closed = shown.map(({ step }, i) => (step.isClosed ? series[i]! : NaN));
    let value = series.at(-1) ?? NaN;
    if (Number.isNaN(value)) {
      value = fromRollouts(id, at, times);
      if (series.length > 0) series[series.length - 1] = value;
    }
    const { closedGroups } = at.step.totals;
    return {
      id,
      value: Number.isNaN(value) ? null : value,
      of: id === 'effectiveBatch' ? planned : id === 'zeroGradientGroups' ? closedGroups : null,
      series,
      median: median(closed),
      expected:
        id === 'zeroGradientGroups'
          ? expectedZeroGradientGroups(at.incarnation, at.step, resultsBefore(store, at.step.number))
          : null,
      running,
      finding: findings.find(({ code }) => code === id)?.id ?? null,
    };
  });
}

/** What a job that sends no such metric has done, from the rollouts of the shown step; NaN when it cannot be said. */
function fromRollouts(
  id: Figure['id'],
  { incarnation, step }: { readonly incarnation: Incarnation; readonly step: Step },
  times: StepTimes,
): number {
  const elapsed = stepSeconds(incarnation, step);
  if (times.rows.length === 0 || !(elapsed > 0)) return NaN;
  if (id === 'throughput') return times.tokens / elapsed;
  if (id === 'staleness') {
    return times.versionedTokens > 0 ? times.staleTokens / times.versionedTokens : NaN;
  }
  if (id !== 'slowestTenth') return NaN;
  const ends = times.ends.slice().sort();
  const ninety = ends[Math.ceil(0.9 * ends.length) - 1]!;
  return (ends.at(-1)! - ninety) / (ends.at(-1)! - step.openedAt);
}
