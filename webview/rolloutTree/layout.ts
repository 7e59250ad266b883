/** Columns of a group that the layout needs; all indices are places in these columns, −1: none. */
export interface TreeShape {
  /** First node of each rollout. */
  readonly firstNode: Int32Array;
  /** Per node: parent node, rollout it belongs to, position of its first unit on the path from the root. */
  readonly parent: Int32Array;
  readonly rollout: Int32Array;
  readonly start: Int32Array;
}

/** Rows of a group: one rollout a row, depth first, children of the latest fork first. */
export interface TreeLayout {
  readonly count: number;
  /** Rollout of each row, row of each rollout. */
  readonly rolloutAt: Int32Array;
  readonly rowOf: Int32Array;
  /** Per rollout: the rollout that it was forked from, and its first position on the path. */
  readonly parent: Int32Array;
  readonly start: Int32Array;
  /** Per rollout: 1 at the root; place among its siblings from 1; number of siblings, itself included. */
  readonly level: Int32Array;
  readonly position: Int32Array;
  readonly siblings: Int32Array;
  /** Per rollout: one past the last row of its subtree. */
  readonly end: Int32Array;
}

/**
 * Layered layout in O(n log n) on typed arrays. A child's connector goes down at its first position; whatever
 * lies between parent and child starts at or after that position, so that no connector crosses a strip.
 * Children of one fork keep the order in which they came, so that new leaves come after their elder siblings.
 */
export const layoutRows = (shape: TreeShape): TreeLayout => {
  const count = shape.firstNode.length;
  const parent = new Int32Array(count).fill(-1);
  const start = new Int32Array(count);
  let greatest = 0;
  for (let r = 0; r < count; r++) {
    const node = shape.firstNode[r] ?? -1;
    const above = node < 0 ? -1 : (shape.parent[node] ?? -1);
    const owner = above < 0 ? -1 : (shape.rollout[above] ?? -1);
    if (owner >= 0 && owner < count && owner !== r) parent[r] = owner;
    start[r] = node < 0 ? 0 : (shape.start[node] ?? 0);
    greatest = Math.max(greatest, start[r] ?? 0);
  }
  // One numeric sort for all children lists: latest position first, then the order of arrival.
  const keys = new Float64Array(count);
  for (let r = 0; r < count; r++) {
    const from = (parent[r] ?? -1) < 0 ? 0 : greatest - (start[r] ?? 0);
    keys[r] = from * count + r;
  }
  keys.sort();
  const firstChild = new Int32Array(count).fill(-1);
  const next = new Int32Array(count).fill(-1);
  const siblings = new Int32Array(count);
  let firstRoot = -1;
  let roots = 0;
  for (let i = count - 1; i >= 0; i--) {
    const r = (keys[i] ?? 0) % count;
    const p = parent[r] ?? -1;
    if (p < 0) {
      next[r] = firstRoot;
      firstRoot = r;
      roots += 1;
    } else {
      next[r] = firstChild[p] ?? -1;
      firstChild[p] = r;
      siblings[p] = (siblings[p] ?? 0) + 1;
    }
  }
  return walk({ count, parent, start, firstChild, next, firstRoot, roots, children: siblings });
};

interface Links {
  readonly count: number;
  readonly parent: Int32Array;
  readonly start: Int32Array;
  readonly firstChild: Int32Array;
  readonly next: Int32Array;
  readonly firstRoot: number;
  readonly roots: number;
  /** Number of children of each rollout. */
  readonly children: Int32Array;
}

const walk = ({ count, parent, start, firstChild, next, firstRoot, roots, children }: Links): TreeLayout => {
  const rolloutAt = new Int32Array(count);
  const rowOf = new Int32Array(count).fill(-1);
  const level = new Int32Array(count);
  const position = new Int32Array(count);
  const siblings = new Int32Array(count);
  const end = new Int32Array(count);
  let row = 0;
  let at = firstRoot;
  let place = 1;
  while (at >= 0) {
    const above = parent[at] ?? -1;
    rolloutAt[row] = at;
    rowOf[at] = row;
    row += 1;
    level[at] = above < 0 ? 1 : (level[above] ?? 0) + 1;
    position[at] = place;
    siblings[at] = above < 0 ? roots : (children[above] ?? 0);
    const down = firstChild[at] ?? -1;
    if (down >= 0) {
      at = down;
      place = 1;
      continue;
    }
    // Up until there is a sibling to go on with; each rollout is closed once.
    end[at] = row;
    while (at >= 0 && (next[at] ?? -1) < 0) {
      at = parent[at] ?? -1;
      if (at >= 0) end[at] = row;
    }
    if (at >= 0) {
      place = (position[at] ?? 0) + 1;
      at = next[at] ?? -1;
    }
  }
  return { count: row, rolloutAt, rowOf, parent, start, level, position, siblings, end };
};

/** First child of a rollout in the order of the rows; −1: none. */
export const firstChildOf = (layout: TreeLayout, rollout: number): number => {
  const row = (layout.rowOf[rollout] ?? -1) + 1;
  if (row === 0 || row >= (layout.end[rollout] ?? 0)) return -1;
  return layout.rolloutAt[row] ?? -1;
};

/** The sibling before (−1) or after (+1) in the order of the rows; −1: none. */
export const siblingOf = (layout: TreeLayout, rollout: number, by: -1 | 1): number => {
  const above = layout.parent[rollout] ?? -1;
  if (by === 1) {
    const row = layout.end[rollout] ?? layout.count;
    const last = above < 0 ? layout.count : (layout.end[above] ?? 0);
    return row < last ? (layout.rolloutAt[row] ?? -1) : -1;
  }
  if ((layout.position[rollout] ?? 1) <= 1) return -1;
  // The row above belongs to the subtree of the elder sibling: climb to it.
  let at = layout.rolloutAt[(layout.rowOf[rollout] ?? 0) - 1] ?? -1;
  while (at >= 0 && (layout.parent[at] ?? -1) !== above) at = layout.parent[at] ?? -1;
  return at;
};

/**
 * Scroll place after growth that leaves the anchor's row where it was on the screen.
 *
 * @param scrollTop, rowHeight CSS pixels; `before`, `after`: rows of the anchor, −1: it is not there.
 */
export const keepAnchor = (scrollTop: number, before: number, after: number, rowHeight: number): number =>
  before < 0 || after < 0 ? scrollTop : Math.max(0, scrollTop + (after - before) * rowHeight);

/** End of the token axis: the least power of two that holds everything; it never shrinks while a group is shown. */
export const axisEnd = (longest: number, before = 0): number => {
  let end = Math.max(64, before);
  while (end < longest) end *= 2;
  return end;
};
