import { counted } from '../figures';
import { numberOf, numberParameter, rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest, RolloutSettings } from './allocator';

const groupSize = rolloutsParameter('groupSize', 8, 1, 'Rollouts of every prompt (G).');
const mixShare = numberParameter(
  'mixShare',
  0.5,
  [0, 1],
  'Share of the training steps, from the start, in which the small model takes part (T_mix over all steps).',
);

/**
 * Rollouts of the small model in step `step`, counted from 1: ⌈(1 − (step − 1)/(mixSteps − 1)) · G⌉ up to `mixSteps`,
 * none after. In whole numbers: the expression in doubles gives one too many in rare cases. For one mixed step the
 * formula is 0/0, read as the whole group.
 */
export function s2lSmallRollouts(step: number, size: number, mixSteps: number): number {
  if (step > mixSteps) return 0;
  if (mixSteps === 1) return size;
  const numerator = size * (mixSteps - step);
  const whole = Math.floor(numerator / (mixSteps - 1));
  return whole * (mixSteps - 1) === numerator ? whole : whole + 1;
}

/**
 * S2L-PO: groups of the same size, sampled at first by a frozen small model and step by step more by the one that
 * learns (arXiv 2605.30789, algorithm 1). Half of the training steps, rounded down, at least one, are mixed.
 * `inputs.budget` is not read.
 */
export const s2lPo = allocationMethod({
  id: 's2l-po',
  title: 'S2L-PO',
  summary: 'Groups begin with rollouts of a small model, and pass over to those of the learner.',
  family: 'schedule',
  confidence: 'exact',
  source: { paper: 'arXiv 2605.30789', equation: 'algorithm 1', code: '', commit: '' },
  parameters: [groupSize, mixShare],
  keepsTotal: false,
  needs: ['step', 'totalSteps'],
  uses: [],
  caveats: ['How half of an odd number of steps is rounded is not stated; here down.'],
  decide: ({ inputs, parameters }) => {
    const size = numberOf(parameters, groupSize);
    const step = inputs.step!;
    const steps = inputs.totalSteps!;
    if (step > steps)
      throw new Refusal(
        'bad-rate',
        `This is step ${step}, but the training has only ${counted(steps, 'step')}.`,
      );
    const share = numberOf(parameters, mixShare);
    const mixSteps = share === 0 ? 0 : Math.max(1, Math.floor(share * steps));
    const small = s2lSmallRollouts(step, size, mixSteps);
    const rule = `Step ${step} of ${mixSteps} mixed ones`;
    const parts: readonly (readonly [
      count: number,
      code: string,
      settings: RolloutSettings,
      reason: string,
    ])[] = [
      [
        small,
        'small-model',
        { model: 'small' },
        step > mixSteps
          ? ''
          : `${rule}: ⌈${mixSteps - step}/${Math.max(1, mixSteps - 1)} · ${size}⌉ = ${counted(small, 'rollout')} of the small model.`,
      ],
      [
        size - small,
        'learner',
        {},
        step > mixSteps
          ? `Step ${step} comes after the ${mixSteps} mixed ones: all ${counted(size, 'rollout')} of the learner.`
          : `${rule}: ${size} − ${small} = ${counted(size - small, 'rollout')} of the learner.`,
      ],
    ];
    return {
      done: true,
      shared: { groupSize: size, step, mixSteps, small },
      requests: inputs.prompts.flatMap((_, prompt) =>
        parts.flatMap(([count, reasonCode, settings, reason]): AllocationRequest[] =>
          count === 0
            ? []
            : [
                {
                  prompt,
                  action: 'launch',
                  count,
                  settings,
                  reasonCode,
                  reason,
                  numbers: { step, mixSteps },
                },
              ],
        ),
      ),
    };
  },
});
