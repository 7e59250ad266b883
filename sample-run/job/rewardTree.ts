import type { Credit, RewardTree } from '../../methods/credit/credit';
import { isFinished, type GroupRecord, type NodeRecord, type RolloutRecord } from './records';

/** A block of the tree: tokens from..to of a node. */
export interface Block {
  readonly node: NodeRecord;
  readonly from: number;
  readonly to: number;
}

export interface GroupTree {
  readonly tree: RewardTree;
  readonly blocks: readonly Block[];
  /** Rollouts in the order of the tree’s leaves. */
  readonly rollouts: readonly RolloutRecord[];
}

/** The blocks between attachment positions on the paths of the given rollouts, as credit rules take them. */
export function groupTree(group: GroupRecord, include: (rollout: RolloutRecord) => boolean): GroupTree {
  const included = group.rollouts.filter((rollout) => isFinished(rollout) && include(rollout));
  const onPath = new Set<NodeRecord>();
  for (const rollout of included) {
    for (let node: NodeRecord | null = rollout.node; node && !onPath.has(node); node = node.parent) {
      onPath.add(node);
    }
  }
  const leafOf = new Set(included.map((rollout) => rollout.node));
  const blocks: Block[] = [];
  const parents: number[] = [];
  const leaves: number[] = [];
  const rollouts: RolloutRecord[] = [];
  const add = (block: Block, parent: number): number => {
    parents.push(parent);
    return blocks.push(block) - 1;
  };
  const visit = (node: NodeRecord, parent: number): void => {
    const children = node.children.filter((child) => onPath.has(child)).sort((a, b) => a.at - b.at);
    let block = parent;
    let from = 0;
    for (const child of children) {
      if (child.at > from) {
        block = add({ node, from, to: child.at }, block);
        from = child.at;
      }
      visit(child, block);
    }
    if (!leafOf.has(node)) return;
    leaves.push(add({ node, from, to: node.tokens.length }, block));
    rollouts.push(node.rollout);
  };
  for (const { node } of group.rollouts) if (node.parent === null && onPath.has(node)) visit(node, -1);
  const tree = {
    parents,
    leaves,
    rewards: rollouts.map(({ verdict }) => verdict?.reward ?? 0),
    tokens: blocks.map((block) => block.to - block.from),
  };
  return { tree, blocks, rollouts };
}

/** Rollouts through each block. */
export function rolloutsThrough({ parents, leaves }: RewardTree): number[] {
  const counts = parents.map(() => 0);
  for (const leaf of leaves) counts[leaf] = 1;
  for (let block = parents.length - 1; block >= 0; block--) {
    const parent = parents[block]!;
    if (parent >= 0) counts[parent]! += counts[block]!;
  }
  return counts;
}

/** Advantage and weight of every token of a node. */
export interface TokenCredit {
  readonly advantages: Float64Array;
  readonly weights: Float64Array;
}

/**
 * Spreads a credit over the nodes’ tokens. Rules that give a rollout one advantage train a shared block once for
 * each rollout through it: `shared` says that its weight counts them.
 */
export function tokenCredits(
  { tree, blocks }: GroupTree,
  credit: Credit,
  shared: boolean,
): Map<NodeRecord, TokenCredit> {
  const through = rolloutsThrough(tree);
  const result = new Map<NodeRecord, TokenCredit>();
  blocks.forEach(({ node, from, to }, b) => {
    let entry = result.get(node);
    if (!entry) {
      const size = node.tokens.length;
      entry = { advantages: new Float64Array(size), weights: new Float64Array(size) };
      result.set(node, entry);
    }
    entry.advantages.fill(credit.blockAdvantages[b]!, from, to);
    for (let i = from; i < to; i++) {
      entry.weights[i] = node.tokens.sampled[i] === 1 ? (shared ? through[b]! : 1) : 0;
    }
  });
  return result;
}
