import type { Curve } from '../../protocol/panels/passAtK';
import { count, interval, passAt, withHalfWidth } from '../shared/format';
import {
  curveAt,
  curveName,
  differenceAt,
  isCompared,
  shortName,
  valueAt,
  type DrawnView,
} from './drawnView';
import { promptsOf, rangeText } from './readoutText';
import { text } from './texts';

/** Lines of curves in a card. */
const MOST_LINES = 5;

const CurveLine = ({
  view,
  curve,
  at,
  strong,
}: {
  view: DrawnView;
  curve: Curve;
  at: number;
  strong: boolean;
}) => {
  const value = curve.value[at] ?? NaN;
  const low = curve.low[at] ?? NaN;
  return (
    <div class="rs-row pk-card-row">
      <span class={`rs-cut ${strong ? 'rs-strong' : 'rs-second'}`}>{curveName(view, curve.key)}</span>
      <span>
        {!Number.isFinite(value)
          ? text('undefinedN')
          : Number.isFinite(low)
            ? text('hoverLine', {
                value: passAt(value),
                interval: interval(passAt(low), passAt(curve.high[at] ?? NaN)),
              })
            : text('hoverAlone', { value: passAt(value) })}
      </span>
    </div>
  );
};

/** Curves that a card tells of: the two that are compared, else the highest ones at that k. */
const told = (view: DrawnView, at: number): readonly Curve[] => {
  if (view.paired) {
    const two = [curveAt(view, view.shown), curveAt(view, view.against)];
    return [...new Set(two)].filter((curve) => curve !== null);
  }
  const k = view.k[at] ?? 1;
  return [...view.curves]
    .sort((a, b) => valueAt(view, b.value, k) - valueAt(view, a.value, k))
    .slice(0, MOST_LINES);
};

/** Values of the curves at one k, with interval, n, c and prompts. */
export const CurveCard = ({ view, at }: { view: DrawnView; at: number }) => {
  const k = view.k[at] ?? 1;
  const curves = told(view, at);
  const [first] = curves;
  const difference = isCompared(view) ? differenceAt(view, k) : null;
  return (
    <div class="pk-card">
      <div class="rs-strong">{text('hoverTitle', { k: count(k) })}</div>
      {curves.map((curve, i) => (
        <CurveLine key={curve.key} view={view} curve={curve} at={at} strong={i === 0} />
      ))}
      {difference && (
        <div class="rs-row pk-card-row">
          <span class="rs-second">
            {text('differenceRow', {
              shown: shortName(view, view.shown ?? ''),
              against: shortName(view, view.against ?? ''),
            })}
          </span>
          <span>{text('points', { value: withHalfWidth(difference.value, difference.halfWidth) })}</span>
        </div>
      )}
      {first && view.paired && (
        <div class="rs-second">
          {text('readoutN', {
            n: rangeText(first),
            c: count(first.correct),
            all: count(first.samples),
            prompts: promptsOf(first.prompts),
          })}
        </div>
      )}
    </div>
  );
};
