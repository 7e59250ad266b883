import type { Curve } from '../../protocol/panels/passAtK';
import { count, interval, passAt, withHalfWidth } from '../shared/format';
import { curveName, differenceOf, type DrawnView } from './drawnView';
import { text } from './texts';

export const rangeText = ({ nMin, nMax }: Curve): string =>
  nMin === nMax ? count(nMin) : text('nRange', { min: count(nMin), max: count(nMax) });

export const promptsOf = (prompts: number): string =>
  prompts === 1 ? text('onePrompt') : text('prompts', { count: count(prompts) });

/** pass@k of a curve at one k with interval, n, c and prompts, in one sentence. */
export const readoutText = (view: DrawnView, curve: Curve, at: number): string => {
  const k = view.k[at] ?? 1;
  const value = curve.value[at] ?? NaN;
  const low = curve.low[at] ?? NaN;
  const said = Number.isFinite(value)
    ? Number.isFinite(low)
      ? text('hoverLine', {
          value: passAt(value),
          interval: interval(passAt(low), passAt(curve.high[at] ?? NaN)),
        })
      : text('hoverAlone', { value: passAt(value) })
    : text('undefinedN');
  const difference = differenceOf(view, curve.key, k);
  const parts = [
    text('hoverTitle', { k: count(k) }),
    `${curveName(view, curve.key)}: ${said}`,
    ...(difference && view.against !== null
      ? [
          text('readoutAgainst', {
            value: withHalfWidth(difference.value, difference.halfWidth),
            name: curveName(view, view.against),
          }),
        ]
      : []),
    text('readoutN', {
      n: rangeText(curve),
      c: count(curve.correct),
      all: count(curve.samples),
      prompts: promptsOf(curve.prompts),
    }),
  ];
  return parts.join(' · ');
};
