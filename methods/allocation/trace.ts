import { counted, figure, ordinal } from '../figures';
import { numberOf, rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';
import { fillByGain } from './waterFilling';

const least = rolloutsParameter(
  'least',
  1,
  1,
  'Fewest rollouts of a prompt; 1 is the first count that has a value.',
);

/** Gain of root rollout m + 1, m ≥ 1: the value of m is 1 − v^m − (1−v)^m, the probability of both outcomes. */
export function traceRootGain(v: number, m: number): number {
  return v ** m * (1 - v) + (1 - v) ** m * v;
}

/** Agreement of a prefix's predicted success with what the rollout through it got: r V + (1−r)(1−V). */
export function traceAgreement(reward: number, predicted: number): number {
  return reward * predicted + (1 - reward) * (1 - predicted);
}

/**
 * Continuations of each prefix, one at a time to the greatest gain in Σ 1 − agreement^k; equal gains to the lower index.
 * `order` names the prefix that got each. Fewer than asked for where no prefix gains any more.
 */
export function tracePrefixes(
  agreements: readonly number[],
  continuations: number,
): { readonly counts: readonly number[]; readonly unspent: number } {
  return fillByGain({
    prompts: agreements.length,
    budget: continuations,
    lower: () => 0,
    upper: () => Infinity,
    gain: (prefix, k) => agreements[prefix]! ** k * (1 - agreements[prefix]!),
    alsoWithoutGain: false,
  });
}

/** A tree of rollouts: the reward of a leaf, or the children of a node. */
export type RewardTree = number | readonly RewardTree[];

/** What the predictor is trained towards at a node: the mean of the rewards of the leaves below it. */
export function traceTarget(tree: RewardTree): { readonly target: number; readonly leaves: number } {
  if (typeof tree === 'number') return { target: tree, leaves: 1 };
  let sum = 0;
  let leaves = 0;
  for (const child of tree) {
    const below = traceTarget(child);
    sum += below.target * below.leaves;
    leaves += below.leaves;
  }
  return { target: sum / leaves, leaves };
}

/**
 * TRACE, the hand-out at the roots: one rollout at a time to the prompt whose probability of both outcomes,
 * 1 − v^m − (1−v)^m, gains most, v predicted (arXiv 2606.11119, from a third-party article; the greedy hand-out is
 * inferred). v and 1 − v gain alike, so ties between prompts are common: the lower index comes first.
 *
 * Reconstructed: the second stage (continuations of turn prefixes whose prediction disagrees with the outcome,
 * `tracePrefixes`) is left out of the hand-out, as neither its share of the budget nor its caps were read; the whole
 * budget goes to the roots. Throws a Refusal if the budget is below `least` for every prompt.
 */
export const trace = allocationMethod({
  id: 'trace',
  title: 'TRACE (roots)',
  summary: 'Gives each rollout to the prompt whose predicted probability of both outcomes rises most.',
  family: 'water-filling',
  confidence: 'reconstructed',
  source: { paper: 'arXiv 2606.11119', equation: 'V_root', code: '', commit: '' },
  parameters: [least],
  keepsTotal: false,
  optimal: true,
  caveats: [
    'Only the stage at the roots: how the budget is split between roots and prefixes is not known.',
    'That the highest gain is served first is inferred from a third-party article.',
    'At predictions of 0 and 1 no rollout has a gain, so rollouts can stay unspent.',
  ],
  needs: ['prediction'],
  uses: [],
  decide: ({ inputs, parameters }) => {
    const low = numberOf(parameters, least);
    const predicted = inputs.prompts.map(({ prediction }) => prediction!);
    if (inputs.budget < low * predicted.length) {
      throw new Refusal(
        'bad-budget',
        `${inputs.budget} rollouts are fewer than ${low} for each of ${counted(predicted.length, 'prompt')}. Raise the budget or lower least.`,
      );
    }
    const level = fillByGain({
      prompts: predicted.length,
      budget: inputs.budget,
      lower: () => low,
      upper: () => Infinity,
      gain: (prompt, m) => traceRootGain(predicted[prompt]!, m),
      alsoWithoutGain: false,
    });
    const price = level.price ?? 0;
    return {
      done: true,
      shared: { budget: inputs.budget, least: low, price, unspent: level.unspent },
      requests: level.counts.map((count, prompt): AllocationRequest => {
        const v = predicted[prompt]!;
        const numbers = {
          prediction: v,
          value: 1 - v ** count - (1 - v) ** count,
          gainOfLast: count > low ? traceRootGain(v, count - 1) : 0,
          gainOfNext: traceRootGain(v, count),
          price,
        };
        const given = counted(count, 'rollout');
        const mixed = `At a predicted success of ${figure(v)} ${given} have both outcomes with probability ${figure(numbers.value)}`;
        const [reasonCode, reason] =
          v === 0 || v === 1
            ? ['no-gain', `Predicted success ${v}: no rollout has a gain, so the least, ${given}.`]
            : count === low
              ? [
                  'at-least',
                  `Predicted success ${figure(v)}: ${given}, the least; one more would gain ${figure(numbers.gainOfNext)}, the price is ${figure(price)}.`,
                ]
              : [
                  'gain-above-price',
                  `${mixed}; the ${ordinal(count)} gains ${figure(numbers.gainOfLast)}, a ${ordinal(count + 1)} would gain ${figure(numbers.gainOfNext)}, the price is ${figure(price)}.`,
                ];
        return { prompt, action: 'launch', count, reasonCode, reason, numbers };
      }),
    };
  },
});
