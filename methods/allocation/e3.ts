import { counted, figure } from '../figures';
import {
  booleanOf,
  booleanParameter,
  integerParameter,
  numberOf,
  numberParameter,
  rolloutsParameter,
} from '../parameters';
import type { Parameters } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';
import { e3Bounds, e3Counts, e3Ranks, e3Temperatures, meanOfHistory, UNKNOWN_RANK } from './e3Rules';
import type { E3Temperature } from './e3Rules';
import type { AllocationInputs } from './inputs';

const start = rolloutsParameter(
  'start',
  8,
  1,
  'Rollouts of every prompt in the first pass over the data (n).',
);
const least = rolloutsParameter('least', 4, 1, 'Lowest value of the lower bound (n_low).');
const most = rolloutsParameter('most', 12, 1, 'Highest value of the upper bound (n_high).');
const update = rolloutsParameter(
  'update',
  2,
  0,
  'By how much both bounds move after each pass over the data.',
);
const firstTemperature = numberParameter(
  'firstTemperature',
  1,
  [0.01, 10],
  'Sampling temperature of the first steps.',
);
const vocabulary = integerParameter(
  'vocabulary',
  151_936,
  [3, 10_000_000],
  'Size of the vocabulary (V); 151,936 is that of the models of the published runs.',
  'tokens',
);
const initSteps = integerParameter(
  'initSteps',
  1,
  [1, 1000],
  'First steps, whose mean entropy is to be held.',
  'steps',
);
const targetEntropy = numberParameter(
  'targetEntropy',
  0,
  [0, 100],
  'Entropy to hold; 0: the mean of the first steps.',
  'nats',
);
const annealing = booleanParameter(
  'annealing',
  true,
  'The target falls along a cosine at the end of the training.',
);
const annealingRatio = numberParameter(
  'annealingRatio',
  0.4,
  [0, 1],
  'Share of the steps, at the end, in which the target falls.',
);
const annealingFactor = numberParameter(
  'annealingFactor',
  0.9,
  [0, 1],
  'What the target ends at, as a share of itself.',
);

/**
 * E3-RL4LLMs: rollouts in proportion to the rank by difficulty in the whole data set, between bounds that widen with
 * every pass over the data, and a temperature that holds the policy's entropy (arXiv 2505.18573 and its release; see
 * `e3Rules`). Where no rank is recorded, the rank among the given prompts by their earlier groups stands for it. The
 * temperature follows from the recorded entropies of all earlier steps; where they are not recorded it is left to the
 * run. Throws a Refusal if the budget is below the lower bound of every prompt, where the release gives hard prompts
 * less than none.
 */
