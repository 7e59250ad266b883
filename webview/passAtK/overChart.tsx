import type { PassAtKView } from '../../protocol/panels/passAtK';
import { count, pointsValue, signed } from '../shared/format';
import { breakpoint } from '../shared/panelSize';
import { roundTicks } from '../shared/scales';
import { smallTextWidth } from '../shared/textWidth';
import { bandPath, linePath, spread, type Point } from './chartPaths';
import { text } from './texts';
import { useWidth } from './useWidth';

const finite = (list: readonly number[]): readonly number[] => list.filter((x) => Number.isFinite(x));

/** Round ticks on both sides of 0 that hold every value. */
export const signedTicks = (values: readonly number[], most: number): readonly number[] => {
  const low = Math.min(0, ...finite(values));
  const high = Math.max(0, ...finite(values), low === 0 ? 1 : 0);
  const ticks = roundTicks(high - low, most);
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  const list: number[] = [];
  for (let i = Math.floor(low / step); i <= Math.ceil(high / step); i++) list.push(i * step);
  return list;
};

/** Place of the first step whose interval leaves 0 after the reference; −1: none. */
export const firstSignificant = (values: readonly number[], halves: readonly number[]): number =>
  values.findIndex((value, i) => Math.abs(value) > (halves[i] ?? NaN) && value !== 0);

const shift = (values: readonly number[], by: readonly number[], sign: 1 | -1): readonly number[] =>
  values.map((value, i) => value + sign * (by[i] ?? NaN));

/** Points of pass@1 and of pass@k at the largest k against the reference, over the evaluated steps. */
export const OverChart = ({ view }: { view: PassAtKView }) => {
  const { box, width } = useWidth();
  const { over, largestK } = view;
  const narrow = breakpoint.value === 'narrow';
  const height = narrow ? 212 : 332;
  const left = 48;
  const right = Math.max(left + 80, width.value - 88);
  const top = 28;
  const bottom = height - 60;
  const accuracyLow = shift(over.accuracy, over.accuracyHalf, -1);
  const accuracyHigh = shift(over.accuracy, over.accuracyHalf, 1);
  const coverageLow = shift(over.coverage, over.coverageHalf, -1);
  const coverageHigh = shift(over.coverage, over.coverageHalf, 1);
  const ticks = signedTicks(
    [...accuracyLow, ...accuracyHigh, ...coverageLow, ...coverageHigh],
    narrow ? 4 : 6,
  );
  const low = ticks[0] ?? 0;
  const high = ticks[ticks.length - 1] ?? 1;
  const firstStep = over.steps[0] ?? 0;
  const span = Math.max(1, (over.steps[over.steps.length - 1] ?? 1) - firstStep);
  const x = (step: number): number => left + ((step - firstStep) / span) * (right - left);
  const y = (value: number): number => bottom - ((value - low) / Math.max(1e-9, high - low)) * (bottom - top);
  const line = (values: readonly number[]): readonly Point[] =>
    over.steps.map((step, i) => ({ x: x(step), y: y(values[i] ?? NaN) }));
  const apart = Math.max(1, Math.ceil((over.steps.length * 52) / Math.max(1, right - left)));
  const stepTicks = over.steps.filter((_, i) => (over.steps.length - 1 - i) % apart === 0);
  const mark = firstSignificant(over.coverage, over.coverageHalf);
  const markStep = over.steps[mark];
  const markValue = over.coverage[mark];
  const lastAccuracy = over.accuracy.findLast((value) => Number.isFinite(value)) ?? NaN;
  const lastCoverage = over.coverage.findLast((value) => Number.isFinite(value)) ?? NaN;
  const [accuracyAt = 0, coverageAt = 0] = spread(
    [
      y(Number.isFinite(lastAccuracy) ? lastAccuracy : 0),
      y(Number.isFinite(lastCoverage) ? lastCoverage : 0),
    ],
    34,
    top,
    bottom - 16,
  );
  const notes =
    markStep === undefined || markValue === undefined
      ? []
      : [
          text(markValue < 0 ? 'significantLow1' : 'significantHigh1', { step: markStep, k: largestK }),
          text('significant2'),
        ];
  const noteEnd =
    markStep !== undefined && x(markStep) + 8 + Math.max(0, ...notes.map(smallTextWidth)) > right;
  return (
    <div ref={box} class="pk-over">
      <svg
        width={Math.max(1, width.value)}
        height={height}
        role="img"
        aria-label={text('overName', { k: largestK, step: view.against ?? firstStep })}
      >
        <text x={left} y="14" class="rs-strong">
          {text('overChart', { step: view.against ?? firstStep })}
        </text>
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
        {stepTicks.map((step) => {
          const crossing = over.crossing[over.steps.indexOf(step)];
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
              {step !== view.against && (
                <text
                  x={x(step)}
                  y={bottom + 36}
                  class={`rs-middle${step === view.shown ? ' rs-strong' : ''}`}
                >
                  {crossing === null || crossing === undefined ? text('none') : count(crossing)}
                </text>
              )}
            </g>
          );
        })}
        <text x={right + 24} y={bottom + 16} class="rs-second">
          {text('stepAxis')}
        </text>
        <text x={left - 8} y={bottom + 52} class="rs-second">
          {text('crossAt')}
        </text>
        <path class="pk-band-gain" d={bandPath(line(accuracyLow), line(accuracyHigh))} />
        <path class="pk-band-loss" d={bandPath(line(coverageLow), line(coverageHigh))} />
        <path d={linePath(line(over.accuracy))} fill="none" stroke="var(--rs-div-6)" stroke-width="2" />
        <path
          d={linePath(line(over.coverage))}
          fill="none"
          stroke="var(--rs-div-0)"
          stroke-width="2"
          stroke-dasharray="6 2"
        />
        {markStep !== undefined && markValue !== undefined && (
          <g>
            <line
              x1={x(markStep) + 0.5}
              x2={x(markStep) + 0.5}
              y1={top}
              y2={bottom}
              stroke="var(--rs-text)"
              stroke-dasharray="2 2"
            />
            <circle
              cx={x(markStep)}
              cy={y(markValue)}
              r="4"
              fill="var(--rs-ground)"
              stroke="var(--rs-text)"
              stroke-width="1.5"
            />
            {notes.map((note, i) => (
              <text
                key={note}
                x={x(markStep) + (noteEnd ? -8 : 8)}
                y={top + 12 + i * 16}
                class={`rs-halo${noteEnd ? ' rs-end' : ''}`}
              >
                {note}
              </text>
            ))}
          </g>
        )}
        <text x={right + 8} y={accuracyAt + 4} class="rs-strong">
          {text('passAt', { k: 1 })}
        </text>
        <text x={right + 8} y={accuracyAt + 20}>
          {pointsValue(lastAccuracy)}
        </text>
        {largestK > 1 && (
          <>
            <text x={right + 8} y={coverageAt + 4} class="rs-strong">
              {text('passAt', { k: largestK })}
            </text>
            <text x={right + 8} y={coverageAt + 20}>
              {pointsValue(lastCoverage)}
            </text>
          </>
        )}
      </svg>
    </div>
  );
};
