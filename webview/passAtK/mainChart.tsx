import type { PassAtKView } from '../../protocol/panels/passAtK';
import { hideCard, showCard } from '../shared/hoverCard';
import { Axes } from './chartAxes';
import { pointsOf, type Frame } from './chartFrame';
import { EndLabels, Line } from './chartLines';
import { Crossing, PointsNote } from './chartNotes';
import { betweenAreas } from './chartPaths';
import { CurveCard } from './curveCard';
import { curveAt } from './headline';
import { hoveredK } from './passAtKState';
import { text } from './texts';
import { useWidth } from './useWidth';

/** pass@k over k: the shown checkpoint, the reference, what lies between them. */
export const MainChart = ({ view, height }: { view: PassAtKView; height: number }) => {
  const { box, width } = useWidth();
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
    width: width.value,
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
