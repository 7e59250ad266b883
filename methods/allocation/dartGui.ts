import { counted, figure } from '../figures';
import { numberOf, numberParameter, rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';
import type { PastGroup } from './inputs';

const full = rolloutsParameter('full', 8, 1, 'Rollouts of a task below the threshold (rollout_n).');
const threshold = numberParameter(
  'threshold',
  1,
  [1e-6, 1],
  'Success rate from which on a task gets fewer. The code’s default is 1; its constants are made for 0.6, which gives 8.',
);
const least = rolloutsParameter(
  'least',
  1,
  1,
  'Fewest rollouts of a task at or above the threshold (min_rollout_n).',
);

/**
 * Rollouts at a success rate: `full` below the threshold, else max(least, ⌊9 / rate − 7⌋) rounded towards 0. As
 * released this is not cut at `full`, nor is `full` raised to `least`.
 */
export function dartGuiCount(
  rate: number,
  by: { readonly full: number; readonly threshold: number; readonly least: number },
): number {
  return rate < by.threshold ? by.full : Math.max(by.least, Math.trunc(9 / rate - 7));
}

/**
 * Success rate over the newest rollouts, as many as the task's dynamic number was: its newest group. Rewards below 0
 * are left out after that; nothing left, or never sampled: 0.
 */
export function dartGuiRate(history: readonly PastGroup[]): number {
  const newest = history.at(-1);
  if (newest === undefined) return 0;
  if (newest.rewards === undefined) return newest.meanReward;
  const valid = newest.rewards.filter((reward) => reward >= 0);
  return valid.length === 0 ? 0 : valid.reduce((sum, reward) => sum + reward, 0) / valid.length;
}

/**
 * DART-GUI, the dynamic number of rollouts: fewer for tasks that succeed often (dart_rollouter, get_dynamic_rollout_n).
 * `inputs.budget` is not read. The dynamic length of trajectories is left out: only its statement was read.
 */
export const dartGui = allocationMethod({
  id: 'dart-gui',
  title: 'DART-GUI',
  summary: 'Fewer rollouts for tasks whose newest rollouts succeed often.',
  family: 'by-difficulty',
  confidence: 'exact',
  source: {
    paper: '',
    equation: 'dynamic rollout number',
    code: 'Computer-use-agents/dart_rollouter:src/core/task_loader.py:get_dynamic_rollout_n',
    commit: '2e695f038f',
  },
  parameters: [full, threshold, least],
  keepsTotal: false,
  needs: ['history'],
  uses: [],
  caveats: [
    'The dynamic length of trajectories is left out: its rule was not read.',
    'With the code’s threshold of 1 only tasks that always succeed get fewer; the constants are made for 0.6.',
    'Where rewards are recorded as their mean only, failures marked by a reward below 0 cannot be left out.',
  ],
  decide: ({ inputs, parameters }) => {
    const by = {
      full: numberOf(parameters, full),
      threshold: numberOf(parameters, threshold),
      least: numberOf(parameters, least),
    };
    return {
      done: true,
      shared: by,
      requests: inputs.prompts.map(({ history = [] }, prompt): AllocationRequest => {
        const rate = dartGuiRate(history);
        if (rate < 0 || rate > 1) {
          throw new Refusal(
            'bad-reward',
            `DART-GUI reads the mean reward as a success rate, so rewards must lie between 0 and 1; a group has a mean of ${figure(rate)}.`,
            [prompt],
          );
        }
        const count = dartGuiCount(rate, by);
        const numbers = { rate, ...by };
        const seen =
          history.length === 0
            ? 'Never sampled, counted as a rate of 0'
            : `A rate of ${figure(rate)} in its newest group`;
        if (rate < by.threshold) {
          return {
            prompt,
            action: 'launch',
            count,
            reasonCode: 'below-threshold',
            reason: `${seen}, below ${figure(by.threshold)}: ${counted(count, 'rollout')}.`,
            numbers,
          };
        }
        const raw = Math.trunc(9 / rate - 7);
        return {
          prompt,
          action: 'launch',
          count,
          reasonCode: raw < by.least ? 'at-least' : 'succeeds-often',
          reason: `${seen}: 9 / ${figure(rate)} − 7 is cut to ${raw}${raw < by.least ? `, raised to the least, ${by.least}` : ''}: ${counted(count, 'rollout')}.`,
          numbers: { ...numbers, raw },
        };
      }),
    };
  },
});
