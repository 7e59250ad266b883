import { sampleWithoutReplacement } from '../distributions';
import { counted, figure } from '../figures';
import { numberOf, numberParameter, rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest, RoundView } from './allocator';
import type { Rng } from '../random';

const explore = rolloutsParameter(
  'explore',
  undefined,
  1,
  'Rollouts of every prompt before it is judged (n_explore).',
);
const keptWrong = rolloutsParameter(
  'wrongPerRight',
  undefined,
  1,
  'Wrong rollouts that are kept for each right one where fewer than half are right (k).',
);
const extra = rolloutsParameter(
  'extra',
  2,
  1,
  'Rollouts added at a time to a prompt without a success (n_extra).',
);
const rescueUpTo = numberParameter(
  'rescueUpTo',
  0,
  [0, 1],
  'Success rate up to which a prompt is rescued with more rollouts (u_res).',
);

/** Indices of the rollouts that stay out of training: all wrong ones beyond k for each right one, drawn at random. */
export function aeroRejects(successes: readonly boolean[], wrongPerRight: number, rng: Rng): number[] {
  const wrong = successes.flatMap((right, i) => (right ? [] : [i]));
  const kept = wrongPerRight * (successes.length - wrong.length);
  return sampleWithoutReplacement(rng, wrong, Math.max(0, wrong.length - kept)).sort((a, b) => a - b);
}

/**
 * AERO: after a few rollouts of every prompt those without a success get more, a few at a time, until the first success
 * or the budget of the prompt (the step's budget over its prompts) is used; where fewer than half are right, wrong ones
 * are left out of training at random down to k for each right one (arXiv 2602.14338v1, from two reviews).
 *
 * Reconstructed; what happens from a success rate of one half on (a Beta posterior in the advantages) was not read
 * and is left out: such groups stay as they are. The rollouts to explore with and k were not read and have to be given.
 * The judgement is by the first rollouts only, so a rescued group is not thinned out. Throws a Refusal if the budget
 * of a prompt is below `explore`.
 */
export const aero = allocationMethod({
  id: 'aero',
  title: 'AERO',
  summary:
    'Rescues prompts without a success by a few more rollouts, and thins out wrong ones of the hard groups.',
  family: 'second-stage',
  confidence: 'reconstructed',
  source: { paper: 'arXiv 2602.14338v1', equation: 'stages I and II', code: '', commit: '' },
  parameters: [explore, keptWrong, extra, rescueUpTo],
  keepsTotal: false,
  caveats: [
    'Read in two reviews, not in the paper.',
    'The part for success rates of one half and more, a Beta posterior in the advantages, was not read and is left out.',
    'The rollouts to explore with and the wrong ones kept for each right one were not read: give them.',
  ],
  needs: ['successes'],
  uses: [],
  decide: (view) => {
    const { inputs, parameters, round } = view;
    const first = numberOf(parameters, explore);
    const share = Math.floor(inputs.budget / inputs.prompts.length);
    if (share < first) {
      throw new Refusal(
        'bad-budget',
        `${counted(share, 'rollout')} for each prompt do not pay for ${first} to explore with. Raise the budget or lower explore.`,
      );
    }
    const shared = { explore: first, promptBudget: share };
    if (round > 0) return { ...judged(view, share), shared };
    return {
      done: false,
      shared,
      requests: inputs.prompts.map((_, prompt) => ({
        prompt,
        action: 'launch',
        count: first,
        reasonCode: 'explore',
        reason: `Stage I: ${counted(first, 'rollout')} of every prompt.`,
        numbers: { explore: first },
      })),
    };
  },
});

function judged(
  { parameters, finished, asked, rng, round }: RoundView,
  share: number,
): { readonly requests: AllocationRequest[]; readonly done: boolean } {
  const wrongPerRight = numberOf(parameters, keptWrong);
  const limit = numberOf(parameters, rescueUpTo);
  const requests = finished.flatMap(({ successes }, prompt): AllocationRequest[] => {
    const n = successes.length;
    const right = successes.filter(Boolean).length;
    const counts = `${right} of ${counted(n, 'rollout')} succeeded`;
    const numbers = { rollouts: n, successes: right };
    if (right === 0) {
      const count = Math.min(numberOf(parameters, extra), share - asked[prompt]!);
      if (count === 0) return [];
      return [
        {
          prompt,
          action: 'launch',
          count,
          reasonCode: 'rescue',
          reason: `${counts}: ${counted(count, 'more rollout')}, until the first success or ${share} in all.`,
          numbers,
        },
      ];
    }
    const rate = right / n;
    if (round > 1 || rate <= limit || rate >= 0.5) return [];
    const rollouts = aeroRejects(successes, wrongPerRight, rng);
    if (rollouts.length === 0) return [];
    return [
      {
        prompt,
        action: 'drop',
        count: rollouts.length,
        rollouts,
        reasonCode: 'thinned',
        reason: `${counts}, a rate of ${figure(rate)} below one half: of the ${n - right} wrong ones ${wrongPerRight} · ${right} stay, ${rollouts.length} drawn at random are left out.`,
        numbers: { ...numbers, rate },
      },
    ];
  });
  return { requests, done: !requests.some(({ action }) => action === 'launch') };
}
