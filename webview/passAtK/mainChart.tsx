import type { Curve, PassAtKView } from '../../protocol/panels/passAtK';
import { count, pointsValue, rate } from '../shared/format';
import { hideCard, showCard } from '../shared/hoverCard';
import { breakpoint } from '../shared/panelSize';
import { smallTextWidth } from '../shared/textWidth';
import { bandPath, betweenAreas, linePath, powersOfTwo, spread, type Point } from './chartPaths';
import { CurveCard } from './curveCard';
import { curveAt, differenceAt, valueAt } from './headline';
import { hoveredK } from './passAtKState';
import { text } from './texts';
import { useWidth } from './useWidth';

/** Labels of the lines between, beside those of the two that are compared. */
const MOST_BETWEEN = 4;
const LABEL_GAP = 14;

interface Frame {
  readonly view: PassAtKView;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (k: number) => number;
  readonly y: (p: number) => number;
}

const pointsOf = ({ view, x, y }: Frame, values: readonly number[]): readonly Point[] =>
  view.k.map((k, i) => ({ x: x(k), y: y(values[i] ?? NaN) }));

const Axes = ({ frame }: { frame: Frame }) => {
  const { view, left, right, top, bottom, x, y } = frame;
  const last = view.k[view.k.length - 1] ?? 1;
  const cut = x(view.largestK);
  const prompts =
    view.fixedPrompts === view.allPrompts
      ? text('fixed', { fixed: count(view.fixedPrompts), k: count(view.largestK) })
      : text('fixedOf', {
          fixed: count(view.fixedPrompts),
          all: count(view.allPrompts),
          out: count(view.allPrompts - view.fixedPrompts),
          k: count(view.largestK),
        });
  return (
    <>
      {[0, 0.2, 0.4, 0.6, 0.8, 1].map((p) => (
        <g key={p}>
          <line x1={left} x2={right} y1={y(p) + 0.5} y2={y(p) + 0.5} stroke="var(--rs-grid)" />
          <text x={left - 8} y={y(p) + 4} class="rs-second rs-end">
            {p === 0 || p === 1 ? p : `.${Math.round(p * 10)}`}
          </text>
        </g>
      ))}
      {powersOfTwo(view.k[0] ?? 1, last).map((k) => (
        <g key={k}>
          <line x1={x(k) + 0.5} x2={x(k) + 0.5} y1={bottom} y2={bottom + 4} stroke="var(--rs-second)" />
          <text x={x(k)} y={bottom + 16} class="rs-second rs-middle">
            {count(k)}
          </text>
        </g>
      ))}
      <line x1={left} x2={right} y1={bottom + 0.5} y2={bottom + 0.5} stroke="var(--rs-second)" />
      {view.largestK < last && (
        <g>
          <rect
            x={cut}
            y={top}
            width={right - cut}
            height={bottom - top}
            fill="var(--rs-grid)"
            opacity=".6"
          />
          {right - cut > smallTextWidth(text('noValue')) + 8 && (
            <text x={(cut + right) / 2} y={top + 12} class="rs-second rs-middle">
              {text('noValue')}
            </text>
          )}
        </g>
      )}
      <text x={left} y={bottom + 32} class="rs-second">
        {prompts}
      </text>
      {right - left > smallTextWidth(prompts + text('axisK')) + 24 && (
        <text x={right} y={bottom + 32} class="rs-second rs-end">
          {text('axisK')}
        </text>
      )}
    </>
  );
};

const Line = ({
  frame,
  curve,
  kind,
}: {
  frame: Frame;
  curve: Curve;
  kind: 'shown' | 'against' | 'between';
}) => {
  const points = pointsOf(frame, curve.value);
  const edge = kind !== 'between';
  return (
    <g data-line={curve.step}>
      {edge && (
        <path
          d={bandPath(pointsOf(frame, curve.low), pointsOf(frame, curve.high))}
          fill={kind === 'shown' ? 'var(--rs-text)' : 'var(--rs-second)'}
          fill-opacity=".1"
        />
      )}
      <path
        d={linePath(points)}
        fill="none"
        stroke={kind === 'shown' ? 'var(--rs-text)' : 'var(--rs-second)'}
        stroke-width={edge ? 2 : 1}
        {...(edge ? {} : { opacity: '.55' })}
      />
      {edge &&
        points
          .filter(({ y }) => Number.isFinite(y))
          .map(({ x, y }) =>
            kind === 'shown' ? (
              <circle key={x} cx={x} cy={y} r="3" fill="var(--rs-text)" />
            ) : (
              <rect
                key={x}
                x={x - 3}
                y={y - 3}
                width="6"
                height="6"
                fill="var(--rs-ground)"
                stroke="var(--rs-second)"
                stroke-width="1.5"
              />
            ),
          )}
    </g>
  );
};

const lastKnown = (values: readonly number[]): number => values.findLast((p) => Number.isFinite(p)) ?? NaN;

