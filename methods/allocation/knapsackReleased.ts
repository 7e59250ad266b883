import { counted, figure, ordinal } from '../figures';
import {
  booleanOf,
  booleanParameter,
  choiceOf,
  choiceParameter,
  numberOf,
  numberParameter,
  rolloutsParameter,
} from '../parameters';
import type { Parameters } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest, RoundDecision } from './allocator';
import { knapsackGain, knapsackMarginalGain, knapsackValue } from './knapsackValue';
import { evenShares, fillByGain } from './waterFilling';

const unseen = rolloutsParameter(
  'unseen',
  8,
  0,
  'Rollouts of a prompt with too few earlier ones to go by (n).',
);
const least = rolloutsParameter(
  'least',
  2,
  1,
  'Fewest rollouts of a prompt between never and always solved (min_n).',
);
const most = rolloutsParameter(
  'most',
  128,
  1,
  'Most rollouts that the programme may give to such a prompt (max_n).',
);
const unsolved = rolloutsParameter(
  'unsolved',
  2,
  0,
  'Rollouts of a prompt that was never solved (negative_n).',
);
const solved = rolloutsParameter('solved', 2, 0, 'Rollouts of a prompt that was always solved (positive_n).');
const minimumSamples = rolloutsParameter(
  'minimumSamples',
  8,
  1,
  'Earlier rollouts from which on a pass rate counts.',
);

const confidence = numberParameter(
  'confidence',
  0.9,
  [0, 0.999999],
  'Probability of both outcomes at which a prompt counts as served, in the estimate of its cost (alpha).',
);

const cost = choiceParameter(
  'cost',
  'probability',
  ['probability', 'expectation'],
  'Estimated cost of a prompt: ln(1−confidence)/ln(max(p, 1−p)), or 1/(p(1−p)) − 1.',
);

const surplusToUnsolved = booleanParameter(
  'surplusToUnsolved',
  true,
  'What the estimated costs do not need goes to unsolved and unseen prompts first (allow_fallback).',
);

type Role = 'unseen' | 'between' | 'unsolved' | 'solved';

/**
 * Knapsack-RL as released, which is not the published sum: if the rollouts left after the minima exceed the estimated
 * costs of the prompts in between, the surplus goes to unsolved and unseen prompts (in their absence to all others)
 * BEFORE the programme runs; and the programme gives value 0, not that of `least`, to a prompt that is left at its
 * minimum. Leaving that aside, its gains still fall with n (the first is the whole value at least + 1), so that the
 * programme's optimum is found here by marginal gain in O(budget · log prompts) instead of
 * O(prompts · budget · most). Where prompts with equal rates tie, the released programme may swap their counts.
 *
 * Rates are rounded to single precision as in the release. Throws a Refusal where the release fails its own sum
 * check: a budget below the minima, a surplus without a prompt to take it, no prompt in between and none unsolved.
 */
