import { counted, figure, ordinal } from '../figures';
import {
  choiceOf,
  choiceParameter,
  integerParameter,
  numberOf,
  numberParameter,
  rolloutsParameter,
} from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest, RoundDecision } from './allocator';
import { transformedFailure } from './cobaRl';
import { cobaAllocation, cobaRole, pooledRate } from './cobaReleasedRules';
import { evenShares } from './waterFilling';

const least = rolloutsParameter('least', 2, 0, 'Fewest rollouts of a prompt (n_low).');
const most = rolloutsParameter('most', 32, 1, 'Most rollouts of a prompt (n_up).');
const window = integerParameter(
  'window',
  3,
  [1, 1000],
  'Newest groups of a prompt that its pass rate is pooled over.',
  'groups',
);
const kappa = numberParameter('kappa', 7, [2, 1000], 'Concentration of the Beta density, a + b.');
const tauLeast = numberParameter(
  'tauLeast',
  3,
  [1e-6, 1000],
  'Rollouts after which value saturates when all pass rates are equal.',
);
const tauMost = numberParameter('tauMost', 12, [1e-6, 1000], 'The same when pass rates vary most.');
const varianceMost = numberParameter(
  'varianceMost',
  0.1667,
  [1e-6, 1],
  'Variance of the pass rates that counts as most.',
);
const smoothing = numberParameter(
  'smoothing',
  0.01,
  [1e-10, 0.5],
  'Pass rates are kept this far from 0 and 1 in the value.',
);
const explorationShare = numberParameter(
  'explorationShare',
  0.8,
  [0, 1],
  'Share of what is left after the minima that prompts in between get if they are more than half of the batch.',
);
const rest = choiceParameter(
  'rest',
  'weighted',
  ['weighted', 'uniform'],
  'How the rest is shared: by (1 − p) to a power, or evenly.',
);
const hardness = numberParameter(
  'hardness',
  1,
  [0, 100],
  'Power of (1 − p) in the weights of the rest (weight_alpha).',
);

/**
 * CoBA-RL as released (recipe/coba_rl/budget_allocators.py, BetaAllocator): the value of the paper, but only prompts
 * with a pass rate of 0.05 to 0.99 compete for it, with a part of what is left after the minima; a scale that grows
 * with the variance of their pass rates; the rest goes to prompts below 0.05, then to those in between, then to those
 * above 0.99. An unknown pass rate counts as 0.5. Where no prompt was sampled before, or the budget is below the
 * minima, the budget is split evenly without regard to the bounds.
 *
 * `failureRate` is the mean over prompts of 1 − pass rate, averaged over the last steps; before the first one a is
 * kappa − 2.
 */
export const cobaRlReleased = allocationMethod({
  id: 'coba-rl-released',
  title: 'CoBA-RL (as released)',
  summary: 'The paper’s value for prompts in between; the rest to the hardest first.',
  family: 'water-filling',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2602.03048v3',
    equation: 'equations 5 to 9, as changed in the code',
    code: 'Within-yao/CoBA-RL:recipe/coba_rl/budget_allocators.py:BetaAllocator.allocate',
    commit: 'aa6b834a31',
  },
  parameters: [
    least,
    most,
    window,
    kappa,
    tauLeast,
    tauMost,
    varianceMost,
    smoothing,
    explorationShare,
    rest,
    hardness,
  ],
  keepsTotal: false,
  needs: ['history'],
  uses: ['failureRate'],
  caveats: [
    'Part of the budget can stay unspent: the last even split is made once and cut at the most.',
    'Prompts served earlier get more of the rest than their share, because it shrinks while it is shared.',
  ],
  decide: ({ inputs, parameters }): RoundDecision => {
    const low = numberOf(parameters, least);
    const high = numberOf(parameters, most);
    if (high < low) throw new Refusal('bad-parameter', `most is ${high}, below least, which is ${low}.`);
    const known = inputs.prompts.map(({ history = [] }) => pooledRate(history, numberOf(parameters, window)));
    const prompts = known.length;
    const nothingKnown = known.every((rate) => rate === undefined);
    if (nothingKnown || inputs.budget < low * prompts) {
      const because = nothingKnown
        ? 'No prompt was sampled before'
        : `${inputs.budget} rollouts are fewer than ${low} for each of ${counted(prompts, 'prompt')}`;
      return {
        done: true,
        shared: { budget: inputs.budget, prompts },
        requests: evenShares(inputs.budget, prompts).map((count, prompt) => ({
          prompt,
          action: 'launch',
          count,
          reasonCode: 'even-split',
          reason: `${because}, so the budget is split evenly: ${counted(count, 'rollout')}.`,
          numbers: {},
        })),
      };
    }
    const rates = known.map((rate) => rate ?? 0.5);
    const concentration = numberOf(parameters, kappa);
    const failure = inputs.failureRate === undefined ? undefined : transformedFailure(inputs.failureRate, 10);
    const a =
      failure === undefined
        ? concentration - 2
        : Math.max(1, Math.min(concentration - 1, 1 + (concentration - 2) * failure));
    const b = concentration - a;
    if (!(a > 0))
      throw new Refusal(
        'bad-parameter',
        'Before the first step a is kappa − 2, which must be above 0: raise kappa.',
      );
    const found = cobaAllocation(rates, {
      budget: inputs.budget,
      least: low,
      most: high,
      a,
      b,
      tauLeast: numberOf(parameters, tauLeast),
      tauMost: numberOf(parameters, tauMost),
      varianceMost: numberOf(parameters, varianceMost),
      smoothing: numberOf(parameters, smoothing),
      explorationShare: numberOf(parameters, explorationShare),
      rest: choiceOf(parameters, rest),
      hardness: numberOf(parameters, hardness),
    });
    const unspent = inputs.budget - found.counts.reduce((sum, count) => sum + count, 0);
    return {
      done: true,
      shared: {
        budget: inputs.budget,
        least: low,
        most: high,
        a,
        b,
        ...(failure === undefined ? {} : { transformedFailure: failure }),
        ...(found.tau === undefined ? {} : { tau: found.tau }),
        price: found.price,
        unspent,
      },
      ...(unspent > 0 ? { remark: `${counted(unspent, 'rollout')} stay unspent, as in the release.` } : {}),
      requests: found.counts.map((count, prompt): AllocationRequest => {
        const p = rates[prompt]!;
        const role = cobaRole(p);
        const value = found.byValue[prompt]!;
        const ofRest = count - low - value;
        const seen =
          known[prompt] === undefined
            ? 'Never sampled, counted as a pass rate of 0.5'
            : `Pass rate ${figure(p)}`;
        const lastGain = value > 0 ? found.gain(prompt, low + value - 1) : 0;
        const byGain =
          value > 0
            ? `, ${value} by value (the ${ordinal(low + value)} gains ${figure(lastGain)}, the price is ${figure(found.price)})`
            : '';
        return {
          prompt,
          action: 'launch',
          count,
          reasonCode: role,
          reason: `${seen}: ${low} as the least${byGain}${ofRest > 0 ? `, ${ofRest} of the rest` : ''}: ${counted(count, 'rollout')}.`,
          numbers: { passRate: p, byValue: value, ofRest, gainOfLast: lastGain, price: found.price },
        };
      }),
    };
  },
});
