import { counted, figure, ordinal } from '../figures';
import { numberOf, rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';
import { knapsackGain, knapsackMarginalGain, knapsackValue } from './knapsackValue';
import { evenShares, fillByGain } from './waterFilling';

const least = rolloutsParameter('least', 2, 0, 'Fewest rollouts of a prompt (N_low).');
const most = rolloutsParameter('most', 128, 1, 'Most rollouts of a prompt (N_up).');

/** Gives what is left evenly to the open prompts, again and again, until it is spent or all are at their cap. */
function spread(counts: number[], open: readonly number[], left: number, cap: number): number {
  let rest = left;
  let targets = open.filter((prompt) => counts[prompt]! < cap);
  while (rest > 0 && targets.length > 0) {
    const shares = evenShares(rest, targets.length);
    targets.forEach((prompt, i) => {
      const given = Math.min(shares[i]!, cap - counts[prompt]!);
      counts[prompt]! += given;
      rest -= given;
    });
    targets = targets.filter((prompt) => counts[prompt]! < cap);
  }
  return rest;
}

/**
 * Knapsack-RL as published: max Σ (1 − p^n − (1−p)^n) p (1−p)² subject to Σ n = budget and least ≤ n ≤ most. The value
 * is concave in n, so that handing out one rollout after the other by marginal gain reaches the optimum of the
 * dynamic programme; equal gains go to the lower index. Where no gain is left, prompts that were never solved share
 * the rest evenly up to `most`; what then remains is not handed out. With `least` = 0 the formula is taken as it is
 * written, also at n = 0.
 *
 * Throws a Refusal if the budget is below `least` for every prompt. How prompts without statistics are treated is not
 * in the sources that were read: they are refused; give them a predicted rate.
 */
export const knapsackPublished = allocationMethod({
  id: 'knapsack-rl-published',
  title: 'Knapsack-RL (as published)',
  summary: 'Maximises the sum of each prompt’s chance of a mixed group times p(1−p)², one rollout at a time.',
  family: 'water-filling',
  marginalGain: knapsackMarginalGain,
  confidence: 'exact',
  source: {
    paper: 'arXiv 2509.25849',
    equation: 'value function and knapsack problem',
    code: '',
    commit: '',
  },
  parameters: [least, most],
  keepsTotal: false,
  needs: ['passRate'],
  uses: [],
  optimal: true,
  caveats: [
    'The value function and the bounds were read in two independent secondary sources; how the paper words the fallback for never-solved prompts was not.',
    'Without a recorded pass rate it is refused: how the paper treats new prompts was not read.',
  ],
  decide: ({ inputs, parameters }) => {
    const low = numberOf(parameters, least);
    const high = numberOf(parameters, most);
    if (high < low) throw new Refusal('bad-parameter', `most is ${high}, below least, which is ${low}.`);
    const rates = inputs.prompts.map(({ passRate }) => passRate!.value);
    if (inputs.budget < low * rates.length) {
      throw new Refusal(
        'bad-budget',
        `${inputs.budget} rollouts are fewer than ${low} for each of ${counted(rates.length, 'prompt')}. Raise the budget or lower least.`,
      );
    }
    const level = fillByGain({
      prompts: rates.length,
      budget: inputs.budget,
      lower: () => low,
      upper: () => high,
      gain: (prompt, n) => knapsackGain(rates[prompt]!, n),
      alsoWithoutGain: false,
    });
    const counts = [...level.counts];
    const unsolved = rates.flatMap((p, prompt) => (p === 0 ? [prompt] : []));
    const unspent = spread(counts, unsolved, level.unspent, high);
    const price = level.price ?? 0;
    return {
      done: true,
      shared: { budget: inputs.budget, least: low, most: high, price, unspent },
      requests: counts.map((count, prompt): AllocationRequest => {
        const p = rates[prompt]!;
        const numbers = {
          passRate: p,
          gainOfLast: count > 0 ? knapsackGain(p, count - 1) : 0,
          gainOfNext: knapsackGain(p, count),
          price,
          value: knapsackValue(p, count),
        };
        return {
          prompt,
          action: 'launch',
          count,
          ...why(p, count, low, high, level.counts[prompt]!, numbers),
          numbers,
        };
      }),
    };
  },
});

function why(
  p: number,
  count: number,
  low: number,
  high: number,
  byGain: number,
  { gainOfLast, gainOfNext, price }: { gainOfLast: number; gainOfNext: number; price: number },
): { reasonCode: string; reason: string } {
  const given = counted(count, 'rollout');
  if (count > byGain) {
    return {
      reasonCode: 'rest-to-unsolved',
      reason: `Never solved, so no rollout has a gain; of what the others could not use it gets ${count - byGain}: ${given}.`,
    };
  }
  if (p === 0 || p === 1) {
    return {
      reasonCode: 'no-gain',
      reason: `At a pass rate of ${p} no rollout has a gain: the least, ${given}.`,
    };
  }
  if (count === high) {
    return {
      reasonCode: 'at-most',
      reason: `${given}, the most; the next would still gain ${figure(gainOfNext)}.`,
    };
  }
  if (count === low) {
    return {
      reasonCode: 'at-least',
      reason: `${given}, the least: one more would gain ${figure(gainOfNext)}, not above the price of ${figure(price)}.`,
    };
  }
  return {
    reasonCode: 'gain-above-price',
    reason:
      `${given}: the ${ordinal(count)} gains ${figure(gainOfLast)}, at or above the price of ${figure(price)}; ` +
      `a ${ordinal(count + 1)} would gain ${figure(gainOfNext)}.`,
  };
}
