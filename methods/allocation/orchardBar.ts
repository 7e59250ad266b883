import { counted, figure } from '../figures';
import { numberOf, numberParameter, rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest, RoundDecision } from './allocator';
import { numbersIn } from './inputs';
import { barAssemble, barPadded } from './orchardAssembly';
import type { BarGroup, BarOptions } from './orchardAssembly';
import type { FinishedRollouts } from './outcomes';

const groupSize = rolloutsParameter('groupSize', 8, 1, 'Rollouts of the group that is trained on (N).');
const most = rolloutsParameter('most', 16, 1, 'Most rollouts of a prompt (N_max).');
const stride = rolloutsParameter(
  'stride',
  16,
  1,
  'Rollouts that are sampled before the next look (s). The reported run samples all at once.',
);
const target = numberParameter(
  'target',
  0.5,
  [0, 1],
  'Share of rewards above 0 in the group that is aimed at (rho).',
);
const leastShare = numberParameter(
  'leastShare',
  0.375,
  [0, 1],
  'Lowest share with which sampling stops early (rho_min).',
);
const mostShare = numberParameter(
  'mostShare',
  0.625,
  [0, 1],
  'Highest share with which sampling stops early (rho_max).',
);

type Stage = 'balanced' | 'unbalanced' | 'padded';

/** Requests for a prompt whose sampling is over: the end, and what stays out of training. */
function closing(
  prompt: number,
  ended: FinishedRollouts,
  group: BarGroup,
  stage: Stage,
  by: BarOptions,
): AllocationRequest[] {
  const all = ended.rewards.length;
  const { positives, usable } = group;
  const size = group.rollouts.length;
  const numbers = { rollouts: all, positives, usable, size };
  const what = {
    balanced: `${positives} of ${size} rewards are above 0, within ${figure(by.least)} to ${figure(by.most)}`,
    unbalanced: `no balanced group among ${all} rollouts, so one with ${positives} of ${size} rewards above 0`,
    padded: `only ${usable} of ${size} completed, the others fill the group up`,
  }[stage];
  const requests: AllocationRequest[] = [
    {
      prompt,
      action: 'stop',
      count: 0,
      reasonCode: stage,
      reason: `After ${counted(all, 'rollout')}: ${what}.`,
      numbers,
    },
  ];
  if (positives === 0 || positives === size) {
    requests.push({
      prompt,
      action: 'drop',
      count: all,
      reasonCode: 'no-signal',
      reason: `The ${size} rollouts of the group are all ${positives === 0 ? 'without' : 'with'} a reward above 0: no gradient.`,
      numbers,
    });
  } else if (all > size) {
    const inGroup = new Set(group.rollouts);
    const rollouts = ended.rewards.flatMap((_, i) => (inGroup.has(i) ? [] : [i]));
    requests.push({
      prompt,
      action: 'drop',
      count: rollouts.length,
      rollouts,
      reasonCode: 'surplus',
      reason: `The group takes the shortest ${size} of ${all} rollouts with its balance: ${rollouts.length} stay out.`,
      numbers,
    });
  }
  return requests;
}

/**
 * Orchard BAR, balanced adaptive rollout: samples in strides until a group with a balanced share of rewards above 0 can
 * be put together, from the shortest of each kind; else takes what there is; groups without any contrast are dropped
 * (arXiv 2605.15040v1, algorithm 1). `inputs.budget` is not read. That dropped groups are replaced from other prompts
 * is left to the run.
 */
export const orchardBar = allocationMethod({
  id: 'orchard-bar',
  title: 'Orchard BAR',
  summary: 'Samples in strides until a group with a balanced share of successes can be put together.',
  family: 'second-stage',
  confidence: 'exact',
  source: { paper: 'arXiv 2605.15040v1', equation: 'algorithm 1', code: '', commit: '' },
  parameters: [groupSize, most, stride, target, leastShare, mostShare],
  keepsTotal: false,
  needs: ['rewards', 'tokens', 'endings'],
  uses: [],
  caveats: [
    'The order in which a group is padded with rollouts that did not complete is a reading: aborted before timed out, short before long.',
    'Groups that are dropped are not replaced here: the published run does it from over-sampled prompts.',
  ],
  decide: ({ inputs, parameters, round, finished, asked, memory }): RoundDecision => {
    const by = {
      size: numberOf(parameters, groupSize),
      target: numberOf(parameters, target),
      least: numberOf(parameters, leastShare),
      most: numberOf(parameters, mostShare),
    };
    const cap = numberOf(parameters, most);
    const step = numberOf(parameters, stride);
    if (cap < by.size)
      throw new Refusal('bad-parameter', `most is ${cap}, below groupSize, which is ${by.size}.`);
    if (by.least > by.most)
      throw new Refusal('bad-parameter', `leastShare is ${by.least}, above mostShare, which is ${by.most}.`);
    const active =
      round === 0 ? inputs.prompts.map((_, prompt) => prompt) : (numbersIn(memory, 'active') ?? []);
    const going: number[] = [];
    const requests = active.flatMap((prompt): AllocationRequest[] => {
      const ended = finished[prompt]!;
      const balanced = round === 0 ? undefined : barAssemble(ended, by);
      if (balanced !== undefined) return closing(prompt, ended, balanced, 'balanced', by);
      const left = cap - asked[prompt]!;
      if (left <= 0) {
        if (ended.rewards.length === 0) return [];
        const relaxed = barAssemble(ended, { ...by, least: 0, most: 1 });
        return relaxed === undefined
          ? closing(prompt, ended, barPadded(ended, by), 'padded', by)
          : closing(prompt, ended, relaxed, 'unbalanced', by);
      }
      going.push(prompt);
      const count = Math.min(step, left);
      const positives = ended.rewards.filter((reward) => reward > 0).length;
      return [
        {
          prompt,
          action: 'launch',
          count,
          reasonCode: round === 0 ? 'first-stride' : 'no-balance',
          reason:
            round === 0
              ? `First stride: ${counted(count, 'rollout')} of at most ${cap}.`
              : `${positives} of ${counted(ended.rewards.length, 'reward')} are above 0, no balanced group of ${by.size} yet: ${count} more.`,
          numbers: { rollouts: ended.rewards.length, positives },
        },
      ];
    });
    return {
      requests,
      done: going.length === 0,
      memory: { active: going },
      shared: { groupSize: by.size, most: cap, active: going.length },
    };
  },
});
