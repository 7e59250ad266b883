import { counted } from '../figures';
import { numberOf, rolloutsParameter } from '../parameters';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';

const groupSize = rolloutsParameter('groupSize', undefined, 1, 'Rollouts of every prompt to begin with.');
const extra = rolloutsParameter(
  'extra',
  undefined,
  0,
  'Most rollouts that are added to a prompt without a success, one at a time.',
);

/**
 * FAR (factorised adaptive rollout of SimpleSearch-VL), the expansion of rollouts: a group without a success gets further
 * rollouts one at a time until the first success (arXiv 2606.31504, from third-party notes). `inputs.budget` is not read.
 *
 * Reconstructed. Left out: further prompts when too few groups are mixed, as no number of it was read, and closing the
 * batch once 99 % of its rollouts are complete, which is for the job's scheduler. The group size and the most rollouts
 * to add were not read and have to be given. That they come one at a time follows from "until the first correct one".
 */
export const far = allocationMethod({
  id: 'far',
  title: 'FAR',
  summary: 'Adds rollouts to a group without a success, one at a time, until the first success.',
  family: 'second-stage',
  confidence: 'reconstructed',
  source: { paper: 'arXiv 2606.31504', equation: 'rollout expansion', code: '', commit: '' },
  parameters: [groupSize, extra],
  keepsTotal: false,
  caveats: [
    'Read in third-party notes and the abstract, not in the paper.',
    'The group size and the most rollouts to add were not read: give them.',
    'Further prompts for groups without a gradient, and closing the batch at 99 % of its rollouts, are left out.',
  ],
  needs: ['successes'],
  uses: [],
  decide: ({ inputs, parameters, round, finished, asked }) => {
    const size = numberOf(parameters, groupSize);
    const most = size + numberOf(parameters, extra);
    const shared = { groupSize: size, most };
    if (round === 0) {
      return {
        done: most === size,
        shared,
        requests: inputs.prompts.map((_, prompt) => ({
          prompt,
          action: 'launch',
          count: size,
          reasonCode: 'group',
          reason: `${counted(size, 'rollout')} of every prompt to begin with.`,
          numbers: { groupSize: size },
        })),
      };
    }
    const requests = finished.flatMap(({ successes }, prompt): AllocationRequest[] => {
      if (successes.includes(true) || asked[prompt]! >= most) return [];
      return [
        {
          prompt,
          action: 'launch',
          count: 1,
          reasonCode: 'no-success-yet',
          reason: `No success in ${counted(asked[prompt]!, 'rollout')}: one more, until the first success or ${most} in all.`,
          numbers: { sampled: asked[prompt]!, most },
        },
      ];
    });
    return { done: requests.every(({ prompt }) => asked[prompt]! + 1 >= most), shared, requests };
  },
});
