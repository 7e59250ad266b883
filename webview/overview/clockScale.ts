import type { OverviewView, SlowRollout, SpanRow } from '../../protocol/panels/overview';
import { decimal, withUnit } from '../shared/format';
import { roundEnd, roundTicks, sequentialStep } from '../shared/scales';

/** The one clock of the step: seconds since it opened on a plot of `width` CSS pixels. */
export interface ClockScale {
  readonly width: number;
  readonly end: number;
  readonly ticks: readonly number[];
  readonly x: (seconds: number) => number;
}

/** Shortest clock, seconds: a step that has only begun has an axis already. */
const SHORTEST = 5;

export const clockScale = (
  clock: OverviewView['clock'],
  slowest: readonly SlowRollout[],
  width: number,
): ClockScale => {
  const last = slowest.reduce(
    (most, { spans }) => spans.reduce((max, { to }) => Math.max(max, to), most),
    clock.now,
  );
  const end = roundEnd(Math.max(last * 1.02, SHORTEST));
  return {
    width,
    end,
    ticks: roundTicks(end, Math.max(2, Math.floor(width / 96))),
    x: (seconds) => (Math.min(end, Math.max(0, seconds)) / end) * width,
  };
};

/** Number at a tick of the clock: seconds, above ten minutes minutes; the unit stands at the first. */
export const axisTick = (seconds: number, end: number, first: boolean): string => {
  const minutes = end > 600;
  const value = minutes ? seconds / 60 : seconds;
  return first
    ? withUnit('0', minutes ? 'min' : 's')
    : decimal(value, Number.isInteger(value) ? 0 : end < 1 ? 2 : 1);
};

/** Most versions behind in the picture; −1 when nothing generates. */
export const mostBehind = (slowest: readonly SlowRollout[]): number =>
  slowest.reduce(
    (most, { spans }) =>
      spans.reduce((max, span) => (span.state === 'generating' ? Math.max(max, span.behind) : max), most),
    -1,
  );

/** Few versions use steps that lie apart, so that each can be named by eye. */
const APART: Readonly<Record<number, readonly number[]>> = {
  0: [0],
  1: [0, 4],
  2: [0, 3, 5],
  3: [0, 2, 3, 5],
  4: [0, 2, 3, 4, 5],
  5: [0, 1, 2, 3, 4, 5],
  6: [0, 1, 2, 3, 4, 5, 6],
};

/** Step of the sequential scale for a number of versions behind; −1: unknown. */
export const behindStep = (behind: number, most: number): number => {
  if (!Number.isFinite(behind) || behind < 0) return -1;
  const table = APART[most];
  return table ? (table[behind] ?? sequentialStep(behind, 0, most)) : sequentialStep(behind, 0, most);
};

/** Seconds of a rollout by what it did. */
export const secondsBy = (spans: readonly SpanRow[], state: string): number =>
  spans.reduce((sum, span) => (span.state === state ? sum + Math.max(0, span.to - span.from) : sum), 0);

/** Labels along an axis that would touch each other: the later ones go. Each `[x, width]` in pixels. */
export const withoutOverlap = (
  labels: readonly (readonly [x: number, width: number])[],
  gap = 8,
): readonly boolean[] => {
  let free = Number.NEGATIVE_INFINITY;
  return labels.map(([x, width]) => {
    if (x < free) return false;
    free = x + width + gap;
    return true;
  });
};
