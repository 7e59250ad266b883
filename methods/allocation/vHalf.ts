import { counted, figure } from '../figures';
import { numberOf, numberParameter, rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';

const first = rolloutsParameter(
  'firstRollouts',
  4,
  1,
  'Rollouts of every prompt before the first test (k_init).',
);
const most = rolloutsParameter('most', 16, 1, 'Most rollouts of a prompt (k_max).');
const cost = numberParameter(
  'cost',
  0.0039,
  [0, 1],
  'One more rollout is sampled while it lowers the expected squared error of the baseline by more than this (c).',
  'squared reward',
);

/** What the shrinkage says of a prompt after k rewards of −1 or +1 with this mean, at a prior value in −1 .. 1. */
export interface VHalfState {
  /** Squared gap between mean and prior beyond its noise 1/k, at least 0. */
  readonly gap: number;
  /** Weight of the mean in the baseline, and the baseline. */
  readonly weight: number;
  readonly baseline: number;
  /** Expected squared error now, and how much one more rollout would take off it at the same gap. */
  readonly error: number;
  readonly gain: number;
}

const errorAt = (gap: number, k: number): number => (gap === 0 ? 0 : (gap * (1 / k)) / (gap + 1 / k));

export function vHalfState(prior: number, mean: number, k: number): VHalfState {
  const gap = Math.max(0, (mean - prior) ** 2 - 1 / k);
  const weight = gap / (gap + 1 / k);
  return {
    gap,
    weight,
    baseline: weight * mean + (1 - weight) * prior,
    error: errorAt(gap, k),
    gain: errorAt(gap, k) - errorAt(gap, k + 1),
  };
}

/**
 * V_0.5: after a first few rollouts a prompt gets one more at a time while that lowers the expected squared error of
 * its baseline by more than a cost; the baseline is the mean reward, shrunk towards the value that a model predicted
 * (arXiv 2603.10848, from a third-party article). Rewards count as −1 and +1, and the predicted success probability
 * v as 2v − 1. `inputs.budget` is not read.
 *
 * Reconstructed: that the gap is held fixed in the look-ahead is inferred. A prompt of which nothing ended gets
 * nothing more and no baseline.
 */
export const vHalf = allocationMethod({
  id: 'v-half',
  title: 'V_0.5',
  summary:
    'Samples a prompt until one more rollout would hardly improve its baseline, which leans on a prediction.',
  family: 'second-stage',
  confidence: 'reconstructed',
  source: {
    paper: 'arXiv 2603.10848',
    equation: 'shrinkage baseline, one-step look-ahead',
    code: '',
    commit: '',
  },
  parameters: [first, most, cost],
  keepsTotal: false,
  caveats: [
    'Read in a third-party article; that the look-ahead keeps the gap of the rollouts so far is inferred.',
    'Success and failure count as +1 and −1, other rewards are not used.',
  ],
  needs: ['prediction', 'successes'],
  uses: [],
  decide: ({ inputs, parameters, round, finished, asked }) => {
    const initial = numberOf(parameters, first);
    const cap = numberOf(parameters, most);
    const price = numberOf(parameters, cost);
    if (cap < initial) {
      throw new Refusal('bad-parameter', `most is ${cap}, below firstRollouts, which is ${initial}.`);
    }
    const shared = { firstRollouts: initial, most: cap, cost: price };
    if (round === 0) {
      return {
        done: false,
        shared,
        requests: inputs.prompts.map((_, prompt) => ({
          prompt,
          action: 'launch',
          count: initial,
          reasonCode: 'first',
          reason: `${counted(initial, 'rollout')} of every prompt before its mean is compared with the prediction.`,
          numbers: { firstRollouts: initial },
        })),
      };
    }
    let goesOn = false;
    const states = finished.map(({ successes }, prompt) => {
      const k = successes.length;
      if (k === 0) return undefined;
      const right = successes.filter(Boolean).length;
      const state = vHalfState(2 * inputs.prompts[prompt]!.prediction! - 1, (2 * right - k) / k, k);
      const more = asked[prompt]! < cap && state.gain > price;
      goesOn ||= more;
      return { ...state, k, right, more };
    });
    const requests = states.flatMap((state, prompt): AllocationRequest[] => {
      if (state === undefined) {
        if (goesOn) return [];
        return [
          {
            prompt,
            action: 'launch',
            count: 0,
            reasonCode: 'nothing-finished',
            reason: 'None of its rollouts finished: no mean to compare, none added.',
            numbers: {},
          },
        ];
      }
      const { gap, weight, baseline, gain, k, right, more } = state;
      const prior = 2 * inputs.prompts[prompt]!.prediction! - 1;
      const numbers = { rollouts: k, successes: right, prior, gap, weight, baseline, gain };
      const stood =
        `${right} of ${counted(k, 'rollout')} succeeded (mean ${figure((2 * right - k) / k)}, predicted ${figure(prior)}): ` +
        `one more would take ${figure(gain)} off the squared error`;
      if (more) {
        return [
          {
            prompt,
            action: 'launch',
            count: 1,
            reasonCode: 'worth-one-more',
            reason: `${stood}, more than the cost of ${figure(price)}: one more.`,
            numbers,
          },
        ];
      }
      // A prompt says its baseline once, when the last one has stopped.
      if (goesOn) return [];
      const why = gain > price ? `but ${cap} are the most` : `not more than the cost of ${figure(price)}`;
      return [
        {
          prompt,
          action: 'baseline',
          count: k,
          values: Array.from({ length: k }, () => baseline),
          reasonCode: gain > price ? 'at-most' : 'good-enough',
          reason: `${stood}, ${why}; baseline ${figure(weight)} · ${figure((2 * right - k) / k)} + ${figure(1 - weight)} · ${figure(prior)} = ${figure(baseline)}.`,
          numbers,
        },
      ];
    });
    return { done: !goesOn, shared, requests };
  },
});
