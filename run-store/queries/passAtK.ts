import { crossings, pairedDifference } from '../../methods/estimators/comparison';
import { powersOfTwo } from '../../methods/estimators/passAtKTable';
import type { Curve, Difference, PassAtKParams, PassAtKView } from '../../protocol/panels/passAtK';
import type { RunStore } from '../runStore';
import {
  type Measurement,
  evaluatedSets,
  heldOutMeasurements,
  pooledBy,
  trainingMeasurements,
} from './measurements';
import { type Evaluated, type Part, type Points, curveOf, evaluate, isFull } from './passAtKCurves';
import { notesOf } from './passAtKNotes';
import { isParted, partsOf } from './passAtKParts';
import { rowsOf } from './passAtKRows';

/** The time of a curve grows with its greatest k. */
const GREATEST_K = 16_384;
const MOST_CURVES = 60;
/** The extrapolated curve begins at the end of the fixed set and goes on for two powers of two. */
const EXTRAPOLATED = 3;

/**
 * pass@k of what was measured: one curve a step, checkpoint, method, difficulty, domain or prompt.
 *
 * All curves stand over one fixed set of prompts: those with n ≥ the largest k in the shown and in the reference
 * measurement. Training groups: rollouts that began at the prompt are independent draws whatever forks there are;
 * the leaves of forks count where the conditions of the tree-aware form hold. null: nothing was measured yet.
 */
export function passAtKView(store: RunStore, params: PassAtKParams): PassAtKView | null {
  const measured = measurementsFor(store, params);
  const shownOne = pick(measured, params.shown, measured.at(-1));
  const againstOne = pick(measured, params.against, measured[0]);
  if (!shownOne || !againstOne) return null;
  const largestK = largestKOf(shownOne, againstOne, params.upTo);
  const k = powersOfTwo(largestK);
  const evaluated = new Map<Measurement, Evaluated>();
  const at = (measurement: Measurement): Evaluated => {
    let known = evaluated.get(measurement);
    if (!known) evaluated.set(measurement, (known = evaluate(measurement, k)));
    return known;
  };
  const keys = measured.map(({ key }) => key);
  if (k.length === 0) return emptyView(params, shownOne, againstOne, keys, evaluatedSets(store));
  const shown = at(shownOne);
  const against = at(againstOne);
  const points: Points = {
    k,
    extrapolatedK: Array.from({ length: EXTRAPOLATED }, (_, i) => largestK * 2 ** i),
    bootstrap: params.bootstrap,
  };
  const fixed = fixedPrompts(shown, against, k.length);
  const paired = !isParted(params.by);
  const drawn = thinned(measured, [shownOne, againstOne]).map(at);
  const parts = paired
    ? drawn.map((one): Part => ({
        key: one.measurement.key,
        of: one,
        prompts: promptsIn(one, fixed, k.length),
      }))
    : partsOf(store, params, shown, against, k.length);
  const plain = parts.filter(({ prompts }) => prompts.length > 0).map((part) => curveOf(part, points));
  const difference = paired ? differences(drawn, against, k.length) : [];
  const curves = plain.map((curve): Curve => ({ ...curve, crossing: crossingOf(curve.key, difference) }));
  return {
    source: params.source,
    set: shownOne.set,
    sets: evaluatedSets(store),
    by: params.by,
    sampling: shownOne.sampling,
    k,
    extrapolatedK: points.extrapolatedK,
    curves,
    keys,
    shown: shownOne.key,
    against: againstOne.key,
    paired,
    fixedPrompts: fixed.length,
    allPrompts: shownOne.n.reduce((count, n) => count + (n > 0 ? 1 : 0), 0),
    largestK,
    ranges: rangesOf(shownOne, againstOne),
    interval: curves.find(({ key }) => key === shownOne.key)?.interval ?? curves[0]?.interval ?? 'none',
    difference,
    buckets: bucketsOf(store, shown, against, fixed, k),
    notes: notesOf(store, params, {
      shown: shownOne,
      against: againstOne,
      measured,
      fixed,
      curves,
      k,
      drawn,
    }),
    threshold:
      params.source === 'training'
        ? (params.threshold ?? store.current?.start.successThreshold ?? null)
        : null,
    rows: params.rows ? rowsOf(store, shownOne, againstOne) : null,
  };
}

function measurementsFor(store: RunStore, { source, set, by, threshold }: PassAtKParams): Measurement[] {
  const byStep =
    source === 'heldOut'
      ? heldOutMeasurements(store, set ?? undefined)
      : trainingMeasurements(store, threshold);
  if (by === 'checkpoint') return pooledBy(byStep, ({ policyVersion }) => String(policyVersion));
  if (by === 'method') return pooledBy(byStep, ({ method }) => method ?? '');
  return byStep;
}

const pick = (
  measurements: readonly Measurement[],
  key: string | null,
  otherwise: Measurement | undefined,
): Measurement | undefined =>
  key === null ? otherwise : (measurements.findLast((one) => one.key === key) ?? otherwise);

/** Samples that both have of each prompt; of the shown one where they share no prompt. */
function commonSamples(shown: Measurement, against: Measurement): Int32Array {
  const both = shown.n.map((n, i) => Math.min(n, against.n[i]!));
  return both.some((n) => n > 0) ? both : shown.n;
}

