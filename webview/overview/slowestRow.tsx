import type { SlowRollout, SpanRow } from '../../protocol/panels/overview';
import { count } from '../shared/format';
import { endingMark } from '../shared/markShapes';
import { Mark } from '../shared/marks';
import { highInkFrom, palette } from '../shared/palette';
import { TOOL_FILL } from '../shared/textures';
import { duration } from '../shared/times';
import { behindStep, secondsBy, type ClockScale } from './clockScale';
import { rolloutState } from './rolloutState';
import { text } from './texts';

/** Least width at which a number stands in a span, CSS pixels. */
const ROOM = 14;

const Span = ({ span, scale, most }: { span: SpanRow; scale: ClockScale; most: number }) => {
  const x = scale.x(span.from);
  const width = Math.max(1, scale.x(span.to) - x);
  switch (span.state) {
    case 'queued':
      return (
        <rect
          x={x + 0.5}
          y="6.5"
          width={Math.max(0.5, width - 1)}
          height="7"
          fill="none"
          stroke="var(--rs-second)"
          stroke-dasharray="2 2"
        />
      );
    case 'tool':
      return (
        <rect
          x={x}
          y="6"
          width={width}
          height="8"
          fill={TOOL_FILL}
          stroke="var(--rs-text)"
          stroke-width=".75"
        />
      );
    case 'paused':
      return <line x1={x} x2={x + width} y1="10" y2="10" stroke="var(--rs-second)" stroke-width="1.5" />;
    case 'reward':
      return (
        <rect
          x={x + 0.5}
          y="6.5"
          width={Math.max(0.5, width - 1)}
          height="7"
          fill="none"
          stroke="var(--rs-second)"
        />
      );
    default: {
      const step = behindStep(span.behind, most);
      const high = step >= highInkFrom(palette.value.theme);
      return (
        <>
          <rect
            x={x}
            y="4"
            width={Math.max(1, width - 0.5)}
            height="12"
            fill={step < 0 ? 'none' : `var(--rs-seq-${step})`}
            stroke="var(--rs-cell)"
            stroke-width=".5"
          />
          {step >= 0 && width > ROOM && (
            <text
              x={x + width / 2}
              y="14"
              class="rs-middle"
              style={{ fill: `var(--rs-ink-${high ? 'high' : 'low'})` }}
            >
              {span.behind}
            </text>
          )}
        </>
      );
    }
  }
};

export interface RowProps {
  readonly rollout: SlowRollout;
  readonly scale: ClockScale;
  readonly most: number;
  readonly lost: boolean;
}

/** One rollout: name, its spans on the clock, mark, tokens, state. */
export const SlowestRow = ({ rollout, scale, most, lost }: RowProps) => {
  const state = rolloutState(rollout, lost);
  const aside = rollout.ending === null && state !== text('stateRunning');
  return (
    <>
      <span role="gridcell" class="ov-name" title={rollout.rollout}>
        <span class="rs-hidden">{rollout.rollout}</span>
        <span class="ov-name-head rs-cut" aria-hidden="true">
          {headOf(rollout.rollout)}
        </span>
        <span aria-hidden="true">{tailOf(rollout.rollout)}</span>
      </span>
      <span role="gridcell" class="ov-plot">
        <span class="rs-hidden">{spansText(rollout)}</span>
        <svg width={scale.width} height="20" aria-hidden="true">
          {rollout.spans.map((span, i) => (
            <Span key={i} span={span} scale={scale} most={most} />
          ))}
        </svg>
      </span>
      <span role="gridcell" class="ov-mark">
        <Mark name={endingMark(rollout)} label={rollout.ending ?? text('stateRunning')} />
      </span>
      <span role="gridcell" class="ov-tokens">
        {count(rollout.tokens)}
      </span>
      <span role="gridcell" class={`ov-state rs-cut${aside ? '' : ' rs-second'}`} title={state}>
        {state}
      </span>
    </>
  );
};

/** A long id is cut in the middle: its end tells one rollout of a prompt from another. */
const cutAt = (id: string): number => {
  const slash = id.lastIndexOf('/');
  return slash > 0 && id.length - slash <= 8 ? slash : Math.max(0, id.length - 6);
};
const headOf = (id: string): string => id.slice(0, cutAt(id));
const tailOf = (id: string): string => id.slice(cutAt(id));

const spanParts = ({ spans }: SlowRollout): readonly string[] => {
  const part = (
    state: string,
    key: 'cardGenerating' | 'cardTool' | 'cardQueued' | 'cardReward',
  ): string | null => {
    const seconds = secondsBy(spans, state);
    return seconds > 0 ? text(key, { time: duration(seconds) }) : null;
  };
  return [
    part('generating', 'cardGenerating'),
    part('tool', 'cardTool'),
    part('queued', 'cardQueued'),
    part('reward', 'cardReward'),
  ].filter((each) => each !== null);
};

const spansText = (rollout: SlowRollout): string => spanParts(rollout).join(', ');

/** The hover card of a rollout. */
export const RolloutCard = ({ rollout, lost }: { rollout: SlowRollout; lost: boolean }) => {
  const oldest = Math.max(0, ...rollout.spans.map((span) => (span.state === 'generating' ? span.behind : 0)));
  return (
    <>
      <div class="rs-strong">{rollout.rollout}</div>
      <div class="rs-second">
        {text('colPrompt')} {rollout.prompt}
      </div>
      <div>
        {text('cardTokens', { tokens: count(rollout.tokens), time: duration(rollout.seconds) })},{' '}
        {rolloutState(rollout, lost)}
      </div>
      <div>{spanParts(rollout).join(' · ')}</div>
      {oldest > 0 && <div>{text('cardBehind', { count: oldest })}</div>}
    </>
  );
};
