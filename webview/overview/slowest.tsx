import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { OverviewView } from '../../protocol/panels/overview';
import { count } from '../shared/format';
import { select, selection } from '../shared/host';
import { hideCard, showCard } from '../shared/hoverCard';
import { ScaleLegend } from '../shared/legend';
import { Mark } from '../shared/marks';
import { breakpoint } from '../shared/panelSize';
import { highInkFrom, palette } from '../shared/palette';
import { isStill } from '../shared/steering';
import { TableBehind, type TableData } from '../shared/tableBehind';
import { smallTextWidth } from '../shared/textWidth';
import { TOOL_FILL } from '../shared/textures';
import { VirtualRows } from '../shared/virtualRows';
import { behindStep, clockScale, mostBehind, secondsBy } from './clockScale';
import { ClockLines, Flight } from './flight';
import { rolloutState } from './rolloutState';
import { RolloutCard, SlowestRow } from './slowestRow';
import { text } from './texts';

const BehindLegend = ({ most }: { most: number }) => {
  if (most < 0) return null;
  if (most > 6) return <ScaleLegend name={text('versionsBehind')} from="0" to={count(most)} />;
  return (
    <span class="rs-row ov-behind">
      <span class="rs-second">{text('versionsBehind')}</span>
      {Array.from({ length: most + 1 }, (_, behind) => {
        const step = behindStep(behind, most);
        const ink = step >= highInkFrom(palette.value.theme) ? 'high' : 'low';
        return (
          <span
            key={behind}
            class="ov-behind-box"
            style={{ background: `var(--rs-seq-${step})`, color: `var(--rs-ink-${ink})` }}
          >
            {behind}
          </span>
        );
      })}
    </span>
  );
};

const Head = ({ view, most }: { view: OverviewView; most: number }) => {
  const { ledger, slowest, clock } = view;
  const narrow = breakpoint.value === 'narrow';
  const has = (state: string): boolean =>
    slowest.some(({ spans }) => spans.some((span) => span.state === state));
  const counts = { running: count(ledger.running), launched: count(ledger.launched) };
  return (
    <>
      <h2 class="rs-strong">{text('slowest', { step: view.step ?? 0 })}</h2>
      <span class="rs-second rs-cut rs-grow">
        {narrow || ledger.running === 0
          ? ''
          : isStill()
            ? text('lastSeen', counts)
            : text('stillRun', counts)}
      </span>
      <BehindLegend most={most} />
      {!narrow && has('tool') && (
        <span class="rs-row ov-key">
          <svg width="16" height="8" aria-hidden="true">
            <rect width="16" height="8" fill={TOOL_FILL} stroke="var(--rs-text)" stroke-width=".75" />
          </svg>
          {text('tool')}
        </span>
      )}
      {!narrow && has('queued') && (
        <span class="rs-row ov-key">
          <svg width="16" height="8" aria-hidden="true">
            <rect
              x=".5"
              y=".5"
              width="15"
              height="7"
              fill="none"
              stroke="var(--rs-second)"
              stroke-dasharray="2 2"
            />
          </svg>
          {text('queue')}
        </span>
      )}
      {!narrow && clock.newVersions.length > 0 && (
        <span class="rs-row ov-key">
          <Mark name="down" />
          {text('newVersion')}
        </span>
      )}
    </>
  );
};

const slowestTable = (view: OverviewView, lost: boolean): TableData => ({
  caption: text('slowest', { step: view.step ?? 0 }),
  columns: [
    { name: text('rollout') },
    { name: text('colPrompt') },
    { name: text('colState') },
    { name: text('tokens'), numeric: true },
    { name: text('colSeconds'), numeric: true },
    { name: text('colGenerating'), numeric: true },
    { name: text('colTool'), numeric: true },
    { name: text('colQueue'), numeric: true },
    { name: text('colBehind'), numeric: true },
  ],
  rows: view.slowest.length,
  cell: (row, column) => {
    const rollout = view.slowest[row];
    if (!rollout) return '';
    const seconds = (state: string): string => secondsBy(rollout.spans, state).toFixed(1);
    return (
      [
        rollout.rollout,
        rollout.prompt,
        rolloutState(rollout, lost),
        count(rollout.tokens),
        rollout.seconds.toFixed(1),
        seconds('generating'),
        seconds('tool'),
        seconds('queued'),
        count(Math.max(0, mostBehind([rollout]))),
      ][column] ?? ''
    );
  },
});

