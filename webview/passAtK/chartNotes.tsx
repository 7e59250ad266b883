import type { Curve } from '../../protocol/panels/passAtK';
import { count, pointsValue } from '../shared/format';
import { smallTextWidth } from '../shared/textWidth';
import type { Frame } from './chartFrame';
import { curveAt, curveName, differenceAt, valueAt } from './drawnView';
import { text } from './texts';

/** The difference at one k, in points, below the lower curve. */
export const PointsNote = ({ frame, k }: { frame: Frame; k: number }) => {
  const { view, x, y, right, bottom } = frame;
  const difference = differenceAt(view, k);
  const shown = curveAt(view, view.shown);
  const against = curveAt(view, view.against);
  if (!difference || !shown || !against || shown === against) return null;
  const low = Math.min(valueAt(view, shown.value, k), valueAt(view, against.value, k));
  const from = y(low) + 6;
  const to = Math.min(bottom - 8, from + 18);
  const label = text('points', { value: pointsValue(difference.value) });
  const end = x(k) + 6 + smallTextWidth(label) > right;
  return (
    <g>
      <line x1={x(k) + 0.5} x2={x(k) + 0.5} y1={from} y2={to} stroke="var(--rs-text)" />
      <text x={x(k) + (end ? -6 : 6)} y={to + 4} class={`rs-strong rs-halo${end ? ' rs-end' : ''}`}>
        {label}
      </text>
    </g>
  );
};

/** pass@k of a curve at any k, linear in log k between its points. */
const valueBetween = ({ view }: Frame, curve: Curve, k: number): number => {
  const i = view.k.findLastIndex((each) => each <= k);
  const a = view.k[i] ?? k;
  const b = view.k[i + 1];
  const from = curve.value[i] ?? NaN;
  if (b === undefined || a === k) return from;
  const share = Math.log(k / a) / Math.log(b / a);
  return from + ((curve.value[i + 1] ?? NaN) - from) * share;
};

/** Where the shown curve crosses the reference: ringed, and said in words. */
export const Crossing = ({ frame }: { frame: Frame }) => {
  const { view, x, y, bottom, width } = frame;
  const shown = curveAt(view, view.shown);
  if (!shown || shown.crossing === null) return null;
  const k = shown.crossing;
  const p = valueBetween(frame, shown, k);
  if (!Number.isFinite(p)) return null;
  const less = (differenceAt(view, view.largestK)?.value ?? -1) < 0;
  const lines = [
    text('crossing', { k: count(k) }),
    text('crossingBeyond', { name: curveName(view, shown.key) }),
    text(less ? 'crossingLess' : 'crossingMore'),
  ];
  const at = x(k);
  const end = at + 8 + Math.max(...lines.map(smallTextWidth)) > width;
  return (
    <g data-crossing={k}>
      <circle cx={at} cy={y(p)} r="7" fill="none" stroke="var(--rs-text)" stroke-width="1.5" />
      <line x1={at} x2={at} y1={y(p) + 7} y2={bottom} stroke="var(--rs-text)" stroke-dasharray="2 2" />
      {lines.map((line, i) => (
        <text
          key={line}
          x={at + (end ? -8 : 8)}
          y={bottom - 44 + i * 16}
          class={`rs-halo${end ? ' rs-end' : ''}${i === 0 ? ' rs-strong' : ' rs-second'}`}
        >
          {line}
        </text>
      ))}
    </g>
  );
};
