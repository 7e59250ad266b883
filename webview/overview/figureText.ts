import type { Figure } from '../../protocol/panels/overview';
import { count, decimal, largeParts, share, shareValue } from '../shared/format';
import { duration, durationParts } from '../shared/times';
import { text } from './texts';

export interface FigureText {
  readonly label: string;
  readonly value: string;
  readonly unit: string;
  readonly second: string;
}

/** The figure against the median of the steps before: `18 % under the median of 40`. */
const againstMedian = ({ value, median, series }: Figure): string => {
  if (value === null || median === null || median === 0) return '';
  const difference = value / median - 1;
  const n = series.filter((each) => Number.isFinite(each)).length;
  if (Math.abs(difference) < 0.005) return text('atMedian', { n });
  const size = share(Math.abs(difference));
  return difference < 0 ? text('underMedian', { share: size, n }) : text('overMedian', { share: size, n });
};

const ofWhole = (whole: number | null): string => (whole === null ? '' : text('of', { whole: count(whole) }));

/** What stands around a figure: known of the step, not of the figure itself. */
export interface Around {
  /** Rollouts of the step that have not ended. */
  readonly stillRunning: number;
  /** Seconds since nine tenths of the rollouts had ended; null: they have not. */
  readonly tailSeconds: number | null;
  /** Most versions behind among the slowest rollouts; −1: unknown. */
  readonly mostBehind: number;
}

/** A figure in words and numbers. */
export const figureText = (figure: Figure, around: Around): FigureText => {
  const { id, value, of, expected, median } = figure;
  const tail = expected ?? around.tailSeconds;
  const label = text(id);
  if (value === null || !Number.isFinite(value)) {
    return { label, value: text('noValue'), unit: '', second: '' };
  }
  switch (id) {
    case 'throughput': {
      const parts = largeParts(value);
      const prefix = parts.unit === '' ? '' : `${parts.unit}\u00a0`;
      return {
        label,
        value: parts.value,
        unit: text('tokensPerSecond', { prefix }),
        second: againstMedian(figure),
      };
    }
    case 'stepSeconds': {
      const parts = durationParts(value);
      return {
        label,
        value: parts.value,
        unit: figure.running ? text('running', { unit: parts.unit }) : parts.unit,
        second: median === null ? '' : text('median', { value: duration(median) }),
      };
    }
    case 'effectiveBatch':
      return { label, value: count(value), unit: ofWhole(of), second: text('withGradient') };
    case 'zeroGradientGroups':
      return {
        label,
        value: count(value),
        unit: ofWhole(of),
        second:
          expected === null
            ? ''
            : text('expectedGroups', { count: decimal(expected, expected < 10 ? 1 : 0) }),
      };
    case 'staleness':
      return {
        label,
        value: decimal(value),
        unit: text('versions'),
        second:
          expected !== null
            ? text('oldest', { count: count(expected) })
            : around.mostBehind > 0
              ? text('slowestBehind', { count: count(around.mostBehind) })
              : '',
      };
    case 'slowestTenth':
      return {
        label,
        value: shareValue(value),
        unit: text('ofTheStep'),
        second:
          tail === null
            ? ''
            : figure.running
              ? text('soFar', { seconds: duration(tail), count: count(around.stillRunning) })
              : text('tail', { seconds: duration(tail) }),
      };
  }
};

const NOTHING_AROUND: Around = { stillRunning: 0, tailSeconds: null, mostBehind: -1 };

/** The line of the last steps in words; empty when there is none. */
export const seriesText = (figure: Figure): string => {
  const known = figure.series.filter((value) => Number.isFinite(value));
  if (known.length < 2) return '';
  const say = (value: number): string => {
    const { value: digits, unit } = figureText(
      { ...figure, value, of: null, running: false },
      NOTHING_AROUND,
    );
    return `${digits} ${unit}`.trim();
  };
  const gaps = { n: known.length, low: say(Math.min(...known)), high: say(Math.max(...known)) };
  return figure.median === null
    ? text('series', gaps)
    : text('seriesMedian', { ...gaps, median: say(figure.median) });
};
