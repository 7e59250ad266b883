import type { Curve, PassAtKView } from '../../protocol/panels/passAtK';
import { count, interval, passAt, withHalfWidth } from '../shared/format';
import { curveAt, differenceAt } from './headline';
import { text } from './texts';

export const rangeText = ({ nMin, nMax }: Curve): string =>
  nMin === nMax ? count(nMin) : text('nRange', { min: count(nMin), max: count(nMax) });

const CurveLine = ({ curve, at, strong }: { curve: Curve; at: number; strong: boolean }) => {
  const value = curve.value[at] ?? NaN;
  return (
    <div class="rs-row pk-card-row">
      <span class={strong ? 'rs-strong' : 'rs-second'}>{text('stepLabel', { step: curve.step })}</span>
      <span>
        {Number.isFinite(value)
          ? text('hoverLine', {
              value: passAt(value),
              interval: interval(passAt(curve.low[at] ?? NaN), passAt(curve.high[at] ?? NaN)),
            })
          : text('undefinedN')}
      </span>
    </div>
  );
};

/** Values of the two curves at one k, with interval, n and prompts. */
export const CurveCard = ({ view, at }: { view: PassAtKView; at: number }) => {
  const k = view.k[at] ?? 1;
  const shown = curveAt(view, view.shown);
  const against = curveAt(view, view.against);
  const difference = differenceAt(view, k);
  return (
    <div class="pk-card">
      <div class="rs-strong">{text('hoverTitle', { k: count(k) })}</div>
      {shown && <CurveLine curve={shown} at={at} strong />}
      {against && against !== shown && <CurveLine curve={against} at={at} strong={false} />}
      {difference && against !== shown && (
        <div class="rs-row pk-card-row">
          <span class="rs-second">
            {text('differenceRow', { shown: view.shown ?? 0, against: view.against ?? 0 })}
          </span>
          <span>{text('points', { value: withHalfWidth(difference.value, difference.halfWidth) })}</span>
        </div>
      )}
      {shown && (
        <div class="rs-second">{text('hoverN', { n: rangeText(shown), prompts: count(shown.prompts) })}</div>
      )}
    </div>
  );
};
