import type { MethodDescription } from '../method';
import type { Parameters } from '../parameters';
import { Refusal } from '../refusal';

/**
 * The rollouts of one group as blocks: a block is a stretch of generated text between two attachment positions, or
 * from one to the end. `parents[i]` is the block that block i continues, −1 if it starts at the prompt; a parent
 * stands before its children. Independent rollouts are blocks without parent or children.
 */
export interface RewardTree {
  readonly parents: readonly number[];
  /** Blocks in which a rollout ends, one entry a rollout; none of them has children. */
  readonly leaves: readonly number[];
  /** Published total reward of each of these rollouts. */
  readonly rewards: readonly number[];
  /** Whether each rollout is trained on, for rules that ask; all of them if absent. */
  readonly trained?: readonly boolean[];
  /** Tokens of each block, for rules that weigh by them. */
  readonly tokens?: readonly number[];
  /** Embedding of each block's text, for rules that reward different siblings. */
  readonly embeddings?: readonly (readonly number[])[];
}

export interface Credit {
  /** One a rollout, in the order of `leaves`: what its own last block is trained with. */
  readonly leafAdvantages: readonly number[];
  /**
   * One a block: what the rule gives the block's tokens. Rules that give whole rollouts one advantage train a shared
   * block once for each rollout through it; here it has their mean.
   */
  readonly blockAdvantages: readonly number[];
  /** One a block: mean reward of the rollouts through it. */
  readonly blockValues: readonly number[];
  /** Mean reward of all rollouts: the value at the prompt. */
  readonly rootValue: number;
}

export type CreditNeed = 'tokens' | 'embeddings';

export interface CreditMethod extends MethodDescription {
  readonly needs: readonly CreditNeed[];
  /** Throws a Refusal if the tree is not closed or not ordered, a reward is no number, or a needed column is absent. */
  apply(tree: RewardTree, parameters?: Parameters): Credit;
}

/** Throws a Refusal unless the tree is one: parents first, every childless block a leaf, finite rewards. */
export function checkTree({ parents, leaves, rewards, trained }: RewardTree): void {
  if (leaves.length === 0)
    throw new Refusal('bad-tree', 'The group has no ended rollout: there is nothing to credit.');
  if (leaves.length !== rewards.length)
    throw new Refusal('bad-tree', 'Each rollout needs exactly one reward.');
  if (trained !== undefined && trained.length !== leaves.length) {
    throw new Refusal('bad-tree', 'Each rollout needs exactly one answer to whether it is trained on.');
  }
  const ends = new Uint8Array(parents.length);
  for (const leaf of leaves) {
    if (!Number.isInteger(leaf) || leaf < 0 || leaf >= parents.length) {
      throw new Refusal('bad-tree', `A rollout ends in block ${leaf}, which does not exist.`);
    }
    if (ends[leaf] === 1) throw new Refusal('bad-tree', `Two rollouts end in block ${leaf}.`);
    ends[leaf] = 1;
  }
  const hasChild = new Uint8Array(parents.length);
  parents.forEach((parent, block) => {
    if (parent >= block)
      throw new Refusal('bad-tree', `Block ${block} stands before the block ${parent} that it continues.`);
    if (parent >= 0) hasChild[parent] = 1;
  });
  for (let block = 0; block < parents.length; block++) {
    if (hasChild[block] === ends[block]) {
      throw new Refusal(
        'bad-tree',
        ends[block] === 1
          ? `A rollout ends in block ${block}, but others go on from it; cut it there first.`
          : `Block ${block} neither ends a rollout nor is continued: its rollout is still running.`,
      );
    }
  }
  const bad = rewards.find((reward) => !Number.isFinite(reward));
  if (bad !== undefined) throw new Refusal('bad-reward', `A reward of ${bad} cannot be credited.`);
}

/** Sum over the rollouts through each block of a number given for each rollout, and how many there are. */
export function sumBelow(
  { parents, leaves }: RewardTree,
  perLeaf: readonly number[],
): { readonly sums: Float64Array; readonly counts: Int32Array } {
  const sums = new Float64Array(parents.length);
  const counts = new Int32Array(parents.length);
  leaves.forEach((leaf, i) => {
    sums[leaf] = perLeaf[i]!;
    counts[leaf] = 1;
  });
  for (let block = parents.length - 1; block >= 0; block--) {
    const parent = parents[block]!;
    if (parent < 0) continue;
    sums[parent]! += sums[block]!;
    counts[parent]! += counts[block]!;
  }
  return { sums, counts };
}

const meansBelow = (tree: RewardTree, perLeaf: readonly number[]): number[] => {
  const { sums, counts } = sumBelow(tree, perLeaf);
  return Array.from(sums, (sum, block) => sum / counts[block]!);
};

/** Credit of a rule that gives each rollout one advantage. */
export function rolloutCredit(tree: RewardTree, leafAdvantages: readonly number[]): Credit {
  return {
    leafAdvantages,
    blockAdvantages: meansBelow(tree, leafAdvantages),
    blockValues: meansBelow(tree, tree.rewards),
    rootValue: mean(tree.rewards),
  };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
