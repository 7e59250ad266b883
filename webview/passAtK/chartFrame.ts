import type { DrawnView } from './drawnView';
import type { Point } from './chartPaths';

/** Where the chart lies and how it maps k and pass@k to CSS pixels. */
export interface Frame {
  readonly view: DrawnView;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Of the whole chart. */
  readonly width: number;
  /** Greatest k of the axis: beyond the largest counted one where the curves are extrapolated. */
  readonly lastK: number;
  readonly extrapolate: boolean;
  readonly x: (k: number) => number;
  readonly y: (p: number) => number;
}

const NAMES = 112;
const AXES = 44;

export const frameOf = (view: DrawnView, width: number, height: number, extrapolate: boolean): Frame => {
  const left = 48;
  const right = Math.max(left + 120, width - NAMES);
  const top = 12;
  const bottom = height - AXES;
  const modelled = extrapolate && view.curves.some(({ extrapolated }) => extrapolated.some(Number.isFinite));
  const lastK = modelled ? (view.extrapolatedK.at(-1) ?? view.largestK) : view.largestK;
  const first = Math.log2(view.k[0] ?? 1);
  const span = Math.max(1e-9, Math.log2(Math.max(2, lastK)) - first);
  return {
    view,
    left,
    right,
    top,
    bottom,
    width,
    lastK,
    extrapolate: modelled,
    x: (k) => left + ((Math.log2(k) - first) / span) * (right - left),
    y: (p) => top + (1 - p) * (bottom - top),
  };
};

export const pointsOf = ({ view, x, y }: Frame, values: readonly number[]): readonly Point[] =>
  view.k.map((k, i) => ({ x: x(k), y: y(values[i] ?? NaN) }));

/** The modelled part of a curve, from the largest counted k on. */
export const extrapolatedOf = ({ view, x, y }: Frame, values: readonly number[]): readonly Point[] =>
  view.extrapolatedK.map((k, i) => ({ x: x(k), y: y(values[i] ?? NaN) }));

/** Room of a line of small text above and below its baseline, with some air. */
const ASCENT = 13;
const DESCENT = 6;
/** Under the lines stand the words of a crossing. */
const WORDS = 64;
/** Room that the written difference takes below the lower curve at the largest counted k. */
const NOTE = 34;

/** Baseline for a word in the extrapolated ground where no line runs and nothing is written; the highest one. */
export const freeBaseline = (frame: Frame): number => {
  const { view, top, bottom, y } = frame;
  const taken = view.curves.flatMap(({ extrapolated }) => {
    const heights = extrapolated.filter(Number.isFinite).map(y);
    return heights.length === 0 ? [] : [{ from: Math.min(...heights), to: Math.max(...heights) }];
  });
  const ends = view.curves.flatMap(({ key, value }) => {
    const last = value.at(-1) ?? NaN;
    return (key === view.shown || key === view.against) && Number.isFinite(last) ? [y(last)] : [];
  });
  if (ends.length > 0) taken.push({ from: Math.min(...ends), to: Math.max(...ends) + NOTE });
  for (let at = top + 12; at <= bottom - WORDS; at += 4) {
    if (taken.every(({ from, to }) => to < at - ASCENT || from > at + DESCENT)) return at;
  }
  return top + 12;
};