/** The greatest power of two up to `upTo` that a prompt has; without it the greatest that half of the prompts have. */
function largestKOf(shown: Measurement, against: Measurement, upTo: number | null): number {
  const sorted = commonSamples(shown, against)
    .filter((n) => n > 0)
    .sort();
  const middle = sorted[(sorted.length - 1) >> 1] ?? 0;
  const most = upTo === null ? middle : Math.min(upTo, sorted.at(-1) ?? 0);
  return powersOfTwo(Math.min(most, GREATEST_K)).at(-1) ?? 0;
}

function rangesOf(shown: Measurement, against: Measurement): PassAtKView['ranges'] {
  const common = commonSamples(shown, against);
  const most = common.reduce((greatest, n) => Math.max(greatest, n), 0);
  return powersOfTwo(Math.min(most, GREATEST_K)).map((k) => ({
    k,
    prompts: common.reduce((count, n) => count + (n >= k ? 1 : 0), 0),
  }));
}

function fixedPrompts(a: Evaluated, b: Evaluated, length: number): number[] {
  const prompts: number[] = [];
  for (let prompt = 0; prompt < a.table.size; prompt++) {
    if (isFull(a, prompt, length) && isFull(b, prompt, length)) prompts.push(prompt);
  }
  // Training steps draw different prompts: without a common one each curve stands over its own.
  return prompts.length > 0 ? prompts : promptsIn(a, [], length);
}

/** Prompts of the fixed set that this measurement has; all that it has where it shares none. */
function promptsIn(one: Evaluated, fixed: readonly number[], length: number): number[] {
  const shared = fixed.filter((prompt) => isFull(one, prompt, length));
  if (shared.length > 0) return shared;
  const own: number[] = [];
  for (let prompt = 0; prompt < one.table.size; prompt++) if (isFull(one, prompt, length)) own.push(prompt);
  return own;
}

/** At most 60 curves, evenly spread, and those that must be there. */
function thinned(measurements: readonly Measurement[], needed: readonly Measurement[]): Measurement[] {
  if (measurements.length <= MOST_CURVES) return [...measurements];
  const every = measurements.length / MOST_CURVES;
  return measurements.filter(
    (one, i) => needed.includes(one) || Math.floor(i / every) !== Math.floor((i - 1) / every),
  );
}

/** Where the paired difference changes its sign: the curves cross there, over the prompts that both have. */
function crossingOf(key: string, difference: readonly Difference[]): number | null {
  const own = difference.filter((each) => each.key === key);
  const ks = own.map(({ k }) => k);
  const values = own.map(({ value }) => value);
  return (
    crossings(
      ks,
      values,
      values.map(() => 0),
    )[0]?.k ?? null
  );
}

function differences(drawn: readonly Evaluated[], against: Evaluated, length: number): Difference[] {
  return drawn.flatMap((one) =>
    one === against
      ? []
      : pairedDifference(one.table, against.table, length).map(
          ({ k, mean, halfWidth, prompts }): Difference => ({
            key: one.measurement.key,
            k,
            value: 100 * mean,
            halfWidth: halfWidth === undefined ? NaN : 100 * halfWidth,
            prompts,
          }),
        ),
  );
}

/** By the difficulty that the job declared, the hardest for the reference first; prompts without one form no bucket. */
function bucketsOf(
  { prompts }: RunStore,
  shown: Evaluated,
  against: Evaluated,
  fixed: readonly number[],
  k: readonly number[],
): PassAtKView['buckets'] {
  const byName = new Map<string, number[]>();
  for (const prompt of fixed) {
    if (!isFull(shown, prompt, k.length) || !isFull(against, prompt, k.length)) continue;
    const name = prompts.facts[prompt]?.difficulty ?? null;
    if (name === null) continue;
    const known = byName.get(name);
    if (known) known.push(prompt);
    else byName.set(name, [prompt]);
  }
  const buckets = [...byName].map(([name, members]) => ({
    name,
    prompts: members.length,
    shown: shown.table.curveOver(members, k.length).map(({ mean }) => mean),
    against: against.table.curveOver(members, k.length).map(({ mean }) => mean),
  }));
  return buckets.sort((a, b) => a.against[0]! - b.against[0]!);
}

/** Measured, but no prompt has a sample: nothing to draw, and that is said. */
function emptyView(
  params: PassAtKParams,
  shown: Measurement,
  against: Measurement,
  keys: readonly string[],
  sets: readonly string[],
): PassAtKView {
  return {
    source: params.source,
    set: shown.set,
    sets,
    by: params.by,
    sampling: shown.sampling,
    k: [],
    extrapolatedK: [],
    curves: [],
    keys,
    shown: shown.key,
    against: against.key,
    paired: !isParted(params.by),
    fixedPrompts: 0,
    allPrompts: 0,
    largestK: 0,
    ranges: [],
    interval: 'none',
    difference: [],
    buckets: [],
    notes: [{ code: 'noSamples', values: { key: shown.key } }],
    threshold: null,
    rows: null,
  };
}
