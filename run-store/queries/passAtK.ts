import { bootstrapCurve } from '../../methods/estimators/bootstrap';
import { crossings, pairedDifference } from '../../methods/estimators/comparison';
import { type CurvePoint, PassAtKTable, powersOfTwo } from '../../methods/estimators/passAtKTable';
import { Rng } from '../../methods/random';
import type { Curve, Difference, PassAtKParams, PassAtKView } from '../../protocol/panels/passAtK';
import type { RunStore } from '../runStore';
import { type Measurement, heldOutMeasurements, trainingMeasurements } from './measurements';

/** With so many prompts the mean is normal enough for cluster standard errors; with fewer the prompts are resampled. */
const CLUSTER_PROMPTS = 200;
const RESAMPLES = 400;
/** The time of a curve grows with its greatest k. */
const GREATEST_K = 16_384;
const MOST_CURVES = 60;

interface Evaluated {
  readonly measurement: Measurement;
  readonly table: PassAtKTable;
  /** Prompts of the table with results. */
  readonly all: number;
}

/**
 * pass@k of the steps that were measured. Held out: the set that was evaluated last. Training: the groups of each
 * step, only rollouts that began at the prompt, for those are independent draws whatever forks there are.
 *
 * All curves stand over one fixed set of prompts: those with n ≥ the largest k in the shown and in the reference
 * measurement. null: nothing was measured yet.
 */
export function passAtKView(store: RunStore, params: PassAtKParams): PassAtKView | null {
  const measurements = params.source === 'heldOut' ? heldOutMeasurements(store) : trainingMeasurements(store);
  const shown = pick(measurements, params.step, measurements.at(-1));
  const against = pick(measurements, params.against, measurements[0]);
  if (!shown || !against) return null;
  const largestK = largestCommonK(shown, against);
  const k = powersOfTwo(largestK);
  if (k.length === 0) return null;
  const evaluated = new Map<Measurement, Evaluated>();
  const at = (measurement: Measurement): Evaluated => {
    let known = evaluated.get(measurement);
    if (!known) {
      known = { measurement, table: tableOf(measurement, k), all: measurement.n.filter((n) => n > 0).length };
      evaluated.set(measurement, known);
    }
    return known;
  };
  const fixed = fixedPrompts(at(shown), at(against), k.length);
  const interval = fixed.length >= CLUSTER_PROMPTS ? 'cluster' : 'bootstrap';
  const drawn = thinned(measurements, [shown, against]).map(at);
  const curves = drawn
    .map((one) => curveOf(one, promptsIn(one, fixed, k.length), k, interval))
    .filter((curve): curve is Curve => curve !== null);
  const differences = drawn.map((one) => ({
    one,
    points: pairedDifference(one.table, at(against).table, k.length),
  }));
  const reference = curves.find(({ step }) => step === against.step);
  const crossingWith = (curve: Curve | undefined): number | null =>
    curve && reference && curve !== reference
      ? (crossings(k, curve.value, reference.value)[0]?.k ?? null)
      : null;
  return {
    set: shown.set,
    source: params.source,
    sampling: shown.sampling,
    k,
    curves,
    shown: shown.step,
    against: against.step,
    crossing: crossingWith(curves.find(({ step }) => step === shown.step)),
    fixedPrompts: fixed.length,
    allPrompts: at(shown).all,
    largestK,
    interval,
    difference: differences.flatMap(({ one, points }) =>
      one.measurement === against
        ? []
        : points.map((point): Difference => difference(one.measurement.step, point)),
    ),
    over: overSteps(differences, curves, crossingWith),
    buckets: bucketsOf(store, at(shown), at(against), fixed, k),
  };
}

const pick = (
  measurements: readonly Measurement[],
  step: number | null,
  otherwise: Measurement | undefined,
): Measurement | undefined =>
  step === null ? otherwise : (measurements.findLast((one) => one.step === step) ?? otherwise);

/** The greatest power of two that at least half of the prompts of both measurements have samples for. */
function largestCommonK(a: Measurement, b: Measurement): number {
  const median = ({ n }: Measurement): number => {
    const sorted = n.filter((samples) => samples > 0).sort();
    return sorted[(sorted.length - 1) >> 1] ?? 0;
  };
  return powersOfTwo(Math.min(median(a), median(b), GREATEST_K)).at(-1) ?? 0;
}

function tableOf({ n, c }: Measurement, k: readonly number[]): PassAtKTable {
  const table = new PassAtKTable(k);
  for (let prompt = 0; prompt < n.length; prompt++) {
    if (n[prompt]! > 0) table.set(prompt, n[prompt]!, c[prompt]!);
  }
  return table;
}

const isFull = (table: PassAtKTable, prompt: number, length: number): boolean =>
  table.at(prompt, length - 1) !== undefined;

