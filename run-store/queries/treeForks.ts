import type { TreeFork } from '../../protocol/panels/tree';
import { USE_PROBE } from '../ledger/categories';
import type { Incarnation } from '../incarnation';
import { CHUNK_MASK, NONE } from '../tables/chunks';
import { authorOf, decisionOf } from './find';
import type { TreeNodes } from './treeNodes';

/**
 * Forks: positions at which nodes of other rollouts attach. A rollout that goes on in a node of its own is no fork.
 * The decision is that of the first child that names one.
 */
export function forksOf(incarnation: Incarnation, nodes: TreeNodes, rolloutOf: Int32Array): TreeFork[] {
  const childrenAt = new Map<string, number[]>();
  for (let k = 0; k < nodes.rows.length; k++) {
    const parent = nodes.parent[k]!;
    if (parent === NONE || rolloutOf[parent] === rolloutOf[k]) continue;
    const key = `${parent}:${nodes.at[k]!}`;
    const known = childrenAt.get(key);
    if (known) known.push(k);
    else childrenAt.set(key, [k]);
  }
  return [...childrenAt.values()]
    .map((children) => fork(incarnation, nodes, children))
    .sort((a, b) => a.node - b.node || a.at - b.at);
}

function fork(incarnation: Incarnation, nodes: TreeNodes, children: readonly number[]): TreeFork {
  let handle = NONE;
  let time = Infinity;
  let allProbes = true;
  for (const child of children) {
    const row = nodes.rows[child]!;
    const chunk = incarnation.nodes.chunk(row)!;
    const i = row & CHUNK_MASK;
    const owner = incarnation.rollouts.chunk(chunk.rollout.get(i));
    const r = chunk.rollout.get(i) & CHUNK_MASK;
    if (handle === NONE) handle = chunk.decision?.get(i) ?? NONE;
    if (handle === NONE) handle = owner?.decision?.get(r) ?? NONE;
    if (owner?.use[r] !== USE_PROBE) allProbes = false;
    const opened = chunk.base + chunk.opened[i]!;
    if (opened < time) time = opened;
  }
  const decision = decisionOf(incarnation, handle);
  const author = authorOf(incarnation, decision);
  const byPerson = author !== null || decision?.command != null || (decision === null && allProbes);
  const first = children[0]!;
  return {
    node: nodes.parent[first]!,
    at: nodes.at[first]!,
    children,
    by: byPerson ? 'person' : 'rule',
    decision: incarnation.textOrNull(handle),
    method: decision?.method ?? null,
    sentence: decision?.sentence ?? null,
    author,
    time: incarnation.unix(Number.isFinite(time) ? time : 0),
  };
}
