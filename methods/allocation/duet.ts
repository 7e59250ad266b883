import { counted, figure } from '../figures';
import { integerParameter, numberOf, numberParameter, rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';
import { duetAllocation, duetMaxTokens, duetPropensities } from './duetAllocation';
import { duetThresholds } from './duetThresholds';

const share = numberParameter(
  'share',
  0.5,
  [0.001, 1],
  'Tokens to spend, as a share of what the uniform allocation would.',
);
const reference = rolloutsParameter(
  'reference',
  8,
  1,
  'Rollouts of every prompt in that uniform allocation (ref_n).',
);
const least = rolloutsParameter('least', 1, 1, 'Fewest rollouts of a prompt (n_min).');
const most = rolloutsParameter('most', 32, 1, 'Most rollouts of a prompt (n_max).');
const iterations = integerParameter(
  'iterations',
  10,
  [1, 200],
  'Halvings in the search for the price.',
  'halvings',
);
const workers = integerParameter(
  'workers',
  1,
  [1, 65_536],
  'The sum must be a multiple of this: the job’s number of devices.',
  'devices',
);
const propensityFloor = numberParameter(
  'propensityFloor',
  0.05,
  [1e-6, 1],
  'Lowest propensity that is reported (eps_pre).',
);
const floor = numberParameter(
  'floor',
  0.5,
  [0, 1],
  'Lowest threshold of the stop rule, as a margin of probabilities.',
);
const ceiling = numberParameter('ceiling', 0.99, [0, 1], 'Highest threshold of the stop rule.');

/**
 * DUET, the allocation: rollouts in proportion to the spread of the gradient signal over the root of the length, at the
 * price of a token that spends a share of the uniform allocation's tokens; the longest prompts give up what rounding
 * left above it (arXiv 2605.08441, theorems 1 and 3; duet_allocator.py). Tokens, not rollouts, are kept:
 * `inputs.budget` is not read. The stop rule inside a rollout is `duetStop`; here each prompt gets its threshold.
 * Propensities use the counts before the trim, as released.
 */
export const duet = allocationMethod({
  id: 'duet',
  title: 'DUET',
  summary:
    'More rollouts where the gradient signal spreads and answers are short, for a share of the tokens.',
  family: 'water-filling',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2605.08441',
    equation: 'theorems 1 and 3',
    code: 'Haoyu-Hu/DUET:src/duet/duet_allocator.py:DuetAllocator.allocate, make_n_q_divisible',
    commit: '82bd6f40c2',
  },
  parameters: [share, reference, least, most, iterations, workers, propensityFloor, floor, ceiling],
  keepsTotal: false,
  needs: ['gradientSpread', 'meanTokens'],
  uses: [],
  caveats: [
    'Few halvings leave the price coarse: the trim then takes from the longest prompts first.',
    'The trim stops after four rollouts for each prompt, so the tokens can stay above the target.',
    'The limits on length that go with the price are computed by the release, but not applied.',
  ],
  decide: ({ inputs, parameters }) => {
    const bounds = { least: numberOf(parameters, least), most: numberOf(parameters, most) };
    if (bounds.most < bounds.least)
      throw new Refusal('bad-parameter', `most is ${bounds.most}, below least, which is ${bounds.least}.`);
    const spreads = inputs.prompts.map(({ gradientSpread }) => gradientSpread!);
    const lengths = inputs.prompts.map(({ meanTokens }) => meanTokens!);
    const full = numberOf(parameters, reference) * lengths.reduce((sum, length) => sum + length, 0);
    const target = numberOf(parameters, share) * full;
    const found = duetAllocation(spreads, lengths, {
      ...bounds,
      target,
      iterations: numberOf(parameters, iterations),
      workers: numberOf(parameters, workers),
    });
    const tokens = found.counts.reduce((sum, count, i) => sum + count * lengths[i]!, 0);
    const propensities = duetPropensities(found.atLambda, numberOf(parameters, propensityFloor));
    const limits = duetMaxTokens(found.lambda, spreads, lengths);
    const thresholds = duetThresholds(spreads, lengths, {
      signal: 'margin',
      mode: 'batch_percentile',
      floor: numberOf(parameters, floor),
      ceiling: numberOf(parameters, ceiling),
    });
    const root = Math.sqrt(found.lambda);
    return {
      done: true,
      shared: { fullTokens: full, targetTokens: target, tokens, lambda: found.lambda, trims: found.trims },
      ...(tokens > target
        ? {
            remark: `${figure(tokens)} tokens are expected, above the target of ${figure(target)}: the least for every prompt, the limit of the trim or the number of devices keeps them there.`,
          }
        : {}),
      requests: found.counts.map((count, prompt): AllocationRequest => {
        const spread = spreads[prompt]!;
        const length = lengths[prompt]!;
        const raw = spread / (root * Math.sqrt(Math.max(length, 1)));
        const priced = found.atLambda[prompt]!;
        const changes = [
          found.trimmed[prompt]! < priced
            ? `, ${priced - found.trimmed[prompt]!} trimmed for the target`
            : '',
          count < found.trimmed[prompt]!
            ? ', 1 or more taken for divisibility'
            : count > found.trimmed[prompt]!
              ? ', 1 or more added for divisibility'
              : '',
        ].join('');
        return {
          prompt,
          action: 'launch',
          count,
          reasonCode:
            changes !== ''
              ? 'adjusted'
              : raw < bounds.least
                ? 'at-least'
                : raw > bounds.most
                  ? 'at-most'
                  : 'priced',
          reason: `Spread ${figure(spread)} over √(${figure(found.lambda)} · ${figure(length)} tokens) = ${figure(raw)}, within ${bounds.least} to ${bounds.most} ${priced}${changes}: ${counted(count, 'rollout')}.`,
          numbers: {
            spread,
            meanTokens: length,
            raw,
            priced,
            propensity: propensities[prompt]!,
            stopThreshold: thresholds[prompt]!,
            lengthLimit: limits[prompt]!,
          },
        };
      }),
    };
  },
});
