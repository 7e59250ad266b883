import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { count } from '../shared/format';
import { select } from '../shared/host';
import { hideCard, showCard } from '../shared/hoverCard';
import { step as stepTo } from '../shared/keys';
import { Mark, MarkAt } from '../shared/marks';
import { breakpoint } from '../shared/panelSize';
import { TableBehind } from '../shared/tableBehind';
import { smallTextWidth } from '../shared/textWidth';
import { STATUS_FILL, Swatch } from '../shared/textures';
import { BarCard } from './barCard';
import { barsTable, partsOf, sentence, type Bars } from './barParts';
import { text } from './texts';

const HEIGHT = 164;
const NARROW_HEIGHT = 132;
const LEAST_LEFT = 112;
const TOP = 8;
const AXIS = 20;
const MOST_BAR = 24;

/** Steps that get a number under their bar: round ones that do not touch the shown one. */
const numbered = (steps: readonly number[], shown: number, barWidth: number): ReadonlySet<number> => {
  const each = [1, 2, 5, 10, 20, 50, 100].find((every) => every * barWidth >= 48) ?? 100;
  const room = smallTextWidth('00000') / barWidth;
  const at = steps.indexOf(shown);
  return new Set(
    steps.filter((step, i) => step === shown || (step % each === 0 && (at < 0 || Math.abs(i - at) > room))),
  );
};

const Head = ({ bars }: { bars: Bars }) => {
  const narrow = breakpoint.value === 'narrow';
  const newest = bars.marks.slice(-2);
  return (
    <>
      <h2 class="rs-strong">{text('bars')}</h2>
      {(['used', 'noGradient', 'running', 'discarded'] as const).map((status) => (
        <span key={status} class="rs-row ov-key">
          <Swatch status={status} flat={status === 'discarded'} />
          {text(
            status === 'used'
              ? 'gradient'
              : status === 'noGradient'
                ? 'noGradient'
                : status === 'running'
                  ? 'undecided'
                  : 'discardedOrKilled',
          )}
        </span>
      ))}
      <span class="rs-grow rs-cut ov-marks">
        {!narrow && newest.length > 0 && (
          <>
            <Mark name="down" /> {newest.map(({ step, label }) => text('markAt', { step, label })).join(', ')}
          </>
        )}
      </span>
    </>
  );
};

/** The rollouts of at most 60 steps as stacked bars; a bar is chosen by click or by the arrows and Enter. */
export const StepBars = ({ bars, shown }: { bars: Bars; shown: number | null }) => {
  const id = useId();
  const box = useRef<HTMLDivElement | null>(null);
  const width = useSignal(0);
  const [current, setCurrent] = useState<number | null>(null);
  const narrow = breakpoint.value === 'narrow';
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = (): void => {
      width.value = element.clientWidth;
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const first = narrow ? Math.max(0, bars.steps.length - 40) : 0;
  const indices = bars.steps.map((_, i) => i).slice(first);
  const height = narrow ? NARROW_HEIGHT : HEIGHT;
  const mostPlanned = Math.max(0, ...indices.map((i) => bars.planned[i] ?? 0));
  const top = Math.max(1, mostPlanned);
  const topText = text('planned', { count: count(mostPlanned) });
  const left = Math.max(LEAST_LEFT, Math.ceil(smallTextWidth(topText)) + 24);
  const plot = Math.max(40, width.value - left - 28);
  const barWidth = Math.min(MOST_BAR, plot / Math.max(1, indices.length));
  const scale = (height - AXIS - TOP) / top;
  const bottom = height - AXIS;
  const labels = numbered(
    indices.map((i) => bars.steps[i] ?? 0),
    shown ?? -1,
    barWidth,
  );
  const shownIndex = bars.steps.indexOf(shown ?? -1);
  const at =
    current !== null && indices.includes(current)
      ? current
      : shownIndex >= first
        ? shownIndex
        : (indices.at(-1) ?? -1);
  const choose = (i: number): void => {
    const step = bars.steps[i];
    if (step !== undefined) select({ step, group: null, rollout: null, node: null });
  };
  return (
    <TableBehind
      class="ov-bars"
      label={text('bars')}
      head={<Head bars={bars} />}
      table={() => barsTable(bars)}
    >
      <div
        ref={box}
        class="ov-bars-box rs-inside"
        style={{ height: `${height}px` }}
        role="listbox"
        aria-orientation="horizontal"
        aria-label={text('bars')}
        tabIndex={0}
        {...(at >= 0 ? { 'aria-activedescendant': `${id}-${at}` } : {})}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            choose(at);
            return;
          }
          const next = stepTo(event.key, at - first, indices.length, 'row');
          if (next === null || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          setCurrent(next + first);
        }}
        onPointerLeave={() => hideCard()}
      >
        <svg width={Math.max(0, width.value)} height={height} role="presentation">
          <text x="16" y={TOP + 10} class="rs-second" aria-hidden="true">
            {topText}
          </text>
          <text x="16" y={bottom} class="rs-second" aria-hidden="true">
            0
          </text>
          {indices.map((i, place) => {
            const x = left + place * barWidth;
            const step = bars.steps[i] ?? 0;
            let y = bottom;
            return (
              <g
                key={step}
                id={`${id}-${i}`}
                role="option"
                aria-selected={step === shown}
                aria-label={sentence(bars, i)}
                class={`ov-bar${i === at ? ' ov-bar-current' : ''}`}
                onClick={() => {
                  setCurrent(i);
                  choose(i);
                }}
                onPointerEnter={(event) =>
                  showCard(`bar-${step}`, event.currentTarget.getBoundingClientRect(), () => (
                    <BarCard bars={bars} i={i} />
                  ))
                }
              >
                <rect x={x - 1} y={TOP - 4} width={barWidth} height={bottom - TOP + 4} fill="transparent" />
                {partsOf(bars, i).map(([status, n]) => {
                  if (n <= 0) return null;
                  y -= n * scale;
                  return (
                    <rect
                      key={status}
                      x={x}
                      y={y}
                      width={Math.max(1, barWidth - 2)}
                      height={n * scale}
                      fill={status === 'discarded' ? 'var(--rs-orange)' : STATUS_FILL[status]}
                    />
                  );
                })}
                {(step === shown || i === at) && (
                  <rect
                    class={step === shown ? 'ov-bar-shown' : 'ov-bar-focus'}
                    x={x - 1.5}
                    y={TOP - 4.5}
                    width={barWidth + 1}
                    height={bottom - TOP + 7}
                    fill="none"
                  />
                )}
                {bars.marks.some((mark) => mark.step === step) && (
                  <MarkAt name="down" x={x + barWidth / 2 - 1} y={TOP - 2} />
                )}
              </g>
            );
          })}
          <line x1={left} x2={left + plot} y1={bottom + 0.5} y2={bottom + 0.5} stroke="var(--rs-strip)" />
          {indices.map((i, place) => {
            const step = bars.steps[i] ?? 0;
            return labels.has(step) ? (
              <text
                key={step}
                x={left + place * barWidth + barWidth / 2 - 1}
                y={height - 4}
                class={`rs-middle ${step === shown ? 'rs-strong' : 'rs-second'}`}
                aria-hidden="true"
              >
                {step}
              </text>
            ) : null;
          })}
        </svg>
      </div>
    </TableBehind>
  );
};