export const knapsackReleased = allocationMethod({
  id: 'knapsack-rl',
  title: 'Knapsack-RL (as released)',
  summary: 'The released allocator: surplus to unsolved prompts first, the rest by the knapsack programme.',
  family: 'water-filling',
  marginalGain: knapsackMarginalGain,
  confidence: 'exact',
  source: {
    paper: 'arXiv 2509.25849',
    equation: 'value function and knapsack problem',
    code: 'liziniu/KnapsackRL:verl/trainer/ppo/exploration_utils.py:sampling_budget_by_knapsack',
    commit: 'ca5d5f5b7e',
  },
  parameters: [unseen, least, most, unsolved, solved, minimumSamples, confidence, cost, surplusToUnsolved],
  keepsTotal: true,
  needs: [],
  uses: ['passRate'],
  caveats: [
    'The programme gives no value to a prompt that stays at its least, and a surplus goes to never-solved and new prompts before it runs: not the optimum of the published problem.',
    'Equal gains go to the lower index; the release does not define an order.',
  ],
  decide: ({ inputs, parameters }): RoundDecision => {
    const low = numberOf(parameters, least);
    const high = numberOf(parameters, most);
    if (high < low) throw new Refusal('bad-parameter', `most is ${high}, below least, which is ${low}.`);
    const enough = numberOf(parameters, minimumSamples);
    const rates = inputs.prompts.map(({ passRate }) =>
      passRate === undefined || (passRate.samples ?? enough) < enough
        ? undefined
        : Math.fround(passRate.value),
    );
    const roles = rates.map((p): Role =>
      p === undefined ? 'unseen' : p === 0 ? 'unsolved' : p === 1 ? 'solved' : 'between',
    );
    const base: Record<Role, number> = {
      unseen: numberOf(parameters, unseen),
      between: low,
      unsolved: numberOf(parameters, unsolved),
      solved: numberOf(parameters, solved),
    };
    const counts = roles.map((role) => base[role]);
    const start = counts.reduce((sum, count) => sum + count, 0);
    const rest = inputs.budget - start;
    if (rest < 0) {
      throw new Refusal(
        'bad-budget',
        `The minima alone need ${start} rollouts; the budget is ${inputs.budget}. Raise it or lower the minima.`,
      );
    }
    const indices = roles.map((_, prompt) => prompt);
    const between = indices.filter((prompt) => roles[prompt] === 'between');
    const needy = indices.filter((prompt) => roles[prompt] === 'unsolved' || roles[prompt] === 'unseen');
    const extra = new Array<number>(roles.length).fill(0);
    const share = (amount: number, among: readonly number[]): void =>
      evenShares(amount, among.length).forEach((given, i) => (extra[among[i]!]! += given));

    const costs = between.reduce(
      (sum, prompt) => sum + Math.trunc(Math.min(high, costOf(rates[prompt]!, parameters))),
      0,
    );
    let surplus = 0;
    let price = 0;
    if (between.length === 0 && rest > 0) {
      surplus = rest;
      if (needy.length > 0) share(rest, needy);
      else if (base.unseen * roles.length === inputs.budget) extra.fill(base.unseen - base.solved);
      else throw noTaker(inputs.budget, 'every prompt was always solved');
    } else if (rest > 0) {
      if (costs < rest && booleanOf(parameters, surplusToUnsolved)) {
        surplus = rest - costs;
        const takers = needy.length > 0 ? needy : indices.filter((prompt) => roles[prompt] !== 'between');
        if (takers.length === 0)
          throw noTaker(inputs.budget, `the prompts are estimated to need only ${costs} of the ${rest} left`);
        share(surplus, takers);
      }
      const level = fillByGain({
        prompts: between.length,
        budget: rest - surplus,
        lower: () => 0,
        upper: () => high - low,
        gain: (i, given) => programmeGain(rates[between[i]!]!, low, given),
        alsoWithoutGain: true,
      });
      price = level.price ?? 0;
      const beyond = evenShares(level.unspent, between.length);
      between.forEach((prompt, i) => (extra[prompt]! += level.counts[i]! + beyond[i]!));
    }
    let programmeValue = 0;
    const requests = roles.map((role, prompt): AllocationRequest => {
      const added = extra[prompt]!;
      const count = counts[prompt]! + added;
      const p = rates[prompt];
      const numbers: Record<string, number> = { base: base[role], added };
      if (p !== undefined) numbers['passRate'] = p;
      if (p !== undefined && role === 'between') {
        if (added > 0) programmeValue += knapsackValue(p, count);
        numbers['gainOfLast'] = added > 0 ? programmeGain(p, low, added - 1) : 0;
        numbers['gainOfNext'] = programmeGain(p, low, added);
        numbers['price'] = price;
      }
      return {
        prompt,
        action: 'launch',
        count,
        reasonCode: role,
        reason: why(role, count, added, numbers, high),
        numbers,
      };
    });
    const shared = {
      budget: inputs.budget,
      least: low,
      most: high,
      estimatedCosts: costs,
      surplus,
      price,
      programmeValue,
    };
    return { done: true, shared, requests };
  },
});

const noTaker = (budget: number, because: string): Refusal =>
  new Refusal(
    'bad-budget',
    `The released allocator cannot hand out ${budget} rollouts here: ${because}, and no other prompt may take the ` +
      'surplus. Turn surplusToUnsolved off, lower the budget, or use the published form.',
  );

/** Gain of one more rollout in the released programme, for a prompt that has `given` beyond its minimum. */
function programmeGain(p: number, low: number, given: number): number {
  return given === 0 ? knapsackValue(p, low + 1) : knapsackGain(p, low + given);
}

/** Estimated rollouts that a prompt needs, in single precision as the release stores it. */
function costOf(p: number, parameters: Parameters): number {
  const value =
    choiceOf(parameters, cost) === 'probability'
      ? Math.log(1 - numberOf(parameters, confidence)) / Math.log(Math.max(p, 1 - p))
      : 1 / (p * (1 - p)) - 1;
  return Math.fround(value);
}

function why(
  role: Role,
  count: number,
  added: number,
  numbers: Record<string, number>,
  high: number,
): string {
  const given = counted(count, 'rollout');
  const { base = 0, gainOfLast = 0, gainOfNext = 0, price = 0 } = numbers;
  if (role === 'between') {
    const next = `one more would gain ${figure(gainOfNext)}, the price is ${figure(price)}`;
    if (added === 0) return `${given}, the least: ${next}.`;
    if (count > high)
      return `${given}: all prompts in between are at their most, so they share the rest evenly.`;
    return `${given}: the ${ordinal(count)} gains ${figure(gainOfLast)}; ${next}.`;
  }
  const what = {
    unseen: 'Too few earlier rollouts to go by',
    unsolved: 'Never solved before',
    solved: 'Always solved before',
  }[role];
  return added > 0 ? `${what}: ${base}, and ${added} of the surplus: ${given}.` : `${what}: ${given}.`;
}
