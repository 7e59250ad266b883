import type { TreeFork, TreeView } from '../../protocol/panels/tree';
import { layoutRows, type TreeLayout } from './layout';

/** Places of a list per owner: items of owner i are `list[from[i]] … list[from[i + 1] − 1]`, in their own order. */
export interface Grouped {
  readonly from: Int32Array;
  readonly list: Int32Array;
}

/** @param owner per item; −1: it belongs to none. */
export const groupBy = (owner: ArrayLike<number>, owners: number): Grouped => {
  const from = new Int32Array(owners + 1);
  for (let i = 0; i < owner.length; i++) {
    const o = owner[i] ?? -1;
    if (o >= 0 && o < owners) from[o + 1] = (from[o + 1] ?? 0) + 1;
  }
  for (let o = 0; o < owners; o++) from[o + 1] = (from[o + 1] ?? 0) + (from[o] ?? 0);
  const next = from.slice(0, owners);
  const list = new Int32Array(from[owners] ?? 0);
  for (let i = 0; i < owner.length; i++) {
    const o = owner[i] ?? -1;
    if (o < 0 || o >= owners) continue;
    const place = next[o] ?? 0;
    list[place] = i;
    next[o] = place + 1;
  }
  return { from, list };
};

export const itemsOf = ({ from, list }: Grouped, owner: number): Int32Array =>
  list.subarray(from[owner] ?? 0, from[owner + 1] ?? 0);

/** A view with what is derived from it: rows, nodes and forks of each rollout. */
export interface TreeModel {
  readonly view: TreeView;
  readonly layout: TreeLayout;
  /** Nodes of each rollout, places in `view.nodes`. */
  readonly nodes: Grouped;
  /** Forks on each rollout's own nodes, places in `view.forks`. */
  readonly forks: Grouped;
  /** Tokens of the longest path. */
  readonly longest: number;
}

export const buildModel = (view: TreeView): TreeModel => {
  const { rollouts, nodes, forks } = view;
  const count = rollouts.id.length;
  let longest = 0;
  for (const end of rollouts.end) longest = Math.max(longest, end);
  for (let n = 0; n < nodes.id.length; n++) {
    longest = Math.max(longest, (nodes.start[n] ?? 0) + (nodes.length[n] ?? 0));
  }
  return {
    view,
    layout: layoutRows({
      firstNode: rollouts.firstNode,
      parent: nodes.parent,
      rollout: nodes.rollout,
      start: nodes.start,
    }),
    nodes: groupBy(nodes.rollout, count),
    forks: groupBy(
      forks.map((fork) => nodes.rollout[fork.node] ?? -1),
      count,
    ),
    longest,
  };
};

/** Position of a fork on the path from the root. */
export const forkPosition = ({ nodes }: TreeView, fork: TreeFork): number =>
  (nodes.start[fork.node] ?? 0) + fork.at;

/** Tokens from the root to the end of a rollout, of its nodes when the rollout does not say. */
export const endOf = (model: TreeModel, rollout: number): number => {
  const told = model.view.rollouts.end[rollout] ?? 0;
  const own = itemsOf(model.nodes, rollout);
  const last = own[own.length - 1];
  if (last === undefined) return told;
  const { start, length } = model.view.nodes;
  return Math.max(told, (start[last] ?? 0) + (length[last] ?? 0));
};

/** A stretch of a path: positions from..to of the path lie in this node. */
export interface PathPart {
  readonly node: number;
  readonly from: number;
  readonly to: number;
}

/** Nodes from the root to the end of a rollout, each cut where the next one attaches. */
export const pathOf = (model: TreeModel, rollout: number): readonly PathPart[] => {
  const { nodes } = model.view;
  const own = itemsOf(model.nodes, rollout);
  const parts: PathPart[] = [];
  let node = own[own.length - 1] ?? -1;
  let to = node < 0 ? 0 : (nodes.start[node] ?? 0) + (nodes.length[node] ?? 0);
  while (node >= 0) {
    const from = nodes.start[node] ?? 0;
    parts.push({ node, from, to: Math.max(from, to) });
    to = from;
    const above = nodes.parent[node] ?? -1;
    // Parents stand before their children, so that this always ends.
    node = above < node ? above : -1;
  }
  return parts.reverse();
};

/** The part of a path that holds a position; the last one for positions past the end. */
export const partAt = (path: readonly PathPart[], position: number): PathPart | null =>
  path.find((part) => position >= part.from && position < part.to) ?? path[path.length - 1] ?? null;

/** The first fork and last one on a rollout's own strip are counted from 1, in the order of the tokens. */
export const forkPlace = (model: TreeModel, fork: number): { readonly nth: number; readonly of: number } => {
  const { view } = model;
  const entry = view.forks[fork];
  if (!entry) return { nth: 1, of: 1 };
  const all = [...itemsOf(model.forks, view.nodes.rollout[entry.node] ?? -1)];
  const here = forkPosition(view, entry);
  const before = all.filter((other) => {
    const it = view.forks[other];
    return it !== undefined && other !== fork && forkPosition(view, it) < here;
  });
  return { nth: before.length + 1, of: Math.max(1, all.length) };
};