function fixedPrompts(a: Evaluated, b: Evaluated, length: number): number[] {
  const prompts: number[] = [];
  for (let prompt = 0; prompt < a.table.size; prompt++) {
    if (isFull(a.table, prompt, length) && isFull(b.table, prompt, length)) prompts.push(prompt);
  }
  // Training steps draw different prompts: without a common one each curve stands over its own.
  if (prompts.length > 0) return prompts;
  for (let prompt = 0; prompt < a.table.size; prompt++) {
    if (isFull(a.table, prompt, length)) prompts.push(prompt);
  }
  return prompts;
}

/** Prompts of the fixed set that this measurement has; all that it has where it shares none. */
function promptsIn({ table }: Evaluated, fixed: readonly number[], length: number): number[] {
  const shared = fixed.filter((prompt) => isFull(table, prompt, length));
  if (shared.length > 0) return shared;
  const own: number[] = [];
  for (let prompt = 0; prompt < table.size; prompt++) if (isFull(table, prompt, length)) own.push(prompt);
  return own;
}

function curveOf(
  { measurement, table }: Evaluated,
  prompts: readonly number[],
  k: readonly number[],
  interval: PassAtKView['interval'],
): Curve | null {
  if (prompts.length === 0) return null;
  const points = table.curveOver(prompts, k.length);
  const bands: readonly Pick<CurvePoint, 'low' | 'high'>[] =
    interval === 'bootstrap' && prompts.length > 1
      ? bootstrapCurve(table, prompts, k.length, Rng.from(`pass@k ${measurement.step}`), {
          resamples: RESAMPLES,
        })
      : points;
  const samples = prompts.map((prompt) => measurement.n[prompt]!);
  return {
    step: measurement.step,
    policyVersion: measurement.policyVersion,
    value: points.map(({ mean }) => mean),
    low: bands.map(({ low }) => low ?? NaN),
    high: bands.map(({ high }) => high ?? NaN),
    nMin: samples.reduce((least, n) => Math.min(least, n), Infinity),
    nMax: samples.reduce((most, n) => Math.max(most, n), 0),
    prompts: prompts.length,
  };
}

/** At most 60 curves: the newest ones, and those that must be there. */
function thinned(measurements: readonly Measurement[], needed: readonly Measurement[]): Measurement[] {
  if (measurements.length <= MOST_CURVES) return [...measurements];
  const every = measurements.length / MOST_CURVES;
  return measurements.filter(
    (one, i) => needed.includes(one) || Math.floor(i / every) !== Math.floor((i - 1) / every),
  );
}

function difference(
  step: number,
  {
    k,
    mean,
    halfWidth,
  }: { readonly k: number; readonly mean: number; readonly halfWidth: number | undefined },
): Difference {
  return { step, k, value: 100 * mean, halfWidth: halfWidth === undefined ? NaN : 100 * halfWidth };
}

function overSteps(
  differences: readonly {
    readonly one: Evaluated;
    readonly points: ReturnType<typeof pairedDifference>;
  }[],
  curves: readonly Curve[],
  crossingWith: (curve: Curve | undefined) => number | null,
): PassAtKView['over'] {
  const over = {
    steps: [] as number[],
    accuracy: [] as number[],
    accuracyHalf: [] as number[],
    coverage: [] as number[],
    coverageHalf: [] as number[],
    crossing: [] as (number | null)[],
  };
  for (const { one, points } of differences) {
    const first = points[0];
    const last = points.at(-1);
    if (!first || !last) continue;
    const { step } = one.measurement;
    over.steps.push(step);
    over.accuracy.push(100 * first.mean);
    over.accuracyHalf.push(100 * (first.halfWidth ?? NaN));
    over.coverage.push(100 * last.mean);
    over.coverageHalf.push(100 * (last.halfWidth ?? NaN));
    over.crossing.push(crossingWith(curves.find((curve) => curve.step === step)));
  }
  return over;
}

/** By the difficulty that the job declared; prompts without one form no bucket. */
function bucketsOf(
  { prompts }: RunStore,
  shown: Evaluated,
  against: Evaluated,
  fixed: readonly number[],
  k: readonly number[],
): PassAtKView['buckets'] {
  const byName = new Map<string, number[]>();
  for (const prompt of fixed) {
    if (!isFull(shown.table, prompt, k.length) || !isFull(against.table, prompt, k.length)) continue;
    const name = prompts.facts[prompt]?.difficulty ?? null;
    if (name === null) continue;
    const known = byName.get(name);
    if (known) known.push(prompt);
    else byName.set(name, [prompt]);
  }
  return [...byName].map(([name, members]) => ({
    name,
    prompts: members.length,
    shown: shown.table.curveOver(members, k.length).map(({ mean }) => mean),
    against: against.table.curveOver(members, k.length).map(({ mean }) => mean),
  }));
}
