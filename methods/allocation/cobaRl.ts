import { counted, figure, ordinal } from '../figures';
import { betaPower } from '../estimators/incompleteBeta';
import { numberOf, numberParameter, rolloutsParameter } from '../parameters';
import type { Parameters } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';
import { fillByGain } from './waterFilling';

const least = rolloutsParameter('least', 2, 0, 'Fewest rollouts of a prompt (B_low).');
const most = rolloutsParameter('most', 128, 1, 'Most rollouts of a prompt (B_up).');
const kappa = numberParameter('kappa', 11, [2, 1000], 'Concentration of the Beta density, a + b.');
const gamma = numberParameter(
  'gamma',
  10,
  [0, 1000],
  'Steepness of the transformation of failure rates up to one half.',
);
const tau = numberParameter(
  'tau',
  3,
  [1e-6, 1000],
  'Rollouts after which value saturates. The paper’s value was not read; the release moves between 3 and 12.',
);

/** F itself above one half, else a sigmoid that pulls it down: 1 / (1 + exp(−gamma (F − ½))). */
export function transformedFailure(failureRate: number, steepness: number): number {
  return failureRate > 0.5 ? failureRate : 1 / (1 + Math.exp(-steepness * (failureRate - 0.5)));
}

/** Beta density at p, 0 where p is 0 or 1. */
function density(p: number, a: number, b: number): number {
  return p > 0 && p < 1 ? betaPower(p, 1 - p, a, b) / (p * (1 - p)) : 0;
}

/**
 * CoBA-RL as in the paper: V(n, p) = (1 − exp(−(n/tau) p (1−p))) · Beta density(p; a, b), with a = clip(1 +
 * (kappa − 2) F~, 1, kappa − 1), b = kappa − a and F~ the transformed moving average of the failure rate; one rollout
 * after the other goes to the greatest V(n+1) − V(n) (arXiv 2602.03048v3, equations 5 to 9, algorithm 1). Many
 * failures move the density to solvable prompts, few to hard ones. Equal gains go to the lower index; prompts that
 * were always or never solved gain nothing and are served last. The limits of a are those of the released code.
 *
 * The paper takes the pass rate over the last three visits; a prompt without one counts as 0.5. Throws a Refusal if
 * the budget is below `least` for every prompt.
 */
export const cobaRl = allocationMethod({
  id: 'coba-rl',
  title: 'CoBA-RL (paper)',
  summary: 'Weighs prompts by a Beta density over pass rates that moves with the failure rate of the run.',
  family: 'water-filling',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2602.03048v3',
    equation: 'equations 5 to 9, algorithm 1',
    code: 'Within-yao/CoBA-RL',
    commit: 'aa6b834',
  },
  parameters: [least, most, kappa, gamma, tau],
  keepsTotal: false,
  needs: ['failureRate'],
  uses: ['passRate'],
  optimal: true,
  caveats: [
    'The limits of a, and the default of tau, are those of the released code: the paper’s were not read.',
    'Prompts that were always or never solved gain nothing and are served last.',
  ],
  decide: ({ inputs, parameters }) => {
    const low = numberOf(parameters, least);
    const high = numberOf(parameters, most);
    if (high < low) throw new Refusal('bad-parameter', `most is ${high}, below least, which is ${low}.`);
    const prompts = inputs.prompts.length;
    if (inputs.budget < low * prompts) {
      throw new Refusal(
        'bad-budget',
        `${inputs.budget} rollouts are fewer than ${low} for each of ${counted(prompts, 'prompt')}. Raise the budget or lower least.`,
      );
    }
    const { a, b, failure } = shape(inputs.failureRate!, parameters);
    const scale = numberOf(parameters, tau);
    const rates = inputs.prompts.map(({ passRate }) => passRate?.value ?? 0.5);
    const weights = rates.map((p) => density(p, a, b));
    const gain = (prompt: number, n: number): number => {
      const rate = (rates[prompt]! * (1 - rates[prompt]!)) / scale;
      return weights[prompt]! * Math.exp(-n * rate) * -Math.expm1(-rate);
    };
    const level = fillByGain({
      prompts,
      budget: inputs.budget,
      lower: () => low,
      upper: () => high,
      gain,
      alsoWithoutGain: true,
    });
    const price = level.price ?? 0;
    return {
      done: true,
      shared: {
        budget: inputs.budget,
        least: low,
        most: high,
        failureRate: inputs.failureRate!,
        transformedFailure: failure,
        a,
        b,
        price,
        unspent: level.unspent,
      },
      requests: level.counts.map((count, prompt): AllocationRequest => {
        const numbers = {
          passRate: rates[prompt]!,
          density: weights[prompt]!,
          gainOfLast: count > 0 ? gain(prompt, count - 1) : 0,
          gainOfNext: gain(prompt, count),
          price,
        };
        return { prompt, action: 'launch', count, ...why(count, low, high, numbers), numbers };
      }),
    };
  },
});

function shape(failureRate: number, parameters: Parameters): { a: number; b: number; failure: number } {
  const concentration = numberOf(parameters, kappa);
  const failure = transformedFailure(failureRate, numberOf(parameters, gamma));
  const a = Math.min(concentration - 1, Math.max(1, 1 + (concentration - 2) * failure));
  return { a, b: concentration - a, failure };
}

function why(
  count: number,
  low: number,
  high: number,
  {
    passRate,
    density: weight,
    gainOfLast,
    gainOfNext,
    price,
  }: Record<'passRate' | 'density' | 'gainOfLast' | 'gainOfNext' | 'price', number>,
): { reasonCode: string; reason: string } {
  const given = counted(count, 'rollout');
  const weighed = `At a pass rate of ${figure(passRate)} the weight is ${figure(weight)}`;
  if (weight === 0) {
    return {
      reasonCode: 'no-gain',
      reason: `At a pass rate of ${figure(passRate)} no rollout has a gain: ${given}.`,
    };
  }
  if (count === high) return { reasonCode: 'at-most', reason: `${weighed}: ${given}, the most.` };
  if (count === low) {
    return {
      reasonCode: 'at-least',
      reason: `${weighed}: ${given}, the least; one more would gain ${figure(gainOfNext)}, the price is ${figure(price)}.`,
    };
  }
  return {
    reasonCode: 'gain-above-price',
    reason: `${weighed}: ${given}; the ${ordinal(count)} gains ${figure(gainOfLast)}, a ${ordinal(count + 1)} would gain ${figure(gainOfNext)}, the price is ${figure(price)}.`,
  };
}
