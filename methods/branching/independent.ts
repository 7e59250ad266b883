import type { BranchingMethod } from './branching';

/** No forks: all rollouts of a group start at the prompt and are independent (GRPO and its kin). */
export const independent: BranchingMethod = {
  id: 'independent',
  title: 'Independent rollouts',
  summary: 'No forks: every rollout starts at the prompt.',
  confidence: 'exact',
  source: { paper: 'arXiv 2402.03300', equation: 'section 4.1', code: '', commit: '' },
  parameters: [],
  position: 'online',
  children: 'same-policy',
  needs: [],
  rootRollouts: () => undefined,
  decide: () => ({ forks: [], done: true, shared: {} }),
};
