import { numberOf, rolloutsParameter } from '../parameters';
import { allocationMethod } from './allocator';
import { sameForAll } from './sameForAll';

const groupSize = rolloutsParameter(
  'groupSize',
  512,
  1,
  'Rollouts of every prompt. 512 is what a third party quotes; the paper speaks of several hundred instead of 16.',
);

/**
 * BroRL: hundreds of rollouts of every prompt, so that rare successes are seen (arXiv 2510.01180, abstract and one
 * third-party statement). `inputs.budget` is not read: the total is the group size times the number of prompts.
 */
export const broRl = allocationMethod({
  id: 'bro-rl',
  title: 'BroRL',
  summary: 'The same several hundred rollouts for every prompt.',
  family: 'uniform',
  confidence: 'reconstructed',
  source: { paper: 'arXiv 2510.01180', equation: 'number of rollouts', code: '', commit: '' },
  parameters: [groupSize],
  keepsTotal: false,
  caveats: ['Read in the abstract; the number of rollouts is quoted by a third party.'],
  needs: [],
  uses: ['passRate'],
  decide: ({ inputs, parameters }) => {
    const size = numberOf(parameters, groupSize);
    return { done: true, shared: { groupSize: size }, requests: sameForAll(inputs.prompts, size) };
  },
});
