import { counted, figure } from '../figures';
import { integerParameter, numberOf, numberParameter, rolloutsParameter } from '../parameters';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';
import { numbersIn } from './inputs';

const first = rolloutsParameter('firstRollouts', 2, 1, 'Rollouts of every prompt in the first round (m0).');
const rounds = integerParameter('rounds', 4, [1, 64], 'Rounds of sampling (T).', 'rounds');
const share = numberParameter(
  'share',
  0.5,
  [0, 1],
  'Share of the prompts that goes on to the next round, those with the highest reward variance (alpha).',
  'of the active prompts',
);
const growth = numberParameter(
  'growth',
  2,
  [1, 64],
  'Factor by which the rollouts per prompt grow from round to round (gamma).',
);

/** n² times the population variance: exact for whole rewards, and all active prompts have the same n. */
function scaledVariance(rewards: readonly number[]): number {
  let sum = 0;
  let squares = 0;
  for (const reward of rewards) {
    sum += reward;
    squares += reward * reward;
  }
  return rewards.length * squares - sum * sum;
}

function variance(rewards: readonly number[]): number {
  const n = rewards.length;
  if (n === 0) return 0;
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / n;
  return rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / n;
}

/**
 * VIGOR: in each round every active prompt gets m more rollouts; then the share of the active prompts with the highest
 * variance of all their rewards so far stays active, and m grows (arXiv 2607.22002, from a third-party transcription).
 *
 * Reconstructed: how many stay when share · active is no whole number is not stated (here rounded down, at least
 * one), nor is the order of equal variances (here the lower index), nor which variance is meant (all rank equally
 * while the prompts have equally many rollouts). `inputs.budget` is not read.
 */
export const vigor = allocationMethod({
  id: 'vigor',
  title: 'VIGOR',
  summary: 'Rounds that double: after each, the half of the prompts with the higher reward variance goes on.',
  family: 'second-stage',
  confidence: 'reconstructed',
  source: { paper: 'arXiv 2607.22002', equation: 'progressive allocation', code: '', commit: '' },
  parameters: [first, rounds, share, growth],
  keepsTotal: false,
  needs: ['rewards'],
  uses: [],
  caveats: [
    'Read in a third-party transcription.',
    'How many prompts stay when their share is no whole number (here rounded down, at least one) and the order of equal variances (here the lower index) are not stated.',
  ],
  decide: ({ inputs, parameters, round, finished, memory }) => {
    const everyone = inputs.prompts.map((_, prompt) => prompt);
    const before = numbersIn(memory, 'active') ?? everyone;
    const count = Math.round(numberOf(parameters, first) * numberOf(parameters, growth) ** round);
    const done = round + 1 >= numberOf(parameters, rounds);
    if (round === 0) {
      return {
        done,
        memory: { active: everyone },
        shared: { round: 1, active: everyone.length, rollouts: count },
        requests: everyone.map((prompt) => ({
          prompt,
          action: 'launch',
          count,
          reasonCode: 'first-round',
          reason: `Round 1: ${counted(count, 'rollout')} of every prompt.`,
          numbers: { round: 1, rollouts: count },
        })),
      };
    }
    const scores = new Map(before.map((prompt) => [prompt, scaledVariance(finished[prompt]!.rewards)]));
    const ranked = [...before].sort((a, b) => scores.get(b)! - scores.get(a)! || a - b);
    const kept = Math.max(1, Math.floor(numberOf(parameters, share) * before.length));
    const active = ranked.slice(0, kept).sort((a, b) => a - b);
    const stays = new Set(active);
    const cut = variance(finished[ranked[kept - 1]!]!.rewards);
    const rank = new Map(ranked.map((prompt, i) => [prompt, i + 1]));
    return {
      done,
      memory: { active },
      shared: { round: round + 1, active: kept, rollouts: count, leastVariance: cut },
      requests: before.map((prompt): AllocationRequest => {
        const spread = variance(finished[prompt]!.rewards);
        const place = `reward variance ${figure(spread)}, rank ${rank.get(prompt)!} of ${before.length}; the first ${kept} go on`;
        const numbers = { variance: spread, rank: rank.get(prompt)!, kept, round: round + 1 };
        return stays.has(prompt)
          ? {
              prompt,
              action: 'launch',
              count,
              reasonCode: 'goes-on',
              reason: `Round ${round + 1}: ${place}, with ${counted(count, 'more rollout')} each.`,
              numbers,
            }
          : {
              prompt,
              action: 'launch',
              count: 0,
              reasonCode: 'falls-out',
              reason: `Round ${round + 1}: ${place}.`,
              numbers,
            };
      }),
    };
  },
});
