import { counted, figure } from '../figures';
import { integerParameter, numberOf, numberParameter, rolloutsParameter } from '../parameters';
import { allocationMethod } from './allocator';
import type { AllocationRequest, RoundDecision, RoundView } from './allocator';
import { groupsIn } from './choice';
import { numberIn, numbersIn } from './inputs';
import { numpyStandardDeviation } from './spread';

const groupSize = rolloutsParameter('groupSize', 16, 1, 'Rollouts of every sampled prompt (G).');
const roundFactor = numberParameter(
  'roundFactor',
  3,
  [1, 64],
  'Prompts sampled in each round, as a multiple of the training batch. Published: 1536 for a batch of 512.',
);
const maxRounds = integerParameter(
  'maxRounds',
  10,
  [0, 1000],
  'Rounds after which the release gives up (max_num_gen_batches); 0 for no limit.',
  'rounds',
);

/**
 * Whether a group stays for training: its standard deviation is above 0, or it has one rollout. As released, with the
 * rounding of numpy: some groups of equal rewards that are no binary fractions stay (0.1 three, six or seven times).
 */
export function dapoKeeps(rewards: readonly number[]): boolean {
  return rewards.length === 1 || (rewards.length > 0 && numpyStandardDeviation(rewards) > 0);
}

/** What follows a round: the batch is full, another round, or the release's error. */
export function dapoStatus(
  keptGroups: number,
  groups: number,
  rounds: number,
  limit: number,
): 'filled' | 'go-on' | 'gave-up' {
  if (keptGroups >= groups) return 'filled';
  return limit <= 0 || rounds < limit ? 'go-on' : 'gave-up';
}

/**
 * DAPO dynamic sampling: rounds of whole groups; groups without spread are left out; rounds go on until the training
 * batch (budget / groupSize groups) is full, and what is beyond it is thrown away (Yu et al., arXiv 2503.14476;
 * verl-recipe dapo/dapo_ray_trainer.py). `inputs.prompts` are the candidates in order. Where the release raises an
 * error, at the limit of rounds, this answers with what was kept and says so; likewise when the candidates run out.
 * The cut is made in rollouts, as in the release, so an uneven group at the end may stay in part.
 */
export const dapo = allocationMethod({
  id: 'dapo',
  title: 'DAPO dynamic sampling',
  summary: 'Samples whole groups in rounds and drops those without spread, until the training batch is full.',
  family: 'drop',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2503.14476',
    equation: 'dynamic sampling',
    code: 'verl-project/verl-recipe:dapo/dapo_ray_trainer.py:RayDAPOTrainer.fit',
    commit: '48ea0a797f',
  },
  parameters: [groupSize, roundFactor, maxRounds],
  keepsTotal: false,
  needs: ['rewards'],
  uses: [],
  decide: (view): RoundDecision => {
    const { inputs, parameters, memory } = view;
    const size = numberOf(parameters, groupSize);
    const groups = groupsIn(inputs.budget, size);
    const perRound = Math.max(1, Math.round(numberOf(parameters, roundFactor) * groups));
    const judged = judge(view, groups, size);
    const status =
      view.round === 0
        ? 'go-on'
        : dapoStatus(judged.kept, groups, view.round, numberOf(parameters, maxRounds));
    const cursor = view.round === 0 ? 0 : numberIn(memory, 'cursor', 0);
    const shared = { groups, kept: judged.kept, round: view.round };
    if (status !== 'go-on' || cursor >= inputs.prompts.length) {
      return { requests: judged.requests, done: true, shared, ...remark(status, judged.kept, groups, view) };
    }
    const active = inputs.prompts.slice(cursor, cursor + perRound).map((_, i) => cursor + i);
    const missing = counted(groups - judged.kept, 'group');
    return {
      requests: [
        ...judged.requests,
        ...active.map((prompt): AllocationRequest => ({
          prompt,
          action: 'launch',
          count: size,
          reasonCode: 'sampled',
          reason: `Round ${view.round + 1}: ${missing} of ${groups} still missing, so ${counted(active.length, 'prompt')} are sampled with ${counted(size, 'rollout')} each.`,
          numbers: { round: view.round + 1, missing: groups - judged.kept },
        })),
      ],
      done: false,
      shared,
      memory: { cursor: cursor + active.length, active, kept: judged.kept, rollouts: judged.rollouts },
    };
  },
});

/** Judges the groups of the round that is out, in order. */
function judge(
  { round, finished, memory }: RoundView,
  groups: number,
  size: number,
): { requests: AllocationRequest[]; kept: number; rollouts: number } {
  const requests: AllocationRequest[] = [];
  if (round === 0) return { requests, kept: 0, rollouts: 0 };
  let kept = numberIn(memory, 'kept', 0);
  let rollouts = numberIn(memory, 'rollouts', 0);
  for (const prompt of numbersIn(memory, 'active') ?? []) {
    const { rewards } = finished[prompt]!;
    const count = rewards.length;
    if (count === 0) continue;
    if (!dapoKeeps(rewards)) {
      requests.push({
        prompt,
        action: 'drop',
        count,
        reasonCode: 'zero-variance',
        reason: `All ${counted(count, 'reward')} are ${figure(rewards[0]!)}: no gradient.`,
        numbers: { reward: rewards[0]!, spread: 0 },
      });
      continue;
    }
    kept += 1;
    const room = Math.max(0, groups * size - rollouts);
    rollouts += count;
    if (room < count) {
      requests.push({
        prompt,
        action: 'drop',
        count: count - room,
        ...(room > 0 ? { rollouts: Array.from({ length: count - room }, (_, i) => room + i) } : {}),
        reasonCode: 'surplus',
        reason: `The batch of ${counted(groups, 'group')} is full with ${counted(groups * size, 'rollout')} before it: ${count - room} of ${count} are thrown away.`,
        numbers: { groups, room },
      });
    }
  }
  return { requests, kept, rollouts };
}

function remark(
  status: ReturnType<typeof dapoStatus>,
  kept: number,
  groups: number,
  { round }: RoundView,
): { remark?: string } {
  if (status === 'filled') return {};
  const have = `${kept} of ${counted(groups, 'group')} have a spread after ${counted(round, 'round')}`;
  return {
    remark:
      status === 'gave-up'
        ? `${have}: the release stops the job with an error here, because the data may be too hard or too easy.`
        : `${have} and no candidate is left: the batch stays short.`,
  };
}
