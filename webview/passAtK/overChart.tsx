import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { count, pointsValue, signed } from '../shared/format';
import { step as nextPlace } from '../shared/keys';
import { breakpoint } from '../shared/panelSize';
import { smallTextWidth } from '../shared/textWidth';
import { bandPath, linePath, spread, type Point } from './chartPaths';
import { curveName, type DrawnView } from './drawnView';
import { firstSignificant, isTraded, type OverSteps } from './overSteps';
import { overFrame, shift, type OverFrame } from './overFrame';
import { overReadout } from './overText';
import { shownKey } from './passAtKState';
import { text } from './texts';
import { useWidth } from './useWidth';

const Grid = ({ frame }: { frame: OverFrame }) => {
  const { view, over, left, right, bottom, ticks, x, y } = frame;
  const apart = Math.max(1, Math.ceil((over.steps.length * 52) / Math.max(1, right - left)));
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={left}
            x2={right}
            y1={Math.round(y(tick)) + 0.5}
            y2={Math.round(y(tick)) + 0.5}
            stroke={tick === 0 ? 'var(--rs-second)' : 'var(--rs-grid)'}
          />
          <text x={left - 8} y={y(tick) + 4} class="rs-second rs-end">
            {signed(tick, Number.isInteger(tick) ? 0 : 1)}
          </text>
        </g>
      ))}
      <line x1={left} x2={right} y1={bottom + 0.5} y2={bottom + 0.5} stroke="var(--rs-second)" />
      {over.steps.map((step, i) => {
        if ((over.steps.length - 1 - i) % apart !== 0) return null;
        const crossing = over.crossing[i] ?? null;
        const strong = String(step) === view.shown || isTraded(over, i);
        return (
          <g key={step}>
            <line
              x1={x(step) + 0.5}
              x2={x(step) + 0.5}
              y1={bottom}
              y2={bottom + 4}
              stroke="var(--rs-second)"
            />
            <text x={x(step)} y={bottom + 16} class="rs-second rs-middle">
              {count(step)}
            </text>
            {String(step) !== view.against && (
              <text x={x(step)} y={bottom + 36} class={`rs-middle${strong ? ' rs-strong' : ''}`}>
                {crossing === null ? text('none') : count(crossing)}
              </text>
            )}
          </g>
        );
      })}
      <text x={right + 24} y={bottom + 16} class="rs-second">
        {text(view.by === 'step' ? 'stepAxis' : 'checkpointAxis')}
      </text>
      <text x={left - 8} y={bottom + 52} class="rs-second">
        {text('crossAt')}
      </text>
    </>
  );
};

const Lines = ({ frame }: { frame: OverFrame }) => {
  const { over, x, y } = frame;
  const line = (values: readonly number[]): readonly Point[] =>
    over.steps.map((step, i) => ({ x: x(step), y: y(values[i] ?? NaN) }));
  const band = (values: readonly number[], halves: readonly number[]): string =>
    bandPath(line(shift(values, halves, -1)), line(shift(values, halves, 1)));
  return (
    <>
      <path class="pk-band-gain" d={band(over.accuracy, over.accuracyHalf)} />
      <path class="pk-band-loss" d={band(over.coverage, over.coverageHalf)} />
      <path d={linePath(line(over.accuracy))} fill="none" stroke="var(--rs-div-6)" stroke-width="2" />
      <path
        d={linePath(line(over.coverage))}
        fill="none"
        stroke="var(--rs-div-0)"
        stroke-width="2"
        stroke-dasharray="6 2"
      />
      {over.steps.map((step, i) =>
        (over.crossing[i] ?? null) === null ? null : (
          // A crossing step: the two curves of this step and of the reference change sides.
          <circle
            key={step}
            data-crossing-step={step}
            cx={x(step)}
            cy={y(over.coverage[i] ?? 0)}
            r="3"
            fill="var(--rs-ground)"
            stroke="var(--rs-text)"
            stroke-width={isTraded(over, i) ? 1.75 : 1}
          />
        ),
      )}
    </>
  );
};

