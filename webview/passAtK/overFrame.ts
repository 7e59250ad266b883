import { roundTicks } from '../shared/scales';
import type { DrawnView } from './drawnView';
import type { OverSteps } from './overSteps';

const finite = (list: readonly number[]): readonly number[] => list.filter((x) => Number.isFinite(x));

/** Round ticks on both sides of 0 that hold every value. */
const signedTicks = (values: readonly number[], most: number): readonly number[] => {
  const low = Math.min(0, ...finite(values));
  const high = Math.max(0, ...finite(values), low === 0 ? 1 : 0);
  const ticks = roundTicks(high - low, most);
  const gap = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  const list: number[] = [];
  for (let i = Math.floor(low / gap); i <= Math.ceil(high / gap); i++) list.push(i * gap);
  return list;
};

/** Each value moved by its own amount, up or down. */
export const shift = (values: readonly number[], by: readonly number[], sign: 1 | -1): readonly number[] =>
  values.map((value, i) => value + sign * (by[i] ?? NaN));

/** Where the chart over the steps lies and how it maps steps and points to CSS pixels. */
export interface OverFrame {
  readonly view: DrawnView;
  readonly over: OverSteps;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly ticks: readonly number[];
  readonly x: (step: number) => number;
  readonly y: (value: number) => number;
}

export const overFrame = (view: DrawnView, over: OverSteps, width: number, height: number): OverFrame => {
  const left = 48;
  const right = Math.max(left + 80, width - 88);
  const top = 28;
  const bottom = height - 60;
  const ticks = signedTicks(
    [
      ...shift(over.accuracy, over.accuracyHalf, -1),
      ...shift(over.accuracy, over.accuracyHalf, 1),
      ...shift(over.coverage, over.coverageHalf, -1),
      ...shift(over.coverage, over.coverageHalf, 1),
      ...over.accuracy,
      ...over.coverage,
    ],
    height < 240 ? 4 : 6,
  );
  const low = ticks[0] ?? 0;
  const high = ticks.at(-1) ?? 1;
  const first = over.steps[0] ?? 0;
  const span = Math.max(1, (over.steps.at(-1) ?? 1) - first);
  return {
    view,
    over,
    left,
    right,
    top,
    bottom,
    ticks,
    x: (step) => left + ((step - first) / span) * (right - left),
    y: (value) => bottom - ((value - low) / Math.max(1e-9, high - low)) * (bottom - top),
  };
};
