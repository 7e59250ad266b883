import type { Incarnation } from '../incarnation';
import { CHUNK_BITS, CHUNK_MASK, CHUNK_ROWS, NONE } from '../tables/chunks';

/** The nodes of a set of rollouts, children after their parents. Indices are places in these arrays. */
export interface TreeNodes {
  /** Rows of the node table. */
  readonly rows: Int32Array;
  /** Index of the parent; −1: a root, or a parent that is elsewhere. */
  readonly parent: Int32Array;
  /** Position in the parent where it attaches; 0 for a root. */
  readonly at: Int32Array;
  /** Position of its first unit on the path from the root. */
  readonly start: Int32Array;
  /** Links that would have closed a circle and were cut. */
  readonly cutCircles: number;
}

/** Rows of the nodes that belong to rollouts for which `wanted` holds, between two rows. */
function nodesBetween(
  incarnation: Incarnation,
  first: number,
  last: number,
  wanted: (rollout: number) => boolean,
): number[] {
  const rows: number[] = [];
  for (let c = first >> CHUNK_BITS; c <= last >> CHUNK_BITS; c++) {
    const chunk = incarnation.nodes.chunks[c];
    if (!chunk) continue;
    const base = c << CHUNK_BITS;
    const end = Math.min(CHUNK_ROWS - 1, last - base);
    for (let i = Math.max(0, first - base); i <= end; i++) {
      const rollout = chunk.rollout.get(i);
      if (rollout >= 0 && wanted(rollout)) rows.push(base + i);
    }
  }
  return rows;
}

/** Rows of all nodes of the rollouts, which belong to one group. */
export function nodesOfRollouts(incarnation: Incarnation, rollouts: readonly number[]): number[] {
  let first = Infinity;
  let last = NONE;
  for (const row of rollouts) {
    const chunk = incarnation.rollouts.chunk(row);
    const i = row & CHUNK_MASK;
    if (!chunk || chunk.firstNode.get(i) === NONE) continue;
    first = Math.min(first, chunk.firstNode.get(i));
    last = Math.max(last, chunk.lastNode.get(i));
  }
  if (last === NONE) return [];
  if (rollouts.length === 1) return nodesBetween(incarnation, first, last, (row) => row === rollouts[0]);
  const wanted = new Set(rollouts);
  const group = incarnation.rollouts.chunk(rollouts[0]!)?.group.get(rollouts[0]! & CHUNK_MASK);
  return nodesBetween(
    incarnation,
    first,
    last,
    (row) => incarnation.rollouts.chunk(row)?.group.get(row & CHUNK_MASK) === group && wanted.has(row),
  );
}

/**
 * Where a node attaches: its own parent, else the node from which its rollout was launched; [−1, 0] for a root. A
 * parent without a position is continued at its end.
 */
export function attachmentOf(incarnation: Incarnation, row: number): readonly [parent: number, at: number] {
  const chunk = incarnation.nodes.chunk(row)!;
  const i = row & CHUNK_MASK;
  let parent = chunk.parent.get(i);
  let at = chunk.at.get(i);
  if (parent === NONE && chunk.rollout.get(i) >= 0) {
    const owner = incarnation.rollouts.chunk(chunk.rollout.get(i));
    const r = chunk.rollout.get(i) & CHUNK_MASK;
    if (owner?.fromNode && owner.fromNode.get(r) >= 0 && owner.firstNode.get(r) === row) {
      parent = owner.fromNode.get(r);
      at = owner.at?.get(r) ?? NONE;
    }
  }
  if (parent < 0 || parent === row) return [NONE, Math.max(0, at)];
  if (at >= 0) return [parent, at];
  return [parent, incarnation.nodes.chunk(parent)?.length.get(parent & CHUNK_MASK) ?? 0];
}

/** Brings nodes into an order in which every parent stands before its children; circles are cut. */
export function orderNodes(incarnation: Incarnation, found: readonly number[]): TreeNodes {
  const count = found.length;
  const indexOf = new Map<number, number>();
  found.forEach((row, k) => indexOf.set(row, k));
  const parentOf = new Int32Array(count);
  const atOf = new Int32Array(count);
  const foreign = new Map<number, number>();
  found.forEach((row, k) => {
    const [parent, at] = attachmentOf(incarnation, row);
    const index = parent >= 0 ? indexOf.get(parent) : undefined;
    parentOf[k] = index ?? NONE;
    atOf[k] = at;
    if (parent >= 0 && index === undefined) foreign.set(k, parent);
  });
  const place = new Int32Array(count).fill(NONE);
  const onPath = new Uint8Array(count);
  const order: number[] = [];
  let cutCircles = 0;
  const path: number[] = [];
  for (let k = 0; k < count; k++) {
    let at = k;
    while (place[at] === NONE) {
      path.push(at);
      onPath[at] = 1;
      const parent = parentOf[at]!;
      if (parent === NONE || place[parent] !== NONE) break;
      if (onPath[parent] === 1) {
        parentOf[at] = NONE;
        cutCircles += 1;
        break;
      }
      at = parent;
    }
    for (let node = path.pop(); node !== undefined; node = path.pop()) {
      onPath[node] = 0;
      place[node] = order.length;
      order.push(node);
    }
  }
  const rows = new Int32Array(count);
  const parent = new Int32Array(count);
  const at = new Int32Array(count);
  const start = new Int32Array(count);
  order.forEach((k, i) => {
    rows[i] = found[k]!;
    parent[i] = parentOf[k] === NONE ? NONE : place[parentOf[k]!]!;
    at[i] = atOf[k]!;
    const elsewhere = foreign.get(k);
    start[i] =
      parent[i] !== NONE
        ? start[parent[i]]! + at[i]
        : elsewhere === undefined
          ? 0
          : startOf(incarnation, elsewhere) + at[i];
  });
  return { rows, parent, at, start, cutCircles };
}

const DEEPEST = 1_000_000;

/** Position of a node's first unit on its path, by walking up. */
export function startOf(incarnation: Incarnation, node: number): number {
  let start = 0;
  let row = node;
  for (let depth = 0; depth < DEEPEST; depth++) {
    if (!incarnation.nodes.chunk(row)) return start;
    const [parent, at] = attachmentOf(incarnation, row);
    if (parent < 0) return start;
    start += at;
    row = parent;
  }
  return start;
}
