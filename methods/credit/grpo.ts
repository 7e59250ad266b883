import { choiceOf, choiceParameter, numberOf, numberParameter, resolveParameters } from '../parameters';
import { checkTree, rolloutCredit } from './credit';
import type { CreditMethod } from './credit';
import { groupAdvantages } from './groupAdvantage';

const deviation = choiceParameter(
  'deviation',
  'sample',
  ['sample', 'population'],
  'Standard deviation over n − 1 (torch.std, and so verl) or over n.',
);
export const epsilon = numberParameter('epsilon', 1e-6, [0, 1], 'Added to the standard deviation.');

/** GRPO: z-score of the reward within the group (Shao et al., "DeepSeekMath", arXiv 2402.03300, section 4.1.2). */
export const grpo: CreditMethod = {
  id: 'grpo',
  title: 'GRPO',
  summary:
    'Every rollout has one advantage: its reward against the mean of its group, in standard deviations.',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2402.03300',
    equation: 'section 4.1.2',
    code: 'verl-project/verl:verl/trainer/ppo/core_algos.py:compute_grpo_outcome_advantage',
    commit: '1dda039b9c',
  },
  parameters: [deviation, epsilon],
  needs: [],
  apply(tree, given) {
    checkTree(tree);
    const parameters = resolveParameters(grpo.parameters, given);
    const ddof = choiceOf(parameters, deviation) === 'sample' ? 1 : 0;
    const options = { divide: true, ddof, epsilon: numberOf(parameters, epsilon) } as const;
    return rolloutCredit(tree, groupAdvantages(tree.rewards, options));
  },
};
