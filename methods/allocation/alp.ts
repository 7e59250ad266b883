import { counted, figure } from '../figures';
import { numberOf, numberParameter, rolloutsParameter } from '../parameters';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';

const groupSize = rolloutsParameter('groupSize', undefined, 1, 'Rollouts of every prompt (K).');
const beta = numberParameter(
  'beta',
  undefined,
  [0, 1],
  'Penalty of a generated token of a prompt that is always solved.',
  'reward per token',
);

/** Penalty of a rollout of this length: beta · tokens · max(solve rate, 1/K). */
export function alpPenalty(tokens: number, solveRate: number, rollouts: number, weight: number): number {
  return weight * tokens * Math.max(solveRate, 1 / rollouts);
}

/**
 * ALP, adaptive length penalty: a budget of tokens through the reward, correct − beta · tokens · max(solve rate, 1/K):
 * what is solved more often has to be solved more shortly (arXiv 2506.05256, from a third-party reading note). The
 * number of rollouts is the same for all; `inputs.budget` is not read.
 *
 * Reconstructed; neither beta nor K was read, both have to be given.
 */
export const alp = allocationMethod({
  id: 'alp',
  title: 'ALP',
  summary: 'A penalty on every token that grows with how often the prompt is solved.',
  family: 'bounds',
  confidence: 'reconstructed',
  source: { paper: 'arXiv 2506.05256', equation: 'reward with length penalty', code: '', commit: '' },
  parameters: [groupSize, beta],
  keepsTotal: false,
  caveats: [
    'Read in a third-party note.',
    'The weight of the penalty and the group size were not read: give them.',
  ],
  needs: ['successes', 'tokens'],
  uses: [],
  decide: ({ inputs, parameters, round, finished }) => {
    const size = numberOf(parameters, groupSize);
    const weight = numberOf(parameters, beta);
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
    return {
      done: true,
      shared: { beta: weight },
      requests: finished.flatMap(({ successes, tokens }, prompt): AllocationRequest[] => {
        const count = successes.length;
        if (count === 0) return [];
        const rate = successes.filter(Boolean).length / count;
        const factor = Math.max(rate, 1 / count);
        const mean = tokens.reduce((sum, length) => sum + length, 0) / count;
        return [
          {
            prompt,
            action: 'penalty',
            count,
            values: tokens.map((length) => -alpPenalty(length, rate, count, weight)),
            reasonCode: rate > 1 / count ? 'by-solve-rate' : 'floor',
            reason:
              `Solve rate ${figure(rate)}: ${figure(weight)} · tokens · max(${figure(rate)}, 1/${count}) is ` +
              `${figure(weight * mean * factor)} off the reward at the mean of ${figure(mean)} tokens.`,
            numbers: { solveRate: rate, factor, meanTokens: mean, meanPenalty: weight * mean * factor },
          },
        ];
      }),
    };
  },
});
