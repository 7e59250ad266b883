export interface Point {
  readonly x: number;
  readonly y: number;
}

const known = ({ x, y }: Point): boolean => Number.isFinite(x) && Number.isFinite(y);
const at = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** A line through the points; where a value is missing the line has a gap, nothing is joined across it. */
export const linePath = (points: readonly Point[]): string => {
  let path = '';
  let pen = false;
  for (const point of points) {
    if (known(point)) path += `${pen ? 'L' : 'M'}${at(point)}`;
    pen = known(point);
  }
  return path;
};

/** Runs of neighbours for which all lists have a value, each at least two points long. */
const solidRuns = (lists: readonly (readonly Point[])[]): readonly (readonly [number, number])[] => {
  const runs: [number, number][] = [];
  const length = Math.min(...lists.map((list) => list.length));
  let from = -1;
  for (let i = 0; i <= length; i++) {
    const all = i < length && lists.every((list) => known(list[i] ?? { x: NaN, y: NaN }));
    if (all && from < 0) from = i;
    if (!all && from >= 0) {
      if (i - from > 1) runs.push([from, i]);
      from = -1;
    }
  }
  return runs;
};

const closed = (there: readonly Point[], back: readonly Point[]): string =>
  `M${[...there, ...[...back].reverse()].map(at).join('L')}Z`;

/** The area between the two ends of an interval. */
export const bandPath = (low: readonly Point[], high: readonly Point[]): string =>
  solidRuns([low, high])
    .map(([from, to]) => closed(low.slice(from, to), high.slice(from, to)))
    .join('');

export interface Between {
  readonly gain: boolean;
  readonly path: string;
}

/**
 * The areas between a reference and a shown line, parted where they cross (linear between points). Gain: the
 * shown line is above; y grows downwards.
 */
export const betweenAreas = (reference: readonly Point[], shown: readonly Point[]): readonly Between[] => {
  const areas: Between[] = [];
  for (const [from, to] of solidRuns([reference, shown])) {
    let under: Point[] = [];
    let over: Point[] = [];
    let gain: boolean | null = null;
    const flush = (): void => {
      if (gain !== null && under.length > 1) areas.push({ gain, path: closed(under, over) });
      under = [];
      over = [];
    };
    for (let i = from; i < to; i++) {
      const a = reference[i];
      const b = shown[i];
      if (!a || !b) continue;
      const up: boolean | null = b.y === a.y ? gain : b.y < a.y;
      if (gain !== null && up !== gain) {
        const a0 = reference[i - 1] ?? a;
        const b0 = shown[i - 1] ?? b;
        const before = a0.y - b0.y;
        const share = before / (before - (a.y - b.y));
        const cross = { x: a0.x + (a.x - a0.x) * share, y: a0.y + (a.y - a0.y) * share };
        under.push(cross);
        over.push(cross);
        flush();
        under.push(cross);
        over.push(cross);
      }
      gain = up;
      under.push(a);
      over.push(b);
    }
    flush();
  }
  return areas;
};

/**
 * Moves labels apart so that none overlaps the next, each as near its own place as it can be.
 *
 * @param places in any order; `gap`: least distance; all in the units of `from` and `to`.
 * @returns the places in the same order.
 */
export const spread = (
  places: readonly number[],
  gap: number,
  from: number,
  to: number,
): readonly number[] => {
  const order = places.map((_, i) => i).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const result = [...places];
  let last = from - gap;
  for (const i of order) {
    const y = Math.max(last + gap, result[i] ?? 0);
    result[i] = y;
    last = y;
  }
  let next = to + gap;
  for (const i of [...order].reverse()) {
    const y = Math.min(next - gap, result[i] ?? 0);
    result[i] = y;
    next = y;
  }
  return result;
};

/** Powers of two from the first k to the last. */
export const powersOfTwo = (from: number, to: number): readonly number[] => {
  const list: number[] = [];
  for (let k = 2 ** Math.ceil(Math.log2(Math.max(1, from))); k <= to; k *= 2) list.push(k);
  return list;
};
