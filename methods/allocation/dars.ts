import { counted, figure } from '../figures';
import {
  booleanOf,
  booleanParameter,
  choiceOf,
  choiceParameter,
  numberOf,
  numberParameter,
  rolloutsParameter,
} from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest, RoundView } from './allocator';
import { meanReward } from './outcomes';
import type { FinishedRollouts } from './outcomes';

export type DarsSchedule = 'equal-treatment' | 'hardness-weighted';

const schedule = choiceParameter(
  'schedule',
  'equal-treatment',
  ['equal-treatment', 'hardness-weighted'],
  'Equal treatment (ET) lifts every prompt to the same weight; hardness-weighted (HW) lifts hard ones further.',
);
const firstStage = rolloutsParameter(
  'firstStage',
  8,
  1,
  'Rollouts of every prompt before the accuracy is judged (N).',
);
const most = rolloutsParameter(
  'most',
  32,
  1,
  'Most rollouts of a prompt over both stages (N_max). Published: 32 with equal treatment, 64 hardness-weighted.',
);
const standardised = booleanParameter(
  'standardised',
  false,
  'Advantages are divided by the standard deviation (grpo_use_std), which changes the weight that is equalised.',
);
const keepBelow = numberParameter(
  'keepBelow',
  1,
  [0, 1],
  'A group is kept for training if its accuracy over both stages lies strictly between 0 and this.',
);

/** How much DARS adds to a prompt, and from what. */
export interface DarsAddition {
  readonly added: number;
  /** Accuracy used: a prompt without any success counts as 0.5 / N. */
  readonly accuracy: number;
  /** Weight of one rollout of the prompt in the update, S, and the weight the prompt is lifted to. */
  readonly weight: number;
  readonly goal: number;
}

/**
 * Rollouts to add after N with mean reward `accuracy`: ET ⌈(peak − N·S)/S⌉, HW ⌈(2(1−acc)·peak − N·S)/S⌉, with
 * S = 2·acc·(1−acc) and peak N/2, or S = 2·√(acc·(1−acc)) and peak N when standardised; none from acc = 0.5 on.
 * Double precision throughout; the trainer's single-precision means can move the ceiling by one in rare cases. As
 * in the release there is no lower bound: with `most` < N the answer is negative.
 */
export function darsAddition(
  accuracy: number,
  {
    rule,
    rollouts,
    most: cap,
    standardised: std,
  }: { rule: DarsSchedule; rollouts: number; most: number; standardised: boolean },
): DarsAddition {
  const acc = accuracy <= 1e-6 ? 0.5 / rollouts : accuracy;
  const peak = std ? rollouts : 0.5 * rollouts;
  if (acc >= 0.5) return { added: Math.min(0, cap - rollouts), accuracy: acc, weight: 0, goal: peak };
  const weight = std ? 2 * Math.sqrt(acc * (1 - acc)) : 2 * acc * (1 - acc);
  const goal = rule === 'equal-treatment' ? peak : 2 * (1 - acc) * peak;
  const added = Math.ceil((goal - rollouts * weight) / weight);
  return { added: Math.min(added, cap - rollouts), accuracy: acc, weight, goal };
}

/** Whether DARS trains on a group with this accuracy over both stages. */
export function darsKeeps(accuracy: number, below: number): boolean {
  return accuracy > 0 && accuracy < below;
}

/** Mean reward as an accuracy. Throws a Refusal if it is none, because a reward lies outside 0 .. 1. */
function accuracyOf(ended: FinishedRollouts, prompt: number): number {
  const bad = ended.rewards.find((reward) => reward < 0 || reward > 1);
  if (bad === undefined) return meanReward(ended);
  throw new Refusal(
    'bad-reward',
    `DARS reads the mean reward as an accuracy, so rewards must lie between 0 and 1; one was ${figure(bad)}.`,
    [prompt],
  );
}

/**
 * DARS: N rollouts of every prompt; then more for those below an accuracy of one half, so that the cumulative
 * advantage of hard prompts is not smaller than that of medium ones; then groups that are all wrong or too easy are
 * left out (arXiv 2508.13755, equal treatment and hardness-weighted schedules). `inputs.budget` is not read: the
 * total follows from the outcomes. A prompt of which nothing finished in the first stage gets nothing more.
 */
