import type { Figure } from '../../protocol/panels/overview';
import { count, decimal, largeParts, share, shareValue } from '../shared/format';
import { duration, durationParts } from '../shared/times';
import { text } from './texts';

export interface FigureText {
  readonly label: string;
  readonly value: string;
  readonly unit: string;
  readonly second: string;
  /** The value is a word: there is no number yet. */
  readonly word: boolean;
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
  /** Rollouts of the step that have ended, and that have not. */
  readonly ended: number;
  readonly stillRunning: number;
  /** Seconds since nine tenths of the rollouts had ended; null: they have not. */
  readonly tailSeconds: number | null;
  /** Most versions behind among the slowest rollouts; −1: unknown. */
  readonly mostBehind: number;
}

const isOfGroups = ({ id }: Figure): boolean => id === 'effectiveBatch' || id === 'zeroGradientGroups';

/** The last steps of a figure. What groups decide is not known of a step that runs: it has no point there. */
export const seriesOf = (figure: Figure): readonly number[] =>
  figure.running && isOfGroups(figure) ? [...figure.series.slice(0, -1), Number.NaN] : figure.series;

/** Word of a figure of groups while none of them has decided anything; null: its number is meant. */
const undecided = ({ id, value, of, running }: Figure): string | null => {
  if (!running || value !== 0) return null;
  if (id === 'effectiveBatch') return text('undecidedYet');
  return id === 'zeroGradientGroups' && of === 0 ? text('noneClosed') : null;
};

/** A figure in words and numbers. */
export const figureText = (figure: Figure, around: Around): FigureText => {
  const word = undecided(figure);
  const numbers = numbersText(figure, around);
  return word === null ? numbers : { ...numbers, value: word, unit: '', word: true };
};

const numbersText = (figure: Figure, around: Around): FigureText => {
  const { id, value, of, expected, median } = figure;
  const tail = expected ?? around.tailSeconds;
  const label = text(id);
  if (value === null || !Number.isFinite(value)) {
    return { label, value: text('noValue'), unit: '', second: '', word: true };
  }
  const word = false;
  switch (id) {
    case 'throughput': {
      const parts = largeParts(value);
      const prefix = parts.unit === '' ? '' : `${parts.unit}\u00a0`;
      return {
        label,
        value: parts.value,
        unit: text('tokensPerSecond', { prefix }),
        // Before anything has ended, how much a second makes says nothing about the step.
        second: figure.running && (value === 0 || around.ended === 0) ? '' : againstMedian(figure),
        word,
      };
    }
    case 'stepSeconds': {
      const parts = durationParts(value);
      return {
        label,
        value: parts.value,
        unit: figure.running ? text('running', { unit: parts.unit }) : parts.unit,
        second: median === null ? '' : text('median', { value: duration(median) }),
        word,
      };
    }
    case 'effectiveBatch':
      return { label, value: count(value), unit: ofWhole(of), second: text('withGradient'), word };
    case 'zeroGradientGroups':
      return {
        label,
        value: count(value),
        unit: ofWhole(of),
        second:
          expected === null
            ? ''
            : text('expectedGroups', { count: decimal(expected, expected < 10 ? 1 : 0) }),
        word,
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
        word,
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
        word,
      };
  }
};

const NOTHING_AROUND: Around = { ended: 0, stillRunning: 0, tailSeconds: null, mostBehind: -1 };

/** The line of the last steps in words; empty when there is none. */
export const seriesText = (figure: Figure): string => {
  const known = seriesOf(figure).filter((value) => Number.isFinite(value));
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