/** The slowest rollouts of the step on one clock, the rollouts in flight above them. */
export const Slowest = ({ view }: { view: OverviewView }) => {
  const { clock, slowest } = view;
  const narrow = breakpoint.value === 'narrow';
  const box = useRef<HTMLDivElement | null>(null);
  const width = useSignal(0);
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
  const lost = isStill();
  const open = view.ledger.running > 0;
  const most = mostBehind(slowest);
  const longest = slowest.reduce((max, { rollout }) => Math.max(max, smallTextWidth(rollout)), 0);
  const left = Math.ceil(Math.min(narrow ? 140 : 220, Math.max(narrow ? 100 : 112, longest + 28)) / 4) * 4;
  const right = narrow ? 84 : 188;
  const scale = clockScale(clock, slowest, Math.max(60, width.value - left - right));
  const flightHeight = narrow ? 36 : 48;
  const rows = narrow ? slowest.slice(0, 16) : slowest;
  const chosen = rows.findIndex(({ rollout }) => rollout === selection.value.rollout);
  return (
    <TableBehind
      class="ov-slowest"
      label={text('slowest', { step: view.step ?? 0 })}
      head={<Head view={view} most={most} />}
      table={() => slowestTable(view, lost)}
    >
      <div ref={box} class="ov-slowest-box" style={{ '--ov-left': `${left}px` }}>
        {slowest.length === 0 && clock.inFlight.length === 0 ? (
          <p class="rs-small rs-second ov-none">{text('noRollouts', { step: view.step ?? 0 })}</p>
        ) : (
          <VirtualRows
            label={text('slowest', { step: view.step ?? 0 })}
            class="ov-rows"
            count={rows.length}
            columns={5}
            headHeight={20 + flightHeight + 8}
            head={
              <div role="row" aria-rowindex={1} class="ov-head rs-small rs-second">
                <span role="columnheader" class="rs-hidden">
                  {text('rollout')}
                </span>
                <span role="columnheader">
                  <span class="rs-hidden">{text('inFlight')}</span>
                  <Flight
                    clock={clock}
                    scale={scale}
                    left={left}
                    height={flightHeight}
                    open={open}
                    narrow={narrow}
                    lost={lost}
                  />
                </span>
                <span role="columnheader" class="ov-mark">
                  <span class="rs-hidden">{text('colEnding')}</span>
                </span>
                <span role="columnheader" class="ov-tokens">
                  {text('tokens')}
                </span>
                <span role="columnheader" class="ov-state">
                  <span class="rs-hidden">{text('colState')}</span>
                </span>
              </div>
            }
            row={(i) => {
              const rollout = rows[i];
              return rollout && <SlowestRow rollout={rollout} scale={scale} most={most} lost={lost} />;
            }}
            rowKey={(i) => rows[i]?.rollout ?? String(i)}
            chosen={chosen}
            onChoose={(i) => {
              const rollout = rows[i];
              if (rollout) {
                select({
                  step: view.step,
                  prompt: rollout.prompt,
                  group: rollout.group,
                  rollout: rollout.rollout,
                });
              }
            }}
            onHover={(i, mark, at) => {
              const rollout = rows[i];
              if (rollout && mark) {
                showCard(rollout.rollout, mark, () => <RolloutCard rollout={rollout} lost={lost} />, at);
              } else hideCard();
            }}
            underlay={() => <ClockLines clock={clock} scale={scale} left={left} open={open} behind />}
            overlay={() => <ClockLines clock={clock} scale={scale} left={left} open={open} behind={false} />}
          />
        )}
      </div>
    </TableBehind>
  );
};