export const dars = allocationMethod({
  id: 'dars',
  title: 'DARS',
  summary: 'A second stage adds rollouts to prompts with an accuracy below one half, the more the harder.',
  family: 'second-stage',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2508.13755',
    equation: 'schedules ET and HW',
    code: 'yangzhch6/DARS:verl/verl/trainer/ppo/ray_dars_trainer.py:schedule_ET, schedule_HW',
    commit: '9b21b71486',
  },
  parameters: [schedule, firstStage, most, standardised, keepBelow],
  keepsTotal: false,
  needs: ['rewards'],
  uses: [],
  caveats: [
    'In double precision; the trainer’s single-precision means can move a count by one in rare cases.',
    'DARS-B, the same with updates over the whole batch, changes the training and not the counts.',
  ],
  decide: (view) => {
    if (view.round === 0) return { done: false, requests: firstRequests(view) };
    if (view.round === 1) return { done: false, requests: additions(view) };
    return { done: true, requests: drops(view) };
  },
});

function firstRequests({ inputs, parameters }: RoundView): AllocationRequest[] {
  const count = numberOf(parameters, firstStage);
  return inputs.prompts.map((_, prompt) => ({
    prompt,
    action: 'launch',
    count,
    reasonCode: 'first-stage',
    reason: `First stage: ${counted(count, 'rollout')} of every prompt, to see how hard it is.`,
    numbers: { firstStage: count },
  }));
}

function additions({ finished, parameters }: RoundView): AllocationRequest[] {
  const rule = choiceOf(parameters, schedule) === 'equal-treatment' ? 'equal-treatment' : 'hardness-weighted';
  const rollouts = numberOf(parameters, firstStage);
  const cap = numberOf(parameters, most);
  return finished.map((ended, prompt): AllocationRequest => {
    if (ended.rewards.length === 0) {
      return {
        prompt,
        action: 'launch',
        count: 0,
        reasonCode: 'nothing-finished',
        reason: 'None of its first rollouts finished, so there is no accuracy to judge by: none added.',
        numbers: {},
      };
    }
    const observed = accuracyOf(ended, prompt);
    const addition = darsAddition(observed, {
      rule,
      rollouts,
      most: cap,
      standardised: booleanOf(parameters, standardised),
    });
    const { accuracy, weight, goal } = addition;
    const count = Math.max(0, addition.added);
    const numbers = { accuracy: observed, weight, goal, firstStage: rollouts, most: cap };
    const common = { prompt, action: 'launch' as const, count, numbers };
    if (accuracy >= 0.5) {
      return {
        ...common,
        reasonCode: 'easy-enough',
        reason: `Accuracy ${figure(observed)}, one half or more: none added.`,
      };
    }
    const sum = `(${figure(goal)} − ${rollouts} · ${figure(weight)}) / ${figure(weight)}`;
    const from =
      observed <= 1e-6
        ? `No success, counted as accuracy ${figure(accuracy)}`
        : `Accuracy ${figure(observed)}`;
    return addition.added === cap - rollouts
      ? {
          ...common,
          reasonCode: 'at-most',
          reason: `${from}: ${sum} asks for ${counted(count, 'more rollout')} or more; ${cap} are the most.`,
        }
      : {
          ...common,
          reasonCode: 'lifted',
          reason: `${from}: ${sum} rounds up to ${counted(count, 'more rollout')}.`,
        };
  });
}

function drops({ finished, parameters }: RoundView): AllocationRequest[] {
  const below = numberOf(parameters, keepBelow);
  return finished.flatMap((ended, prompt): AllocationRequest[] => {
    const count = ended.rewards.length;
    if (count === 0) return [];
    const accuracy = accuracyOf(ended, prompt);
    if (darsKeeps(accuracy, below)) return [];
    return [
      {
        prompt,
        action: 'drop',
        count,
        reasonCode: accuracy > 0 ? 'too-easy' : 'all-wrong',
        reason:
          accuracy > 0
            ? `Accuracy ${figure(accuracy)} over both stages is not below ${figure(below)}: the group is not trained on.`
            : `None of ${counted(count, 'rollout')} over both stages succeeded: the group is not trained on.`,
        numbers: { accuracy, keepBelow: below },
      },
    ];
  });
}
