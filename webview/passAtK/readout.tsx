import type { Curve } from '../../protocol/panels/passAtK';
import { count, interval, passAt } from '../shared/format';
import { curveAt, curveName, differenceOf, type DrawnView } from './drawnView';
import { caretCurve, caretK } from './passAtKState';
import { text } from './texts';
import { withHalfWidth } from '../shared/format';

export const rangeText = ({ nMin, nMax }: Curve): string =>
  nMin === nMax ? count(nMin) : text('nRange', { min: count(nMin), max: count(nMax) });

/** The curve that the readout is about: chosen by the keys, else the shown one, else the first. */
export const caretOf = (view: DrawnView): Curve | null =>
  curveAt(view, caretCurve.value) ?? curveAt(view, view.paired ? view.shown : null) ?? view.curves[0] ?? null;

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

export const promptsOf = (prompts: number): string =>
  prompts === 1 ? text('onePrompt') : text('prompts', { count: count(prompts) });

/** The fixed line under the chart, for mouse and caret alike. */
export const Readout = ({ view, id }: { view: DrawnView; id: string }) => {
  const curve = caretOf(view);
  const at = caretK.value;
  const said = curve && at >= 0 && at < view.k.length ? readoutText(view, curve, at) : text('readoutHint');
  return (
    <div id={id} class="pk-readout rs-small rs-second" role="status" title={said}>
      {said}
    </div>
  );
};
