import type { PassAtKView } from '../../protocol/panels/passAtK';
import type { Point } from './chartPaths';

/** Where the chart lies and how it maps k and pass@k to CSS pixels. */
export interface Frame {
  readonly view: PassAtKView;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Of the whole chart. */
  readonly width: number;
  readonly x: (k: number) => number;
  readonly y: (p: number) => number;
}

export const pointsOf = ({ view, x, y }: Frame, values: readonly number[]): readonly Point[] =>
  view.k.map((k, i) => ({ x: x(k), y: y(values[i] ?? NaN) }));
