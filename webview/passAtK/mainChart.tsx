import { useId } from 'preact/hooks';
import { hideCard, showCard } from '../shared/hoverCard';
import { step } from '../shared/keys';
import { Axes } from './chartAxes';
import { frameOf, pointsOf, type Frame } from './chartFrame';
import { EndLabels, kindOf, Line } from './chartLines';
import { Crossing, PointsNote } from './chartNotes';
import { betweenAreas } from './chartPaths';
import { CurveCard } from './curveCard';
import { curveAt, curveName, isCompared, measuredName, type DrawnView } from './drawnView';
import { caretCurve, caretK, extrapolate } from './passAtKState';
import { caretOf, Readout } from './readout';
import { text } from './texts';
import { useWidth } from './useWidth';

const READOUT = 24;

const nameOf = (view: DrawnView): string =>
  view.paired
    ? text('chartName', {
        shown: curveName(view, view.shown ?? ''),
        against: curveName(view, view.against ?? ''),
      })
    : text('chartOfParts', { count: view.curves.length, shown: measuredName(view) });

const nearest = ({ view, x }: Frame, at: number): number => {
  let best = -1;
  view.k.forEach((k, i) => {
    if (best < 0 || Math.abs(x(k) - at) < Math.abs(x(view.k[best] ?? 1) - at)) best = i;
  });
  return best;
};

/** The arrow keys move a caret: left and right over k, up and down over the curves. */
const moveCaret = (view: DrawnView, event: KeyboardEvent): void => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape' && caretK.value >= 0) {
    caretK.value = -1;
    caretCurve.value = null;
    event.stopPropagation();
    return;
  }
  const across = step(event.key, caretK.value, view.k.length, 'row');
  const vertical = event.key === 'ArrowUp' || event.key === 'ArrowDown';
  if (across === null && !vertical) return;
  event.preventDefault();
  if (across !== null) caretK.value = across;
  if (!vertical) return;
  // Up goes to the curve that is the next higher one at the caret, as the eye has it.
  const at = Math.max(0, caretK.value);
  const height = (key: string): number => curveAt(view, key)?.value[at] ?? -1;
  const order = view.curves.map(({ key }) => key).sort((a, b) => height(b) - height(a));
  const next = step(event.key, order.indexOf(caretOf(view)?.key ?? ''), order.length, 'column');
  if (next !== null) caretCurve.value = order[next] ?? null;
  if (caretK.value < 0) caretK.value = 0;
};

const Caret = ({ frame }: { frame: Frame }) => {
  const { view, x, y, top, bottom } = frame;
  const at = caretK.value;
  const k = view.k[at];
  if (k === undefined) return null;
  const value = caretOf(view)?.value[at] ?? NaN;
  return (
    <g data-hover="">
      <line x1={x(k)} x2={x(k)} y1={top} y2={bottom} stroke="var(--rs-strip)" />
      {Number.isFinite(value) && (
        <circle cx={x(k)} cy={y(value)} r="5" fill="none" stroke="var(--rs-text)" stroke-width="1.5" />
      )}
    </g>
  );
};

/** pass@k over k: what is shown, what it is compared with, what lies between; or the parts of one measurement. */
export const MainChart = ({ view, height }: { view: DrawnView; height: number }) => {
  const { box, width } = useWidth();
  const id = useId();
  const frame = frameOf(view, width.value, height - READOUT, extrapolate.value);
  const shown = curveAt(view, view.shown);
  const against = curveAt(view, view.against);
  const two = isCompared(view) && shown !== null && against !== null;
  const current = caretCurve.value;
  const rank = { between: 0, against: 1, part: 2, shown: 3 } as const;
  const lines = [...view.curves].sort((a, b) => rank[kindOf(view, a)] - rank[kindOf(view, b)]);
  return (
    <div class="pk-main-chart">
      <div
        ref={box}
        class="pk-chart-box rs-inside"
        tabIndex={0}
        role="group"
        aria-label={nameOf(view)}
        aria-describedby={id}
        onKeyDown={(event) => moveCaret(view, event)}
        onPointerMove={(event) => {
          const area = event.currentTarget.getBoundingClientRect();
          const i = nearest(frame, event.clientX - area.left);
          const k = view.k[i];
          if (k === undefined || event.clientX - area.left > frame.right + 12) return;
          caretK.value = i;
          const at = area.left + frame.x(k);
          const values = view.curves.flatMap((curve) => curve.value[i] ?? []);
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
          caretK.value = -1;
          hideCard();
        }}
      >
        <svg
          class="pk-chart"
          width={Math.max(1, width.value)}
          height={height - READOUT}
          role="img"
          aria-label={nameOf(view)}
        >
          <Axes frame={frame} />
          {two &&
            betweenAreas(pointsOf(frame, against.value), pointsOf(frame, shown.value)).map(
              ({ gain, path }) => <path key={path} class={gain ? 'pk-gain' : 'pk-loss'} d={path} />,
            )}
          {lines.map((curve) => (
            <Line key={curve.key} frame={frame} curve={curve} current={curve.key === current} />
          ))}
          <Caret frame={frame} />
          <EndLabels frame={frame} current={current} />
          {two && <Crossing frame={frame} />}
          {two && <PointsNote frame={frame} k={1} />}
          {two && view.largestK > 1 && <PointsNote frame={frame} k={view.largestK} />}
        </svg>
      </div>
      <Readout view={view} id={id} />
    </div>
  );
};