export const e3 = allocationMethod({
  id: 'e3',
  title: 'E3-RL4LLMs',
  summary:
    'More rollouts the harder a prompt ranks, within bounds that widen, at a temperature that holds the entropy.',
  family: 'by-difficulty',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2505.18573',
    equation: 'rollout budget, temperature scheduler',
    code: 'LiaoMengqi/E3-RL4LLMs:e3/trainer/ray_trainer.py:get_rollout_n_per_prompt, e3/worker/temperature_scheduler.py',
    commit: '7e90b8e9a4',
  },
  parameters: [
    start,
    least,
    most,
    update,
    firstTemperature,
    vocabulary,
    initSteps,
    targetEntropy,
    annealing,
    annealingRatio,
    annealingFactor,
  ],
  keepsTotal: false,
  needs: ['epoch'],
  uses: ['difficultyRank', 'history', 'entropies', 'totalSteps'],
  caveats: [
    'Rollouts that rounding leaves over stay unspent where every prompt is at the upper bound.',
    'Shares are not cut at the upper bound, as in the release; only what rounding leaves over respects it.',
    'The optional penalty on long answers to the easiest prompts is left out: it changes rewards, not counts.',
  ],
  decide: ({ inputs, parameters }) => {
    const { prompts, budget } = inputs;
    const bounds = e3Bounds(inputs.epoch!, {
      n: numberOf(parameters, start),
      low: numberOf(parameters, least),
      high: numberOf(parameters, most),
      update: numberOf(parameters, update),
    });
    if (budget < bounds.least * prompts.length) {
      throw new Refusal(
        'bad-budget',
        `${counted(budget, 'rollout')} are fewer than ${bounds.least} for each of ${counted(prompts.length, 'prompt')}. Raise the budget or lower least.`,
      );
    }
    const ranks = ranksOf(inputs);
    const counts = e3Counts(ranks, budget, bounds);
    const extra = budget - bounds.least * prompts.length;
    const weights = ranks.reduce((sum, rank) => sum + Math.max(0, rank), 0);
    const held = temperatureOf(inputs, parameters);
    const settings = held === undefined ? {} : { settings: { temperature: held.temperature } };
    return {
      done: true,
      shared: {
        budget,
        least: bounds.least,
        most: bounds.most,
        extra,
        sumOfRanks: weights,
        unspent: budget - counts.reduce((sum, count) => sum + count, 0),
        ...(held === undefined ? {} : { temperature: held.temperature, targetEntropy: held.target ?? 0 }),
      },
      requests: counts.map((count, prompt): AllocationRequest => {
        const rank = ranks[prompt]!;
        const known = rank !== UNKNOWN_RANK;
        const share = (extra * Math.max(0, rank)) / (weights + 1e-8);
        const numbers = { ...(known ? { rank } : {}), share, least: bounds.least, most: bounds.most };
        const place = known ? `Rank ${figure(rank)} of 1` : 'No rank yet, counted as 0';
        const leftOver = count - Math.floor(bounds.least + share);
        const tail = leftOver > 0 ? `, and ${leftOver} that rounding left over` : '';
        return {
          prompt,
          action: 'launch',
          count,
          ...settings,
          reasonCode: extra === 0 ? 'same-for-all' : known ? 'by-rank' : 'no-rank',
          reason:
            weights === 0
              ? `${place}, and no rank is above 0, so there is nothing to share by: ${bounds.least}${tail}: ${counted(count, 'rollout')}.`
              : `${place}: ⌊${bounds.least} + ${extra} · ${figure(Math.max(0, rank))} / ${figure(weights)}⌋ = ${Math.floor(bounds.least + share)}${tail}: ${counted(count, 'rollout')}.`,
          numbers,
        };
      }),
    };
  },
});

function ranksOf({ prompts }: AllocationInputs): number[] {
  if (prompts.some(({ difficultyRank }) => difficultyRank !== undefined)) {
    return prompts.map(({ difficultyRank }) => difficultyRank ?? UNKNOWN_RANK);
  }
  if (!prompts.some(({ history }) => history !== undefined && history.length > 0)) {
    return prompts.map(() => UNKNOWN_RANK);
  }
  return e3Ranks(prompts.map(({ history }) => meanOfHistory(history ?? [])));
}

/** Temperature of this step; undefined where the entropies of the earlier ones are not recorded. */
function temperatureOf(
  { entropies, totalSteps }: AllocationInputs,
  parameters: Parameters,
): E3Temperature | undefined {
  if (entropies === undefined) return undefined;
  const first = numberOf(parameters, firstTemperature);
  const target = numberOf(parameters, targetEntropy);
  const given = target === 0 ? undefined : target;
  return (
    e3Temperatures(entropies, {
      first,
      vocabulary: numberOf(parameters, vocabulary),
      initSteps: numberOf(parameters, initSteps),
      target: given,
      annealing:
        booleanOf(parameters, annealing) && totalSteps !== undefined
          ? {
              steps: totalSteps,
              ratio: numberOf(parameters, annealingRatio),
              factor: numberOf(parameters, annealingFactor),
            }
          : undefined,
    }).at(-1) ?? { temperature: first, target: given }
  );
}
