import { SERIES_FIELDS } from '../apply/nodeFigures';
import type { Incarnation } from '../incarnation';
import { CHUNK_MASK } from '../tables/chunks';
import type { TreeNodes } from './treeNodes';

const ENTROPY = SERIES_FIELDS.indexOf('entropy');

export interface NodeSeriesView {
  /** Units a bin, the same for all nodes; 0 when no node has a series. */
  readonly bin: number;
  readonly from: Int32Array;
  readonly count: Int32Array;
  readonly values: Float32Array;
}

/** Mean entropy by bins of all nodes, one after the other. Nodes sent with finer bins are averaged into the coarsest. */
export function entropySeries(incarnation: Incarnation, nodes: TreeNodes): NodeSeriesView {
  const count = nodes.rows.length;
  const perNode: (readonly Float64Array[] | null)[] = [];
  let bin = 0;
  for (const row of nodes.rows) {
    const pieces = incarnation.nodes
      .chunk(row)!
      .series?.pieces(row & CHUNK_MASK)
      .filter((piece) => piece[0] === ENTROPY);
    perNode.push(pieces && pieces.length > 0 ? pieces : null);
    for (const piece of pieces ?? []) bin = Math.max(bin, piece[1]!);
  }
  const from = new Int32Array(count);
  const counts = new Int32Array(count);
  let total = 0;
  perNode.forEach((pieces, k) => {
    from[k] = total;
    for (const piece of pieces ?? []) {
      const own = Math.max(1, piece[1]!);
      const means = (piece.length - 3) >> 1;
      counts[k] = Math.max(counts[k]!, Math.ceil(((piece[2]! + means) * own) / bin));
    }
    total += counts[k]!;
  });
  const values = new Float32Array(total);
  const weights = new Float32Array(total);
  perNode.forEach((pieces, k) => {
    for (const piece of pieces ?? []) {
      const own = Math.max(1, piece[1]!);
      const means = (piece.length - 3) >> 1;
      for (let j = 0; j < means; j++) {
        const value = piece[3 + j]!;
        if (Number.isNaN(value)) continue;
        const at = from[k]! + Math.floor(((piece[2]! + j) * own) / bin);
        values[at]! += value;
        weights[at]! += 1;
      }
    }
  });
  for (let i = 0; i < total; i++) values[i] = weights[i]! > 0 ? values[i]! / weights[i]! : NaN;
  return { bin, from, count: counts, values };
}
