import { checkTree, rolloutCredit } from './credit';
import type { CreditMethod } from './credit';
import { leaveOneOutAdvantages } from './groupAdvantage';

/** RLOO: reward minus the mean of the other rollouts of the group (Ahmadian et al., "Back to basics", arXiv 2402.14740). */
export const leaveOneOut: CreditMethod = {
  id: 'leave-one-out',
  title: 'Leave-one-out (RLOO)',
  summary: 'Every rollout has one advantage: its reward minus the mean of the others in its group.',
  confidence: 'exact',
  source: { paper: 'arXiv 2402.14740', equation: 'equation 8', code: '', commit: '' },
  parameters: [],
  needs: [],
  apply(tree) {
    checkTree(tree);
    return rolloutCredit(tree, leaveOneOutAdvantages(tree.rewards));
  },
};