/** The first step at which coverage differs for sure, in words. */
const FirstMark = ({ frame }: { frame: OverFrame }) => {
  const { view, over, right, top, bottom, x, y } = frame;
  const at = firstSignificant(over.coverage, over.coverageHalf);
  const step = over.steps[at];
  const value = over.coverage[at];
  if (step === undefined || value === undefined) return null;
  const name = curveName(view, String(step));
  const notes = [
    text(value < 0 ? 'significantLow1' : 'significantHigh1', { name, k: over.k }),
    text('significant2'),
  ];
  const end = x(step) + 8 + Math.max(...notes.map(smallTextWidth)) > right;
  return (
    <g data-first-step={step}>
      <line
        x1={x(step) + 0.5}
        x2={x(step) + 0.5}
        y1={top}
        y2={bottom}
        stroke="var(--rs-text)"
        stroke-dasharray="2 2"
      />
      <circle
        cx={x(step)}
        cy={y(value)}
        r="4"
        fill="var(--rs-ground)"
        stroke="var(--rs-text)"
        stroke-width="1.5"
      />
      {notes.map((note, i) => (
        <text
          key={note}
          x={x(step) + (end ? -8 : 8)}
          y={top + 12 + i * 16}
          class={`rs-halo${end ? ' rs-end' : ''}`}
        >
          {note}
        </text>
      ))}
    </g>
  );
};

const Ends = ({ frame }: { frame: OverFrame }) => {
  const { over, right, top, bottom, y } = frame;
  const last = (values: readonly number[]): number =>
    values.findLast((value) => Number.isFinite(value)) ?? NaN;
  const ends = [
    { k: 1, value: last(over.accuracy) },
    ...(over.k > 1 ? [{ k: over.k, value: last(over.coverage) }] : []),
  ];
  const places = spread(
    ends.map(({ value }) => y(Number.isFinite(value) ? value : 0)),
    34,
    top,
    bottom - 16,
  );
  return (
    <>
      {ends.map(({ k, value }, i) => (
        <g key={k}>
          <text x={right + 8} y={(places[i] ?? 0) + 4} class="rs-strong">
            {text('passAt', { k })}
          </text>
          <text x={right + 8} y={(places[i] ?? 0) + 20}>
            {pointsValue(value)}
          </text>
        </g>
      ))}
    </>
  );
};

/** Points of pass@1 and of pass@k against the reference over the evaluated steps; Enter or a click shows a step. */
export const OverChart = ({ view, over }: { view: DrawnView; over: OverSteps }) => {
  const { box, width } = useWidth();
  const id = useId();
  const caret = useSignal(-1);
  const height = breakpoint.value === 'narrow' ? 212 : 332;
  const frame = overFrame(view, over, width.value, height);
  const name = text('overName', { k: over.k, against: curveName(view, view.against ?? '') });
  const at = caret.value < over.steps.length ? caret.value : -1;
  const step = over.steps[at];
  const place = (event: MouseEvent): number => {
    if (!(event.currentTarget instanceof Element)) return -1;
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    let best = -1;
    over.steps.forEach((each, i) => {
      if (best < 0 || Math.abs(frame.x(each) - x) < Math.abs(frame.x(over.steps[best] ?? 0) - x)) best = i;
    });
    return best;
  };
  const show = (i: number): void => {
    const chosen = over.steps[i];
    if (chosen !== undefined) shownKey.value = String(chosen);
  };
  return (
    <div class="pk-over">
      <div
        ref={box}
        class="pk-chart-box rs-inside"
        tabIndex={0}
        role="group"
        aria-label={name}
        aria-describedby={id}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          if (event.key === 'Enter' && at >= 0) {
            show(at);
            return;
          }
          const next = nextPlace(event.key, at, over.steps.length, 'row');
          if (next === null) return;
          event.preventDefault();
          caret.value = next;
        }}
        onPointerMove={(event) => {
          caret.value = place(event);
        }}
        onPointerLeave={() => {
          caret.value = -1;
        }}
        onClick={(event) => show(place(event))}
      >
        <svg width={Math.max(1, width.value)} height={height} role="img" aria-label={name}>
          <text x={frame.left} y="14" class="rs-strong">
            {text('overChart', { against: curveName(view, view.against ?? '') })}
          </text>
          <Grid frame={frame} />
          <Lines frame={frame} />
          <FirstMark frame={frame} />
          {step !== undefined && (
            <line
              data-hover=""
              x1={frame.x(step)}
              x2={frame.x(step)}
              y1={frame.top}
              y2={frame.bottom}
              stroke="var(--rs-strip)"
            />
          )}
          <Ends frame={frame} />
        </svg>
      </div>
      <div id={id} class="pk-readout rs-small rs-second" role="status">
        {at >= 0 ? overReadout(view, over, at) : text('overHint')}
      </div>
    </div>
  );
};
