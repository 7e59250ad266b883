import { counted, figure } from '../figures';
import { integerParameter, numberOf, numberParameter, rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';

const groupSize = rolloutsParameter('groupSize', 8, 1, 'Rollouts of every prompt.');
const gamma = numberParameter(
  'gamma',
  undefined,
  [0, 100],
  'Power of the solve rate in the penalty of a success.',
);
const failureScale = numberParameter('failureScale', 1, [0, 100], 'Factor on the penalty of a failure.');
const maxTokens = integerParameter(
  'maxTokens',
  undefined,
  [1, 10_000_000],
  'Length at which a rollout is cut.',
  'tokens',
);
const bufferTokens = integerParameter(
  'bufferTokens',
  undefined,
  [1, 10_000_000],
  'Length before that over which the penalty grows to 1.',
  'tokens',
);

/** Penalty of a length before it is scaled: 0 up to max − buffer, then falling to −1 at max; 0 above max. */
export function lengthPenalty(tokens: number, max: number, buffer: number): number {
  const from = max - buffer;
  return tokens > from && tokens <= max ? (from - tokens) / buffer : 0;
}

/** Factor on the penalty: solve rate ^ gamma for a success (0^0 is 1), `failure` else; 1 for a text cut at the limit. */
export function aprielScale(
  { success, cut }: { readonly success: boolean; readonly cut: boolean },
  solveRate: number,
  power: number,
  failure: number,
): number {
  if (cut) return 1;
  return success ? solveRate ** power : failure;
}

/**
 * Apriel-Reasoner, difficulty-aware length penalty: the penalty on a length near the limit is scaled by how often the
 * prompt is solved, so that hard prompts may be answered at length (pipelinerl/actor.py, math/rollouts.py). It is a
 * budget of tokens through the reward; every prompt gets the same rollouts and `inputs.budget` is not read. `values` are
 * what the scaling adds to the rewards, over the plain penalty that they already carry.
 */
export const aprielPenalty = allocationMethod({
  id: 'apriel-penalty',
  title: 'Apriel length penalty',
  summary: 'Lets prompts that are rarely solved be answered at length, by a smaller penalty.',
  family: 'bounds',
  confidence: 'exact',
  source: {
    paper: '',
    equation: 'difficulty-aware length penalty',
    code: 'ServiceNow/PipelineRL:pipelinerl/actor.py:run, pipelinerl/domains/math/rollouts.py:length_penalty',
    commit: '58d3934586',
  },
  parameters: [groupSize, gamma, failureScale, maxTokens, bufferTokens],
  keepsTotal: false,
  needs: ['successes', 'tokens'],
  uses: [],
  caveats: [
    'The published power of the solve rate was not read: give it.',
    'A text as long as the limit counts as cut there: the record does not say whether it had just ended.',
  ],
  decide: ({ inputs, parameters, round, finished }) => {
    const size = numberOf(parameters, groupSize);
    const max = numberOf(parameters, maxTokens);
    const buffer = numberOf(parameters, bufferTokens);
    if (buffer > max)
      throw new Refusal('bad-parameter', `bufferTokens is ${buffer}, above maxTokens, which is ${max}.`);
    if (round === 0) {
      return {
        done: false,
        shared: { groupSize: size },
        requests: inputs.prompts.map((_, prompt) => ({
          prompt,
          action: 'launch',
          count: size,
          reasonCode: 'group',
          reason: `${counted(size, 'rollout')} of every prompt, to see how often it is solved.`,
          numbers: { groupSize: size },
        })),
      };
    }
    const power = numberOf(parameters, gamma);
    const failure = numberOf(parameters, failureScale);
    return {
      done: true,
      shared: { gamma: power, failureScale: failure, maxTokens: max, bufferTokens: buffer },
      requests: finished.flatMap(({ successes, tokens }, prompt): AllocationRequest[] => {
        const count = successes.length;
        if (count === 0) return [];
        const solveRate = successes.filter(Boolean).length / count;
        const values = successes.map((success, i) => {
          const length = tokens[i]!;
          const scale = aprielScale({ success, cut: length >= max }, solveRate, power, failure);
          return lengthPenalty(length, max, buffer) * (scale - 1) + 0;
        });
        const given = values.reduce((sum, value) => sum + value, 0);
        return [
          {
            prompt,
            action: 'penalty',
            count,
            values,
            reasonCode: 'by-solve-rate',
            reason: `Solve rate ${figure(solveRate)}: penalties of successes are scaled by ${figure(solveRate)}^${figure(power)} = ${figure(solveRate ** power)}, which changes the rewards by ${figure(given)} in all.`,
            numbers: { solveRate, scale: solveRate ** power, change: given },
          },
        ];
      }),
    };
  },
});
