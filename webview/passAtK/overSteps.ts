import { signOf, type DrawnView } from './drawnView';

/** pass@1 and pass@k of every curve in time against the reference, points; paired over prompts. */
export interface OverSteps {
  readonly k: number;
  /** Step or policy version of each entry, rising. */
  readonly steps: readonly number[];
  readonly accuracy: readonly number[];
  readonly accuracyHalf: readonly number[];
  readonly coverage: readonly number[];
  readonly coverageHalf: readonly number[];
  /** k where the curve crosses the reference; null: it does not. */
  readonly crossing: readonly (number | null)[];
  readonly prompts: readonly number[];
}

/** Curves that follow each other in time. */
export const isInTime = (view: DrawnView): boolean => view.by === 'step' || view.by === 'checkpoint';

export const overSteps = (view: DrawnView, k: number): OverSteps => {
  const rows = view.curves
    .map((curve) => {
      const step = Number(curve.key);
      const isReference = curve.key === view.against;
      const at = (wanted: number) =>
        view.difference.find((each) => each.key === curve.key && each.k === wanted) ??
        (isReference ? { value: 0, halfWidth: 0, prompts: curve.prompts } : null);
      return { step, crossing: curve.crossing, one: at(1), many: at(k) };
    })
    .filter(({ one, many }) => one !== null && many !== null)
    .sort((a, b) => a.step - b.step);
  return {
    k,
    steps: rows.map(({ step }) => step),
    accuracy: rows.map(({ one }) => one?.value ?? NaN),
    accuracyHalf: rows.map(({ one }) => one?.halfWidth ?? NaN),
    coverage: rows.map(({ many }) => many?.value ?? NaN),
    coverageHalf: rows.map(({ many }) => many?.halfWidth ?? NaN),
    crossing: rows.map(({ crossing }) => crossing),
    prompts: rows.map(({ many }) => many?.prompts ?? 0),
  };
};

/** Whether coverage was traded for accuracy at an entry: one is higher, the other lower, and both intervals leave 0. */
export const isTraded = (over: OverSteps, i: number): boolean =>
  signOf({ value: over.accuracy[i] ?? NaN, halfWidth: over.accuracyHalf[i] ?? NaN }) === 1 &&
  signOf({ value: over.coverage[i] ?? NaN, halfWidth: over.coverageHalf[i] ?? NaN }) === -1;

/** Entries at which coverage was traded for accuracy. */
export const tradedAt = (over: OverSteps): readonly number[] =>
  over.steps.flatMap((_, i) => (isTraded(over, i) ? [i] : []));

/** Place of the first entry whose interval leaves 0; −1: none. */
export const firstSignificant = (values: readonly number[], halves: readonly number[]): number =>
  values.findIndex((value, i) => Math.abs(value) > (halves[i] ?? NaN) && value !== 0);
