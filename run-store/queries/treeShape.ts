import { NONE } from '../tables/chunks';
import type { TreeNodes } from './treeNodes';

/**
 * Tokens of the largest first-level subtree over the tokens of the tree, shared tokens once. With several roots the
 * first level is the roots; a single root branches first at its first fork, where its own continuation is one of
 * the subtrees. NaN where nothing branches.
 */
export function largestShare(nodes: TreeNodes, length: Int32Array): number {
  const count = nodes.rows.length;
  const below = Float64Array.from(length);
  let total = 0;
  for (let k = count - 1; k >= 0; k--) {
    total += length[k]!;
    const parent = nodes.parent[k]!;
    if (parent !== NONE) below[parent]! += below[k]!;
  }
  const roots: number[] = [];
  for (let k = 0; k < count; k++) if (nodes.parent[k] === NONE) roots.push(k);
  if (total === 0) return NaN;
  if (roots.length > 1) return roots.reduce((most, root) => Math.max(most, below[root]!), 0) / total;
  return largestBelowFirstFork(nodes, length, below, total);
}

function largestBelowFirstFork(
  nodes: TreeNodes,
  length: Int32Array,
  below: Float64Array,
  total: number,
): number {
  const childrenOf = new Map<number, number[]>();
  for (let k = 0; k < nodes.rows.length; k++) {
    const parent = nodes.parent[k]!;
    if (parent === NONE) continue;
    const known = childrenOf.get(parent);
    if (known) known.push(k);
    else childrenOf.set(parent, [k]);
  }
  let prefix = 0;
  for (let node = 0; ;) {
    const children = childrenOf.get(node) ?? [];
    if (children.length === 0) return NaN;
    const first = children.reduce((least, child) => Math.min(least, nodes.at[child]!), Infinity);
    const here = children.filter((child) => nodes.at[child] === first);
    if (here.length === 1 && children.length === 1 && first >= length[node]!) {
      // The trunk goes on in its only child.
      prefix += length[node]!;
      node = here[0]!;
      continue;
    }
    const branches = here.map((child) => below[child]!);
    const shared = prefix + Math.min(first, length[node]!);
    branches.push(total - shared - branches.reduce((sum, tokens) => sum + tokens, 0));
    return Math.max(...branches) / total;
  }
}
