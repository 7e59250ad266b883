import { passAt, points } from '../shared/format';
import { curveAt, curveName, differenceAt, signOf, valueAt, type DrawnView } from './drawnView';
import { text } from './texts';

export interface Headline {
  readonly title: string;
  readonly text: string;
}

const ACCURACY = { [-1]: 'accuracyFalls', 0: 'accuracyHolds', 1: 'accuracyRises' } as const;
const COVERAGE = { [-1]: 'coverageShrinks', 0: 'coverageHolds', 1: 'coverageGrows' } as const;
const ACCURACY_OF = { [-1]: 'accuracyLower', 0: 'accuracyEqual', 1: 'accuracyHigher' } as const;
const COVERAGE_OF = { [-1]: 'coverageLower', 0: 'coverageEqual', 1: 'coverageHigher' } as const;

/** The k at which the curves lie furthest apart. */
const widestK = (view: DrawnView): number => {
  const widths = view.k.map((k) => {
    const values = view.curves.map((curve) => valueAt(view, curve.value, k)).filter(Number.isFinite);
    return Math.max(...values) - Math.min(...values);
  });
  return view.k[widths.indexOf(Math.max(...widths))] ?? view.largestK;
};

/** Parts of one measurement: which is highest and which lowest, where they differ most. */
const partsHeadline = (view: DrawnView): Headline => {
  const k = widestK(view);
  const known = view.curves
    .filter((curve) => Number.isFinite(valueAt(view, curve.value, k)))
    .sort((a, b) => valueAt(view, b.value, k) - valueAt(view, a.value, k));
  const [top] = known;
  const low = known.at(-1);
  if (!top || !low) return { title: text('noParts'), text: '' };
  const said = (curve: typeof top): string =>
    text('valueOf', { name: curveName(view, curve.key), value: passAt(valueAt(view, curve.value, k)) });
  return {
    title:
      top === low
        ? text('partAlone', { k, curve: said(top) })
        : text('parts', { k, top: said(top), low: said(low) }),
    text: text('partsText', { step: view.shown ?? '' }),
  };
};

/** What accuracy (pass@1) and coverage (pass@k at the largest k that all prompts have) did. */
export const headlineOf = (view: DrawnView): Headline => {
  if (!view.paired) return partsHeadline(view);
  const shown = curveAt(view, view.shown);
  const name = curveName(view, view.shown ?? '');
  const value = shown ? passAt(valueAt(view, shown.value, 1)) : '';
  if (view.shown === view.against) {
    const several = view.curves.length > 1;
    return {
      title: text('only', { name, value }),
      text: several ? text('same', { name }) : text(view.by === 'step' ? 'onlyText' : 'onlyOther'),
    };
  }
  const one = differenceAt(view, 1);
  const many = differenceAt(view, view.largestK);
  const since = curveName(view, view.against ?? '');
  if (!one) return { title: text('only', { name, value }), text: text('notComparable', { name: since }) };
  const inTime = view.by === 'step' || view.by === 'checkpoint';
  const accuracy = text((inTime ? ACCURACY : ACCURACY_OF)[signOf(one)], { name });
  if (!many || view.largestK <= 1) {
    return {
      title: accuracy,
      text: text(inTime ? 'sinceOne' : 'againstOne', { one: points(one.value), name: since }),
    };
  }
  return {
    title: text('headline', { accuracy, coverage: text((inTime ? COVERAGE : COVERAGE_OF)[signOf(many)]) }),
    text: text(inTime ? 'since' : 'againstBoth', {
      one: points(one.value),
      k: view.largestK,
      many: points(many.value),
      name: since,
    }),
  };
};
