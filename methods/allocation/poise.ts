import { counted, figure } from '../figures';
import { numberOf, rolloutsParameter } from '../parameters';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';

const groupSize = rolloutsParameter(
  'groupSize',
  2,
  2,
  'Rollouts of every prompt; the released code allows more than 2.',
);

/**
 * For each value of a group the mean of the others, (sum − own)/(size − 1), in single precision as released: with two
 * rollouts it can differ from the other value in the last place. Throws nothing; NaN below two values.
 */
export function siblingMeans(values: readonly number[]): number[] {
  const single = values.map(Math.fround);
  const sum = single.reduce((total, value) => Math.fround(total + value), 0);
  return single.map((value) => Math.fround(Math.fround(sum - value) / (single.length - 1)));
}

/** What the probe is trained towards: the mean reward of the siblings, or of the whole group. */
export function poiseTargets(
  rewards: readonly number[],
  mode: 'other_rollout_correctness' | 'pair_average',
): number[] {
  if (mode === 'other_rollout_correctness') return siblingMeans(rewards);
  const sum = rewards.reduce((total, reward) => Math.fround(total + Math.fround(reward)), 0);
  return rewards.map(() => Math.fround(sum / rewards.length));
}

/** Reward minus baseline in single precision, before any scaling. */
export function poiseAdvantages(rewards: readonly number[], baselines: readonly number[]): number[] {
  return rewards.map((reward, i) => Math.fround(Math.fround(reward) - baselines[i]!));
}

/**
 * POISE: two rollouts of every prompt, each compared with what a probe on the hidden states of the other one predicts, so
 * that the baseline does not depend on the rollout it is for (arXiv 2605.07579). `inputs.budget` is not read. Where
 * fewer than two rollouts of a prompt ended there is no sibling, and the group is left out of training.
 */
export const poise = allocationMethod({
  id: 'poise',
  title: 'POISE',
  summary:
    'Two rollouts for every prompt, each with the baseline that the other one’s hidden states predict.',
  family: 'baseline',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2605.07579',
    equation: 'cross-rollout baseline',
    code: 'holi-lab/POISE:src/poise/core.py:compute_group_targets_and_cross_baselines',
    commit: '511641e974',
  },
  parameters: [groupSize],
  keepsTotal: false,
  needs: ['predictions'],
  uses: [],
  decide: ({ inputs, parameters, round, finished }) => {
    const size = numberOf(parameters, groupSize);
    if (round === 0) {
      return {
        done: false,
        shared: { groupSize: size },
        requests: inputs.prompts.map((_, prompt) => ({
          prompt,
          action: 'launch',
          count: size,
          reasonCode: 'siblings',
          reason: `Every prompt gets ${counted(size, 'rollout')}, each the baseline of the others.`,
          numbers: { groupSize: size },
        })),
      };
    }
    return {
      done: true,
      shared: { groupSize: size },
      requests: finished.flatMap(({ rewards, predictions }, prompt): AllocationRequest[] => {
        const count = rewards.length;
        if (count === 0) return [];
        if (count === 1) {
          return [
            {
              prompt,
              action: 'drop',
              count,
              reasonCode: 'no-sibling',
              reason: 'Only 1 of its rollouts ended: without a sibling it has no baseline.',
              numbers: { rollouts: count },
            },
          ];
        }
        const baselines = siblingMeans(predictions);
        const advantages = poiseAdvantages(rewards, baselines);
        return [
          {
            prompt,
            action: 'baseline',
            count,
            values: baselines,
            reasonCode: 'sibling-prediction',
            reason:
              `Its first rollout got ${figure(rewards[0]!)} where its siblings predict ${figure(baselines[0]!)}: ` +
              `an advantage of ${figure(advantages[0]!)}; ${count} rollouts in all.`,
            numbers: {
              firstReward: rewards[0]!,
              firstBaseline: baselines[0]!,
              firstAdvantage: advantages[0]!,
            },
          },
        ];
      }),
    };
  },
});
