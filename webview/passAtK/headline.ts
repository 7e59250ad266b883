import type { Curve, Difference, PassAtKView } from '../../protocol/panels/passAtK';
import { passAt, points } from '../shared/format';
import { text } from './texts';

export const curveAt = (view: PassAtKView, step: number | null): Curve | null =>
  step === null ? null : (view.curves.find((curve) => curve.step === step) ?? null);

/** Value of a curve at k; NaN where there is none. */
export const valueAt = ({ k }: PassAtKView, values: readonly number[], wanted: number): number =>
  values[k.indexOf(wanted)] ?? NaN;

/** Difference at k between the shown step and the reference; null: not both have a value. */
export const differenceAt = (view: PassAtKView, k: number): Difference | null =>
  view.difference.find((each) => each.k === k && each.step === view.shown && Number.isFinite(each.value)) ??
  null;

/** −1, 0, 1: whether the interval of a difference leaves 0, and to which side. */
export const signOf = ({ value, halfWidth }: Difference): -1 | 0 | 1 => {
  if (!(Math.abs(value) > halfWidth)) return 0;
  return value > 0 ? 1 : -1;
};

export interface Headline {
  readonly title: string;
  readonly text: string;
}

const ACCURACY = { [-1]: 'accuracyFalls', 0: 'accuracyHolds', 1: 'accuracyRises' } as const;
const COVERAGE = { [-1]: 'coverageShrinks', 0: 'coverageHolds', 1: 'coverageGrows' } as const;

/** What accuracy (pass@1) and coverage (pass@k at the largest k that all prompts have) did. */
export const headlineOf = (view: PassAtKView): Headline => {
  const step = view.shown ?? 0;
  const shown = curveAt(view, view.shown);
  const one = differenceAt(view, 1);
  const many = differenceAt(view, view.largestK);
  if (view.shown !== null && view.shown === view.against) {
    const value = shown ? passAt(valueAt(view, shown.value, 1)) : '';
    return {
      title: text('only', { step, value }),
      text: view.curves.length > 1 ? text('same', { step }) : text('onlyText'),
    };
  }
  if (!one) {
    return {
      title: text('only', { step, value: shown ? passAt(valueAt(view, shown.value, 1)) : '' }),
      text: text('onlyText'),
    };
  }
  const accuracy = text(ACCURACY[signOf(one)]);
  const since = view.against ?? 0;
  if (!many || view.largestK <= 1) {
    return { title: accuracy, text: text('sinceOne', { one: points(one.value), step: since }) };
  }
  return {
    title: text('headline', { accuracy, coverage: text(COVERAGE[signOf(many)]) }),
    text: text('since', {
      one: points(one.value),
      k: view.largestK,
      many: points(many.value),
      step: since,
    }),
  };
};
