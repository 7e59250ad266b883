import { numberOf, rolloutsParameter } from '../parameters';
import { allocationMethod } from './allocator';
import { sameForAll } from './sameForAll';

const groupSize = rolloutsParameter(
  'groupSize',
  8,
  1,
  'Rollouts of every prompt. DeepSeekMath used 64; the GRPO examples of verl use 5 to 8.',
);

/**
 * GRPO: every prompt gets G rollouts (Shao et al., "DeepSeekMath", arXiv 2402.03300, section 4.1). `inputs.budget` is
 * not read: the total is G times the number of prompts.
 */
export const uniform = allocationMethod({
  id: 'uniform',
  title: 'Uniform (GRPO)',
  summary: 'The same number of rollouts for every prompt.',
  family: 'uniform',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2402.03300',
    equation: 'section 4.1',
    code: 'verl-project/verl:verl/trainer/ppo/core_algos.py',
    commit: '1dda039b9c',
  },
  parameters: [groupSize],
  keepsTotal: false,
  needs: [],
  uses: ['passRate'],
  decide: ({ inputs, parameters }) => {
    const size = numberOf(parameters, groupSize);
    return { done: true, shared: { groupSize: size }, requests: sameForAll(inputs.prompts, size) };
  },
});
