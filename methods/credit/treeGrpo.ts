import { numberOf, resolveParameters } from '../parameters';
import { checkTree, rolloutCredit } from './credit';
import type { CreditMethod, RewardTree } from './credit';
import { groupAdvantages } from './groupAdvantage';
import { epsilon } from './grpo';

/**
 * Tree-GRPO: z-score of a rollout's reward within its tree plus z-score over all rollouts of the prompt, both over
 * n − 1 (arXiv 2509.21240). One advantage a rollout; the process signal comes from shared blocks being trained with
 * the advantages of several rollouts. A tree with one rollout contributes that rollout's reward.
 */
export const treeGrpo: CreditMethod = {
  id: 'tree-grpo',
  title: 'Tree-GRPO',
  summary:
    'Every rollout has one advantage: its z-score within its tree plus its z-score over the whole group.',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2509.21240',
    equation: 'intra-tree plus inter-tree advantage',
    code: 'AMAP-ML/Tree-GRPO:verl/trainer/ppo/core_algos.py',
    commit: '90b1709959',
  },
  parameters: [epsilon],
  needs: [],
  apply(tree, given) {
    checkTree(tree);
    const parameters = resolveParameters(treeGrpo.parameters, given);
    const options = { divide: true, ddof: 1, epsilon: numberOf(parameters, epsilon) } as const;
    const inter = groupAdvantages(tree.rewards, options);
    const total = [...inter];
    for (const members of byTree(tree).values()) {
      const intra = groupAdvantages(
        members.map((i) => tree.rewards[i]!),
        options,
      );
      members.forEach((i, j) => (total[i]! += intra[j]!));
    }
    return rolloutCredit(tree, total);
  },
};

/** Positions in `leaves`, by the block without parent that their rollout starts with. */
function byTree({ parents, leaves }: RewardTree): Map<number, number[]> {
  const root: number[] = [];
  parents.forEach((parent, block) => root.push(parent < 0 ? block : root[parent]!));
  const result = new Map<number, number[]>();
  leaves.forEach((leaf, i) => {
    const members = result.get(root[leaf]!);
    if (members === undefined) result.set(root[leaf]!, [i]);
    else members.push(i);
  });
  return result;
}
