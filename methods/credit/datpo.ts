import { numberOf, numberParameter, resolveParameters } from '../parameters';
import { Refusal } from '../refusal';
import { checkTree, mean, sumBelow } from './credit';
import type { CreditMethod, RewardTree } from './credit';

const diversityWeight = numberParameter(
  'diversityWeight',
  0,
  [0, 10],
  'Weight of sibling diversity in positive advantages (alpha). Published: from 0.2 to 0, linearly over the run.',
);

/**
 * DATPO: A(b) = r(b) + V(end of b) − V(start of b), with V the mean reward of the rollouts below a state (at the
 * prompt: of all rollouts) and 0 at an end; positive advantages also gain alpha · (1 − mean cosine to the siblings'
 * embeddings) (arXiv 2609.08650, sections on credit and diversity). Every token is trained once, with the advantage
 * of its block. Embeddings are needed only for alpha > 0.
 */
export const datpo: CreditMethod = {
  id: 'datpo',
  title: 'DATPO',
  summary: 'Every block has its own advantage: how much it moved the mean reward of what is below it.',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2609.08650',
    equation: 'equation 7 and block advantage',
    code: 'colin31472/DATPO',
    commit: '95592f4f8c',
  },
  parameters: [diversityWeight],
  needs: [],
  apply(tree, given) {
    checkTree(tree);
    const alpha = numberOf(resolveParameters(datpo.parameters, given), diversityWeight);
    const { sums, counts } = sumBelow(tree, tree.rewards);
    const blockValues = Array.from(sums, (sum, block) => sum / counts[block]!);
    const rootValue = mean(tree.rewards);
    const diversity = alpha > 0 ? siblingDiversity(tree) : undefined;
    // At an end the block's reward stands in for the value of the state it leads to.
    const blockAdvantages = tree.parents.map((parent, block) => {
      const base = blockValues[block]! - (parent < 0 ? rootValue : blockValues[parent]!);
      // Where the exact difference is 0 rounding may leave a residue, which must not count as positive.
      return base > 1e-12 && diversity !== undefined ? base + alpha * diversity[block]! : base;
    });
    return {
      leafAdvantages: tree.leaves.map((leaf) => blockAdvantages[leaf]!),
      blockAdvantages,
      blockValues,
      rootValue,
    };
  },
};

/**
 * 1 − mean cosine of each block's embedding to those of its siblings; 0 without a sibling. Throws a Refusal if the
 * tree has no embeddings or not one a block.
 */
export function siblingDiversity({ parents, embeddings }: RewardTree): number[] {
  if (embeddings?.length !== parents.length) {
    throw new Refusal(
      'missing-input',
      'Sibling diversity needs an embedding of every block; the run did not record them.',
    );
  }
  const units = embeddings.map((vector) => {
    const length = Math.hypot(...vector);
    return vector.map((x) => (length > 0 ? x / length : 0));
  });
  const families = new Map<number, number[]>();
  parents.forEach((parent, block) => {
    const family = families.get(parent);
    if (family === undefined) families.set(parent, [block]);
    else family.push(block);
  });
  const result = new Array<number>(parents.length).fill(0);
  for (const family of families.values()) {
    if (family.length < 2) continue;
    const total = units[family[0]!]!.map((_, d) => family.reduce((sum, block) => sum + units[block]![d]!, 0));
    for (const block of family) {
      const unit = units[block]!;
      const others = unit.reduce((sum, x, d) => sum + x * (total[d]! - x), 0);
      result[block] = 1 - others / (family.length - 1);
    }
  }
  return result;
}

/** 1 − the mean, over forks with at least two branches, of the mean pairwise cosine; undefined without such a fork. */
export function treeSiblingDiversity(tree: RewardTree): number | undefined {
  const diversity = siblingDiversity(tree);
  const families = new Map<number, number[]>();
  tree.parents.forEach((parent, block) => {
    const family = families.get(parent);
    if (family === undefined) families.set(parent, [diversity[block]!]);
    else family.push(diversity[block]!);
  });
  const forks = [...families.values()].filter((family) => family.length > 1);
  return forks.length > 0 ? mean(forks.map(mean)) : undefined;
}
