import type { Rows } from './promptOrder';

/** Rectangles, one a prompt, greatest first: `edges` holds x0, y0, x1, y1 of each. */
export interface TreemapLayout {
  readonly rows: Rows;
  readonly edges: Float32Array;
  /** Prompts too small for a cell of their own share the last rectangle. */
  readonly others: { readonly count: number; readonly sum: number; readonly edges: Float32Array } | null;
  /** Σ of all areas' values, and prompts with a value above 0. */
  readonly total: number;
  readonly count: number;
}

/** Least area of a cell, square pixels: what is smaller cannot be seen or hit. */
const LEAST_AREA = 4;

/**
 * Squarified treemap (Bruls, Huizing, van Wijk 2000): rows of cells along the shorter side, each row closed when one
 * more cell would make its worst proportion worse. Areas are proportional to the values.
 *
 * @param value of a row; what is not above 0 gets no cell.
 */
export const treemapLayout = (
  rows: ArrayLike<number>,
  value: (row: number) => number,
  width: number,
  height: number,
): TreemapLayout => {
  const kept: number[] = [];
  let total = 0;
  for (let i = 0; i < rows.length; i++) {
    const own = value(rows[i]!);
    if (own > 0 && Number.isFinite(own)) {
      kept.push(rows[i]!);
      total += own;
    }
  }
  const none = { rows: new Int32Array(0), edges: new Float32Array(0), others: null, total, count: 0 };
  if (kept.length === 0 || width < 1 || height < 1) return none;
  const values = new Map<number, number>(kept.map((row) => [row, value(row)]));
  const of = (row: number): number => values.get(row) ?? 0;
  kept.sort((a, b) => of(b) - of(a) || a - b);
  const scale = (width * height) / total;
  let shown = kept.length;
  let rest = 0;
  while (shown > 0 && of(kept[shown - 1]!) * scale < LEAST_AREA) rest += of(kept[--shown]!);
  // One that is too small is no crowd: it keeps its cell.
  if (kept.length - shown === 1) {
    shown += 1;
    rest = 0;
  }
  const areas = kept.slice(0, shown).map((row) => of(row) * scale);
  if (rest > 0) areas.push(rest * scale);
  const edges = squarify(areas, width, height);
  return {
    rows: Int32Array.from(kept.slice(0, shown)),
    edges: edges.slice(0, shown * 4),
    others: rest > 0 ? { count: kept.length - shown, sum: rest, edges: edges.slice(shown * 4) } : null,
    total,
    count: kept.length,
  };
};

const squarify = (areas: readonly number[], width: number, height: number): Float32Array => {
  const edges = new Float32Array(areas.length * 4);
  let [x, y, w, h] = [0, 0, width, height];
  let first = 0;
  while (first < areas.length) {
    const side = Math.min(w, h);
    let end = first;
    let sum = 0;
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    let worst = Number.POSITIVE_INFINITY;
    while (end < areas.length) {
      const area = areas[end]!;
      const nextSum = sum + area;
      const nextLeast = Math.min(least, area);
      const nextMost = Math.max(most, area);
      const square = nextSum * nextSum;
      const next = Math.max((side * side * nextMost) / square, square / (side * side * nextLeast));
      if (next > worst) break;
      [sum, least, most, worst] = [nextSum, nextLeast, nextMost, next];
      end += 1;
    }
    const isLast = end === areas.length;
    const isWide = w >= h;
    const thick = isLast ? (isWide ? w : h) : side > 0 ? sum / side : 0;
    let along = isWide ? y : x;
    for (let i = first; i < end; i++) {
      const next = i === end - 1 ? (isWide ? y + h : x + w) : along + (thick > 0 ? areas[i]! / thick : 0);
      edges.set(isWide ? [x, along, x + thick, next] : [along, y, next, y + thick], i * 4);
      along = next;
    }
    if (isWide) {
      x += thick;
      w = Math.max(0, w - thick);
    } else {
      y += thick;
      h = Math.max(0, h - thick);
    }
    first = end;
  }
  return edges;
};

/** The cell under a point, by its place in `rows`; −1: none. */
export const cellAt = ({ edges }: TreemapLayout, x: number, y: number): number => {
  for (let i = 0; i < edges.length; i += 4) {
    if (x >= edges[i]! && x < edges[i + 2]! && y >= edges[i + 1]! && y < edges[i + 3]!) return i / 4;
  }
  return -1;
};

/** The cell beyond an edge of another, at the middle of that edge; the same where there is none. */
export const neighbourOf = (layout: TreemapLayout, at: number, key: string): number => {
  const { edges } = layout;
  const [x0, y0, x1, y1] = [edges[at * 4]!, edges[at * 4 + 1]!, edges[at * 4 + 2]!, edges[at * 4 + 3]!];
  const [middleX, middleY] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const beyond: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [x0 - 0.5, middleY],
    ArrowRight: [x1 + 0.5, middleY],
    ArrowUp: [middleX, y0 - 0.5],
    ArrowDown: [middleX, y1 + 0.5],
  };
  const point = beyond[key];
  const found = point ? cellAt(layout, ...point) : -1;
  return found < 0 ? at : found;
};
