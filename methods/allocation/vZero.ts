import { counted, figure, ordinal } from '../figures';
import { numberOf, rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';
import { fillByGain } from './waterFilling';

const least = rolloutsParameter('least', 2, 1, 'Fewest rollouts of a prompt.');
const most = rolloutsParameter('most', 128, 1, 'Most rollouts of a prompt.');

/** Utility of n rollouts at a success probability of p: n (1−p) [1 − (1−p)^(n−1)]. */
export function vZeroUtility(p: number, n: number): number {
  return n * (1 - p) * (1 - (1 - p) ** (n - 1));
}

/** Gain of rollout n + 1, n ≥ 1, written so that it is exactly 0 at p = 0 and p = 1. */
export function vZeroGain(p: number, n: number): number {
  const q = 1 - p;
  return q * (1 + q ** (n - 1) * (n * p - q));
}

/** Steps of the exact search that are still made for the comparison: prompts · budget · bound. */
const SEARCHED = 4_000_000;

/** Greatest sum of utilities that any counts within the bounds reach, by dynamic programming; undefined if too large. */
export function vZeroOptimum(
  rates: readonly number[],
  budget: number,
  { least: low, most: high }: { readonly least: number; readonly most: number },
): number | undefined {
  const spare = budget - low * rates.length;
  const room = Math.min(spare, high - low);
  if (spare < 0 || rates.length * (spare + 1) * (room + 1) > SEARCHED) return undefined;
  let best = new Float64Array(spare + 1);
  for (const p of rates) {
    const values = Array.from({ length: room + 1 }, (_, extra) => vZeroUtility(p, low + extra));
    const next = new Float64Array(spare + 1).fill(-Infinity);
    for (let used = 0; used <= spare; used++) {
      for (let extra = 0; extra <= Math.min(room, used); extra++) {
        next[used] = Math.max(next[used]!, best[used - extra]! + values[extra]!);
      }
    }
    best = next;
  }
  return Math.max(...best);
}

/**
 * V_0 as a budget scheduler: from the fewest on, one rollout at a time to the greatest gain in utility
 * n (1−p) [1 − (1−p)^(n−1)], with p predicted by a value model (arXiv 2602.03584, equations 9 and 10). Equal gains go
 * to the lower index.
 *
 * Greedy and not optimal: for small p the gain first rises with n, so hard prompts whose first rollouts promise little
 * are passed over. `shared.optimalUtility` is what the best counts would reach, where the search for them is small.
 * Throws a Refusal if the budget is below `least` for every prompt.
 */
export const vZero = allocationMethod({
  id: 'v-zero',
  title: 'V_0',
  summary: 'Gives each rollout to the greatest gain in an expected number of informative failures.',
  family: 'water-filling',
  confidence: 'reconstructed',
  source: { paper: 'arXiv 2602.03584', equation: 'equations 9 and 10, appendix C', code: '', commit: '' },
  parameters: [least, most],
  keepsTotal: false,
  optimal: false,
  caveats: [
    'Greedy, not optimal: the utility is not concave, so the counts can fall far below the best ones.',
    'Read in a third-party note that quotes the equations; the released code holds no allocator.',
    'At predictions of 0 and 1 no rollout has a gain, so rollouts can stay unspent.',
  ],
  needs: ['prediction'],
  uses: [],
  decide: ({ inputs, parameters }) => {
    const low = numberOf(parameters, least);
    const high = numberOf(parameters, most);
    if (high < low) throw new Refusal('bad-parameter', `most is ${high}, below least, which is ${low}.`);
    const rates = inputs.prompts.map(({ prediction }) => prediction!);
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
      gain: (prompt, n) => vZeroGain(rates[prompt]!, n),
      alsoWithoutGain: false,
    });
    const utility = level.counts.reduce((sum, n, prompt) => sum + vZeroUtility(rates[prompt]!, n), 0);
    const optimum = vZeroOptimum(rates, inputs.budget, { least: low, most: high });
    const price = level.price ?? 0;
    return {
      done: true,
      shared: {
        budget: inputs.budget,
        least: low,
        most: high,
        price,
        unspent: level.unspent,
        utility,
        ...(optimum === undefined ? {} : { optimalUtility: optimum }),
      },
      ...(optimum === undefined || optimum <= utility * (1 + 1e-9)
        ? {}
        : {
            remark: `Greedy: the utility is ${figure(utility)}, the best counts would reach ${figure(optimum)}.`,
          }),
      requests: level.counts.map((count, prompt): AllocationRequest => {
        const p = rates[prompt]!;
        const numbers = {
          prediction: p,
          gainOfLast: count > low ? vZeroGain(p, count - 1) : 0,
          gainOfNext: vZeroGain(p, count),
          price,
          utility: vZeroUtility(p, count),
        };
        return { prompt, action: 'launch', count, ...why(count, low, high, numbers), numbers };
      }),
    };
  },
});

function why(
  count: number,
  low: number,
  high: number,
  {
    prediction,
    gainOfLast,
    gainOfNext,
    price,
  }: Record<'prediction' | 'gainOfLast' | 'gainOfNext' | 'price', number>,
): { reasonCode: string; reason: string } {
  const given = counted(count, 'rollout');
  const predicted = `Predicted to succeed with probability ${figure(prediction)}`;
  if (prediction === 0 || prediction === 1) {
    return { reasonCode: 'no-gain', reason: `${predicted}, so no rollout has a gain: the least, ${given}.` };
  }
  if (count === high) return { reasonCode: 'at-most', reason: `${predicted}: ${given}, the most.` };
  if (count === low) {
    return {
      reasonCode: 'at-least',
      reason: `${predicted}: ${given}, the least; one more would gain ${figure(gainOfNext)}, the last one given gained ${figure(price)}.`,
    };
  }
  return {
    reasonCode: 'greatest-gain',
    reason: `${predicted}: ${given}; the ${ordinal(count)} gains ${figure(gainOfLast)}, a ${ordinal(count + 1)} would gain ${figure(gainOfNext)}.`,
  };
}
