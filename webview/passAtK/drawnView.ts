import type { Curve, CurveKind, Difference, PassAtKView } from '../../protocol/panels/passAtK';
import { text } from './texts';

/** One curve a …: what the store tells apart, or a run. */
export const KINDS = ['step', 'checkpoint', 'run', 'method', 'difficulty', 'domain', 'prompt'] as const;
export type Kind = CurveKind | 'run';

/** What the pictures draw: the view of one run, or several runs put side by side. */
export interface DrawnView extends Omit<PassAtKView, 'by'> {
  readonly by: Kind;
  /** Titles of curves whose keys are not for people. */
  readonly names: Readonly<Record<string, string>>;
}

/** Name of a curve at its end: `step 400`, `v12`, `Knapsack-RL`, `hard`. */
export const curveName = ({ by, names }: DrawnView, key: string): string => {
  if (by === 'step') return text('stepLabel', { step: key });
  if (by === 'checkpoint') return text('checkpointLabel', { version: key });
  if (by === 'method' && key === '') return text('noMethod');
  return names[key] ?? key;
};

/** The same in a column that says what it is. */
export const shortName = (view: DrawnView, key: string): string =>
  view.by === 'step' ? key : curveName(view, key);

/** Name of the measurement that parts are taken from. */
export const measuredName = (view: DrawnView): string =>
  view.shown === null ? '' : text('stepLabel', { step: view.shown });

export const curveAt = (view: DrawnView, key: string | null): Curve | null =>
  key === null ? null : (view.curves.find((curve) => curve.key === key) ?? null);

/** Value of a curve at k; NaN where there is none. */
export const valueAt = ({ k }: DrawnView, values: readonly number[], wanted: number): number =>
  values[k.indexOf(wanted)] ?? NaN;

/** Difference of a curve and the reference at k; null: not both have a value. */
export const differenceOf = (view: DrawnView, key: string | null, k: number): Difference | null =>
  view.difference.find((each) => each.k === k && each.key === key && Number.isFinite(each.value)) ?? null;

/** Difference at k between the shown curve and the reference. */
export const differenceAt = (view: DrawnView, k: number): Difference | null =>
  differenceOf(view, view.shown, k);

/** −1, 0, 1: whether the interval of a difference leaves 0, and to which side. */
export const signOf = ({ value, halfWidth }: Pick<Difference, 'value' | 'halfWidth'>): -1 | 0 | 1 => {
  if (!(Math.abs(value) > halfWidth)) return 0;
  return value > 0 ? 1 : -1;
};

/** Whether two curves are compared: over prompts that both have. */
export const isCompared = (view: DrawnView): boolean =>
  view.paired && view.shown !== view.against && differenceAt(view, 1) !== null;
