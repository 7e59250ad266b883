import { stopOnSuccess } from '../../methods/estimators/conditions';
import type { Curve, PasskNote, PassAtKParams } from '../../protocol/panels/passAtK';
import type { RunStore } from '../runStore';
import { type Measurement, trainingSteps } from './measurements';
import type { Evaluated } from './passAtKCurves';
import { isParted } from './passAtKParts';
import { outcomesInOrder } from './trainingCounts';

interface Drawn {
  readonly shown: Measurement;
  readonly against: Measurement;
  readonly measured: readonly Measurement[];
  readonly drawn: readonly Evaluated[];
  readonly fixed: readonly number[];
  readonly curves: readonly Curve[];
  readonly k: readonly number[];
}

/** Names of curves that a sentence can bear. */
const NAMED = 4;
const listed = (keys: readonly string[]): string =>
  keys.length <= NAMED ? keys.join(', ') : `${keys.slice(0, NAMED).join(', ')}, …`;

/** What a reader of the curves must know, gravest first. */
export function notesOf(store: RunStore, params: PassAtKParams, drawn: Drawn): PasskNote[] {
  return [
    ...(params.source === 'training' ? countingNotes(store, params, drawn.shown) : []),
    ...setNotes(params, drawn),
    ...curveNotes(drawn, !isParted(params.by)),
    ...(isParted(params.by) && drawn.curves.length === 0
      ? [{ code: 'noBucket', values: { by: params.by } } as const]
      : []),
  ];
}

/** How n and c of training groups came about. */
function countingNotes(store: RunStore, params: PassAtKParams, shown: Measurement): PasskNote[] {
  const notes: PasskNote[] = [];
  const { groups, nonBinary, forgotten, treeAware, rootsOnly } = shown.facts;
  const outcomes = shown.steps.flatMap(({ incarnation, step }) => [...outcomesInOrder(incarnation, step)]);
  const stop = stopOnSuccess(outcomes);
  if (stop.stopped) notes.push({ code: 'stopsOnSuccess', values: { groups: stop.groups } });
  if (params.threshold !== null) notes.push({ code: 'threshold', values: { value: params.threshold } });
  if (nonBinary > 0) {
    const threshold = params.threshold ?? store.current?.start.successThreshold ?? 0;
    notes.push({ code: 'nonBinary', values: { groups: nonBinary, all: groups, threshold } });
  }
  if (forgotten > 0) notes.push({ code: 'forgotten', values: { groups: forgotten, all: groups } });
  for (const [because, count] of Object.entries(rootsOnly)) {
    notes.push({ code: 'rootsOnly', values: { groups: count, all: groups, because } });
  }
  if (treeAware > 0) notes.push({ code: 'treeAware', values: { groups: treeAware, all: groups } });
  const steps = trainingSteps(store);
  const counted = params.by === 'step' ? new Set(shown.steps) : null;
  if (counted && steps > 60) notes.push({ code: 'thinned', values: { drawn: 60, all: steps } });
  return notes;
}

/** Which prompts the curves stand over. */
function setNotes(
  { by }: PassAtKParams,
  { shown, against, fixed, curves, k, measured, drawn }: Drawn,
): PasskNote[] {
  const notes: PasskNote[] = [];
  const largestK = k.at(-1) ?? 0;
  const all = shown.n.reduce((count, n) => count + (n > 0 ? 1 : 0), 0);
  const short = shown.n.reduce((count, n) => count + (n > 0 && n < largestK ? 1 : 0), 0);
  const common = fixed.some((prompt) => against.n[prompt]! > 0);
  if (!isParted(by)) {
    if (!common) {
      notes.push({ code: 'differentPrompts', values: { shown: shown.key, against: against.key } });
    } else if (fixed.length < all - short) {
      notes.push({ code: 'fewerPrompts', values: { fixed: fixed.length, all, curves: against.key } });
    }
    const other = curves.filter(({ key, prompts }) => prompts !== fixed.length && key !== against.key);
    if (other.length > 0 && common) {
      const keys = listed(other.map(({ key }) => key));
      notes.push({ code: 'fewerPrompts', values: { fixed: fixed.length, all: -1, curves: keys } });
    }
    if (drawn.length < measured.length) {
      notes.push({ code: 'thinned', values: { drawn: drawn.length, all: measured.length } });
    }
    if (curves.some(({ pooled }) => pooled > 1)) {
      const most = Math.max(...curves.map(({ pooled }) => pooled));
      notes.push({ code: 'pooled', values: { most } });
    }
  }
  if (short > 0) notes.push({ code: 'unequalN', values: { out: short, all, k: largestK } });
  return notes;
}

/** The model does not even meet the counted value where it begins. */
function isMisfit({ low, high, extrapolated }: Curve, last: number): boolean {
  const model = extrapolated[0] ?? NaN;
  return model < low[last]! || model > high[last]!;
}

const gap = ({ value, extrapolated }: Curve): number =>
  Math.abs((extrapolated[0] ?? NaN) - (value.at(-1) ?? NaN));

/** What the values themselves cannot say. */
function curveNotes({ curves, shown, against, fixed, k }: Drawn, paired: boolean): PasskNote[] {
  if (curves.length === 0) return [];
  const notes: PasskNote[] = [];
  const misfit = curves
    .filter(({ key }) => !paired || key === shown.key || key === against.key)
    .filter((curve) => isMisfit(curve, k.length - 1))
    .sort((a, b) => gap(b) - gap(a));
  const [worst] = misfit;
  if (worst) {
    const names = listed(misfit.map(({ key }) => key));
    const values = { names, counted: worst.value.at(-1)!, model: worst.extrapolated[0]!, k: k.at(-1)! };
    notes.push({ code: 'misfit', values });
  }
  if (curves.some(({ prompts }) => prompts === 1)) notes.push({ code: 'onePrompt', values: {} });
  const counted = fixed.filter((prompt) => shown.n[prompt]! > 0);
  if (counted.length > 0 && counted.every((prompt) => shown.c[prompt] === 0)) {
    notes.push({ code: 'allZero', values: { prompts: counted.length } });
  } else if (counted.length > 0 && counted.every((prompt) => shown.c[prompt] === shown.n[prompt])) {
    notes.push({ code: 'allOne', values: { prompts: counted.length } });
  }
  return notes;
}
