import type { OverviewView } from '../../protocol/panels/overview';
import { count } from '../shared/format';
import { MarkAt } from '../shared/marks';
import { smallTextWidth } from '../shared/textWidth';
import { duration } from '../shared/times';
import { axisTick, withoutOverlap, type ClockScale } from './clockScale';
import { text } from './texts';

const AXIS = 20;

/** Area of the rollouts in flight: baseline, steps of the samples, baseline. */
export const areaPath = (
  at: readonly number[],
  values: readonly number[],
  x: (seconds: number) => number,
  y: (value: number) => number,
): { readonly line: string; readonly area: string } => {
  let line = '';
  at.forEach((seconds, i) => {
    line += `${i === 0 ? 'M' : 'L'}${x(seconds).toFixed(1)} ${y(values[i] ?? 0).toFixed(1)}`;
  });
  if (line === '') return { line: '', area: '' };
  const first = x(at[0] ?? 0).toFixed(1);
  const last = x(at.at(-1) ?? 0).toFixed(1);
  return { line, area: `${line}L${last} ${y(0).toFixed(1)}L${first} ${y(0).toFixed(1)}Z` };
};

export interface FlightProps {
  readonly clock: OverviewView['clock'];
  readonly scale: ClockScale;
  readonly left: number;
  readonly height: number;
  readonly open: boolean;
  readonly narrow: boolean;
  /** The present is not known: the line stands where the run was last seen. */
  readonly lost: boolean;
}

/** Axis of the clock and the rollouts in flight; the head of the rows. */
export const Flight = ({ clock, scale, left, height, open, narrow, lost }: FlightProps) => {
  const most = Math.max(1, ...clock.inFlight);
  const bottom = AXIS + height;
  const y = (value: number): number => bottom - (value / most) * (height - 6);
  const { line, area } = areaPath(clock.inFlightAt, clock.inFlight, scale.x, y);
  const marks = [
    { at: clock.half, label: text(narrow ? 'half' : 'halfDone', { time: duration(clock.half ?? 0) }) },
    {
      at: clock.ninety,
      label: text(narrow ? 'ninety' : 'ninetyDone', { time: duration(clock.ninety ?? 0) }),
    },
  ].flatMap(({ at, label }) => (at === null ? [] : [{ x: scale.x(at), label }]));
  const short = narrow || clock.now < 0.1;
  const nowText = short
    ? text(lost ? 'lastShort' : 'nowShort')
    : text(lost ? 'lastAt' : 'now', { time: duration(clock.now) });
  const nowX = scale.x(clock.now);
  const nowLeft = nowX - smallTextWidth(nowText) - 8;
  const shown = withoutOverlap(marks.map(({ x, label }) => [x, smallTextWidth(label)]));
  return (
    <svg width={left + scale.width} height={bottom + 8} aria-hidden="true" class="ov-flight">
      <text x="16" y="13" class="rs-second">
        {text('rollout')}
      </text>
      <text x="16" y={AXIS + 14} class="rs-second">
        {text('inFlight')}
      </text>
      <text x={left - 8} y={AXIS + 14} class="rs-second rs-end">
        {clock.inFlight.length > 0 ? count(most) : ''}
      </text>
      <g transform={`translate(${left} 0)`}>
        {scale.ticks.map((tick, i) => (
          <text key={tick} x={scale.x(tick)} y="13" class="rs-second rs-middle">
            {axisTick(tick, scale.end, i === 0)}
          </text>
        ))}
        <ClockMarks clock={clock} scale={scale} from={AXIS} open={open} />
        <path d={area} fill="var(--rs-second)" fill-opacity=".28" />
        <path d={line} fill="none" stroke="var(--rs-second)" stroke-width="1.25" />
        {marks.map(({ x, label }, i) =>
          shown[i] === true && (!open || x + 4 + smallTextWidth(label) < nowLeft) ? (
            <text key={label} x={x + 4} y={AXIS + 12} class="rs-halo">
              {label}
            </text>
          ) : null,
        )}
        {open && (
          <text
            x={nowLeft < 0 ? nowX + 4 : nowX - 4}
            y={AXIS + 12}
            class={nowLeft < 0 ? 'rs-halo' : 'rs-halo rs-end'}
          >
            {nowText}
          </text>
        )}
        {clock.newVersions.map((at) => (
          <MarkAt key={at} name="down" x={scale.x(at)} y={AXIS - 3} />
        ))}
      </g>
    </svg>
  );
};

/** Half done, 90 % done and now, from `from` to the foot of the picture. */
const ClockMarks = ({
  clock,
  scale,
  from,
  open,
}: {
  clock: OverviewView['clock'];
  scale: ClockScale;
  from: number;
  open: boolean;
}) => (
  <>
    {[clock.half, clock.ninety].map((at, i) =>
      at === null ? null : (
        <line
          key={i}
          x1={Math.round(scale.x(at)) + 0.5}
          x2={Math.round(scale.x(at)) + 0.5}
          y1={from}
          y2="100%"
          stroke="var(--rs-text)"
          stroke-dasharray="2 3"
        />
      ),
    )}
    {open && (
      <line
        x1={Math.round(scale.x(clock.now)) + 0.5}
        x2={Math.round(scale.x(clock.now)) + 0.5}
        y1={from}
        y2="100%"
        stroke="var(--rs-blue)"
        stroke-width="1.5"
      />
    )}
  </>
);

/** Lines through all rows: the ticks lie behind the strips, the marks of the clock upon them. */
export const ClockLines = ({
  clock,
  scale,
  left,
  open,
  behind,
}: {
  clock: OverviewView['clock'];
  scale: ClockScale;
  left: number;
  open: boolean;
  behind: boolean;
}) => (
  <svg
    class="ov-lines"
    style={{ left: `${left}px`, zIndex: behind ? 0 : 1 }}
    width={scale.width + 2}
    height="100%"
    aria-hidden="true"
  >
    {behind ? (
      scale.ticks.map((tick) => (
        <line
          key={tick}
          x1={Math.round(scale.x(tick)) + 0.5}
          x2={Math.round(scale.x(tick)) + 0.5}
          y1="0"
          y2="100%"
          stroke="var(--rs-grid)"
        />
      ))
    ) : (
      <ClockMarks clock={clock} scale={scale} from={0} open={open} />
    )}
  </svg>
);