/** Names and values at the right ends; of many lines between, a few. */
const EndLabels = ({ frame }: { frame: Frame }) => {
  const { view, right, top, bottom, y } = frame;
  const edge = (curve: Curve): boolean => curve.step === view.shown || curve.step === view.against;
  const between = view.curves.filter((curve) => !edge(curve));
  const every = Math.max(1, Math.ceil(between.length / MOST_BETWEEN));
  const labelled = view.curves.filter(
    (curve) => edge(curve) || between.indexOf(curve) % every === Math.floor(every / 2),
  );
  const known = labelled.filter((curve) => Number.isFinite(lastKnown(curve.value)));
  const places = spread(
    known.map((curve) => y(lastKnown(curve.value)) + 4),
    LABEL_GAP,
    top + 4,
    bottom,
  );
  return (
    <>
      {known.map((curve, i) => (
        <g key={curve.step}>
          <text x={right + 8} y={places[i]} class={edge(curve) ? 'rs-strong' : 'rs-second'}>
            {text('stepLabel', { step: curve.step })}
          </text>
          <text x={right + 96} y={places[i]} class={`rs-end${edge(curve) ? '' : ' rs-second'}`}>
            {rate(lastKnown(curve.value))}
          </text>
        </g>
      ))}
    </>
  );
};

const PointsNote = ({ frame, k }: { frame: Frame; k: number }) => {
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

const Crossing = ({ frame }: { frame: Frame }) => {
  const { view, x, y, bottom, right } = frame;
  const shown = curveAt(view, view.shown);
  if (view.crossing === null || !shown) return null;
  const p = valueBetween(frame, shown, view.crossing);
  if (!Number.isFinite(p)) return null;
  const less = (differenceAt(view, view.largestK)?.value ?? -1) < 0;
  const lines = [
    text('crossing', { k: count(view.crossing) }),
    text(less ? 'crossingLess1' : 'crossingMore1'),
    text(less ? 'crossingLess2' : 'crossingMore2'),
  ];
  const at = x(view.crossing);
  const end = at + 8 + Math.max(...lines.map(smallTextWidth)) > right;
  return (
    <g>
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

/** pass@k over k: the shown checkpoint, the reference, what lies between them. */
export const MainChart = ({ view }: { view: PassAtKView }) => {
  const { box, width } = useWidth();
  const narrow = breakpoint.value === 'narrow';
  const height = narrow ? 304 : 432;
  const left = 48;
  const right = Math.max(left + 120, width.value - 112);
  const top = 12;
  const bottom = height - 44;
  const first = Math.log2(view.k[0] ?? 1);
  const span = Math.max(1e-9, Math.log2(view.k[view.k.length - 1] ?? 2) - first);
  const frame: Frame = {
    view,
    left,
    right,
    top,
    bottom,
    x: (k) => left + ((Math.log2(k) - first) / span) * (right - left),
    y: (p) => top + (1 - p) * (bottom - top),
  };
  const shown = curveAt(view, view.shown);
  const against = curveAt(view, view.against);
  const two = shown !== null && against !== null && shown !== against;
  const hover = hoveredK.value;
  const nearest = (clientX: number, area: DOMRect): number => {
    let best = -1;
    view.k.forEach((k, i) => {
      const distance = Math.abs(frame.x(k) - (clientX - area.left));
      if (best < 0 || distance < Math.abs(frame.x(view.k[best] ?? 1) - (clientX - area.left))) best = i;
    });
    return best;
  };
  return (
    <div
      ref={box}
      class="pk-main-chart"
      onPointerMove={(event) => {
        const area = event.currentTarget.getBoundingClientRect();
        const i = nearest(event.clientX, area);
        const k = view.k[i];
        if (k === undefined || event.clientX - area.left > right + 12) return;
        hoveredK.value = i;
        const at = area.left + frame.x(k);
        const values = [shown, against].flatMap((curve) => curve?.value[i] ?? []);
        const highest = Math.max(...values.filter((p) => Number.isFinite(p)), 0);
        const y = area.top + frame.y(highest);
        showCard(
          `k ${k}`,
          { left: at - 6, right: at + 6, top: y - 6, bottom: y + 6 },
          () => <CurveCard view={view} at={i} />,
          at,
        );
      }}
      onPointerLeave={() => {
        hoveredK.value = -1;
        hideCard();
      }}
    >
      <svg
        class="pk-chart"
        width={Math.max(1, width.value)}
        height={height}
        role="img"
        aria-label={text('chartName', { step: view.shown ?? 0, against: view.against ?? 0 })}
      >
        <Axes frame={frame} />
        {two &&
          betweenAreas(pointsOf(frame, against.value), pointsOf(frame, shown.value)).map(({ gain, path }) => (
            <path key={path} class={gain ? 'pk-gain' : 'pk-loss'} d={path} />
          ))}
        {view.curves
          .filter((curve) => curve !== shown && curve !== against)
          .map((curve) => (
            <Line key={curve.step} frame={frame} curve={curve} kind="between" />
          ))}
        {against && two && <Line frame={frame} curve={against} kind="against" />}
        {shown && <Line frame={frame} curve={shown} kind="shown" />}
        {hover >= 0 && (
          <line
            data-hover=""
            x1={frame.x(view.k[hover] ?? 1)}
            x2={frame.x(view.k[hover] ?? 1)}
            y1={top}
            y2={bottom}
            stroke="var(--rs-strip)"
          />
        )}
        <EndLabels frame={frame} />
        {two && <Crossing frame={frame} />}
        {two && <PointsNote frame={frame} k={1} />}
        {two && view.largestK > 1 && <PointsNote frame={frame} k={view.largestK} />}
      </svg>
    </div>
  );
};
