import { Refusal } from '../refusal';
import { checkTree, mean, sumBelow } from './credit';
import type { CreditMethod } from './credit';
import { leaveOneOutAdvantages } from './groupAdvantage';

/**
 * TreeRL in its published setting: each rollout's reward minus the mean of the others; a block has the sum of these
 * over the rollouts through it, less a token-weighted mean; divided by the square root of how many of them are
 * trained on, and by how many there are, it is the block's value V; the block's advantage is V − V(what it continues)
 * + V (arXiv 2506.11902; released `parallel_mcts.py:gather_paths` with overall_norm_style token, use_weighted_value
 * sqrt, use_state_value_reward). As released, a difference below 1e-8 takes that of the block before it on the path.
 * The release's other settings (chain, orm and ancestors among them) are not offered.
 *
 * Throws a Refusal for a single rollout, where the release stops too.
 */
export const treeRl: CreditMethod = {
  id: 'treerl',
  title: 'TreeRL',
  summary:
    'Every block has its own advantage: its value against the whole group, and against what it continues.',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2506.11902',
    equation: 'process reward from the tree',
    code: 'THUDM/TreeRL:openrlhf/trainer/ppo_utils/parallel_mcts.py:gather_paths',
    commit: 'f0edbea6f2',
  },
  parameters: [],
  needs: ['tokens'],
  apply(tree) {
    checkTree(tree);
    const { parents, leaves, rewards, tokens, trained } = tree;
    if (tokens?.length !== parents.length) {
      throw new Refusal('missing-input', 'TreeRL weighs by tokens: it needs the length of every block.');
    }
    if (leaves.length < 2)
      throw new Refusal('bad-tree', 'TreeRL compares rollouts with each other; the group has only one.');
    const { sums, counts } = sumBelow(tree, leaveOneOutAdvantages(rewards));
    const chosen = sumBelow(tree, trained === undefined ? leaves.map(() => 1) : trained.map(Number)).sums;
    let weighted = 0;
    let weight = 0;
    tokens.forEach((length, block) => {
      weighted += sums[block]! * length;
      weight += counts[block]! * length;
    });
    const centre = weight > 0 ? weighted / weight : 0;
    const valueOf = (sum: number, count: number, selected: number): number =>
      (sum - centre * count) / (selected > 0 ? Math.sqrt(selected) : 1) / count;
    const values = Array.from(sums, (sum, block) => valueOf(sum, counts[block]!, chosen[block]!));
    const rootValue = rootOf(parents, sums, counts, chosen, valueOf);
    const steps: number[] = [];
    const blockAdvantages = parents.map((parent, block) => {
      const value = values[block]!;
      const step = value - (parent < 0 ? rootValue : values[parent]!);
      steps.push(Math.abs(step) < 1e-8 && parent >= 0 ? steps[parent]! : step);
      return steps[block]! + value;
    });
    const { sums: rewardSums } = sumBelow(tree, rewards);
    return {
      leafAdvantages: leaves.map((leaf) => blockAdvantages[leaf]!),
      blockAdvantages,
      blockValues: Array.from(rewardSums, (sum, block) => sum / counts[block]!),
      rootValue: mean(rewards),
    };
  },
};

/** V at the prompt, of which every block without parent is a continuation. */
function rootOf(
  parents: readonly number[],
  sums: Float64Array,
  counts: Int32Array,
  chosen: Float64Array,
  valueOf: (sum: number, count: number, selected: number) => number,
): number {
  let sum = 0;
  let count = 0;
  let selected = 0;
  parents.forEach((parent, block) => {
    if (parent >= 0) return;
    sum += sums[block]!;
    count += counts[block]!;
    selected += chosen[block]!;
  });
  return valueOf(sum, count, selected);
}
