import { checkTree, rolloutCredit } from './credit';
import type { CreditMethod } from './credit';
import { groupAdvantages } from './groupAdvantage';

/**
 * Dr. GRPO: reward minus group mean, without the division by the standard deviation, which favours groups that are
 * nearly all right or all wrong (Liu et al., "Understanding R1-Zero-like training", arXiv 2503.20783). Its other
 * half, the loss without length normalisation, is not a matter of credit.
 */
export const drGrpo: CreditMethod = {
  id: 'dr-grpo',
  title: 'Dr. GRPO',
  summary: 'Every rollout has one advantage: its reward minus the mean of its group.',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2503.20783',
    equation: 'unbiased advantage',
    code: 'verl-project/verl:verl/trainer/ppo/core_algos.py:compute_grpo_outcome_advantage(norm_adv_by_std_in_grpo=False)',
    commit: '1dda039b9c',
  },
  parameters: [],
  needs: [],
  apply(tree) {
    checkTree(tree);
    return rolloutCredit(tree, groupAdvantages(tree.rewards, { divide: false, ddof: 1, epsilon: 0 }));
  },
};
