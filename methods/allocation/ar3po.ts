import { counted } from '../figures';
import { integerParameter, numberOf, rolloutsParameter } from '../parameters';
import { allocationMethod } from './allocator';
import type { AllocationRequest, RoundView } from './allocator';

const stages = integerParameter('stages', undefined, [1, 256], 'Stages of sampling (S).', 'stages');
const perStage = rolloutsParameter(
  'perStage',
  undefined,
  1,
  'Rollouts that every prompt without a success gets in a stage (n_s).',
);

/**
 * AR3PO: stage after stage, only prompts without a success so far get further rollouts; one that has none after the last
 * stage gets a stored success of an earlier step put into its group (arXiv 2509.25808, from summaries).
 * `inputs.budget` is not read.
 *
 * Reconstructed; the number of stages and the rollouts of one were not read and have to be given. That one success
 * suffices is as the summaries phrase it. Whether a success is stored is judged by the recorded history.
 */
export const ar3po = allocationMethod({
  id: 'ar3po',
  title: 'AR3PO',
  summary: 'Samples each prompt only until its first success, and lends a stored one to those without.',
  family: 'second-stage',
  confidence: 'reconstructed',
  source: { paper: 'arXiv 2509.25808', equation: 'adaptive rollout, response reuse', code: '', commit: '' },
  parameters: [stages, perStage],
  keepsTotal: false,
  caveats: [
    'Read in summaries, not in the paper.',
    'The number of stages and the rollouts of one were not read: give them.',
  ],
  needs: ['successes'],
  uses: ['history'],
  decide: (view) => {
    const { parameters, round, finished, asked } = view;
    const last = numberOf(parameters, stages);
    const count = numberOf(parameters, perStage);
    const shared = { stage: Math.min(round + 1, last), stages: last, perStage: count };
    const open = finished.flatMap(({ successes }, prompt) => (successes.includes(true) ? [] : [prompt]));
    if (round < last && open.length > 0) {
      return {
        done: false,
        shared: { ...shared, active: open.length },
        requests: open.map((prompt): AllocationRequest => ({
          prompt,
          action: 'launch',
          count,
          reasonCode: round === 0 ? 'first-stage' : 'no-success-yet',
          reason:
            round === 0
              ? `Stage 1 of ${last}: ${counted(count, 'rollout')} of every prompt.`
              : `Stage ${round + 1} of ${last}: no success in ${counted(asked[prompt]!, 'rollout')}, so ${count} more.`,
          numbers: { stage: round + 1, sampled: asked[prompt]! },
        })),
      };
    }
    return { done: true, shared: { ...shared, active: open.length }, requests: reused(view, open) };
  },
});

/** For each prompt without a success a stored one, from the newest earlier group that had any. */
function reused({ inputs, asked }: RoundView, open: readonly number[]): AllocationRequest[] {
  return open.flatMap((prompt): AllocationRequest[] => {
    const group = inputs.prompts[prompt]!.history?.findLast(({ successes }) => successes > 0);
    if (group === undefined) return [];
    return [
      {
        prompt,
        action: 'replay',
        count: 1,
        from: group.step,
        reasonCode: 'stored-success',
        reason: `No success in ${counted(asked[prompt]!, 'rollout')}: one stored success of step ${group.step} joins its group.`,
        numbers: { sampled: asked[prompt]!, storedStep: group.step, storedSuccesses: group.successes },
      },
    ];
  });
}
