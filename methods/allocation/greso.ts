import { counted, figure } from '../figures';
import { numberOf } from '../parameters';
import type { Parameters } from '../parameters';
import { allocationMethod } from './allocator';
import type { AllocationRequest, RoundDecision, RoundView } from './allocator';
import { groupSize, groupsIn } from './choice';
import * as by from './gresoParameters';
import { gresoBatch, gresoDecides, gresoExploration, gresoKind, gresoSkip } from './gresoRules';
import type { GresoSkip } from './gresoRules';
import { numberIn, numbersIn } from './inputs';
import type { Memory } from './inputs';

/** What is carried from round to round. Counts are of this step; the two explore probabilities go on to the next. */
interface Progress {
  readonly easy: number;
  readonly hard: number;
  /** Next candidate to look at. */
  readonly cursor: number;
  /** Prompts launched in the round that is out. */
  readonly active: readonly number[];
  readonly last: boolean;
  readonly kept: number;
  readonly sampled: number;
  readonly easyGroups: number;
  readonly hardGroups: number;
}

const progressIn = (memory: Memory, parameters: Parameters): Progress => ({
  easy: numberIn(memory, 'easy', numberOf(parameters, by.explore)),
  hard: numberIn(memory, 'hard', numberOf(parameters, by.explore)),
  cursor: numberIn(memory, 'cursor', 0),
  active: numbersIn(memory, 'active') ?? [],
  last: memory['last'] === true,
  kept: numberIn(memory, 'kept', 0),
  sampled: numberIn(memory, 'sampled', 0),
  easyGroups: numberIn(memory, 'easyGroups', 0),
  hardGroups: numberIn(memory, 'hardGroups', 0),
});

/** Looks at candidates in order until the batch is full: launches and skips. */
function take(
  view: RoundView,
  progress: Progress,
  wanted: number,
  last: boolean,
): { requests: AllocationRequest[]; progress: Progress } {
  const { inputs, parameters, rng } = view;
  const size = numberOf(parameters, groupSize);
  const explore = { easy: progress.easy, hard: progress.hard, floor: numberOf(parameters, by.floor) };
  const thresholds = {
    correctFrom: numberOf(parameters, by.correctFrom),
    wrongTo: numberOf(parameters, by.wrongTo),
  };
  const requests: AllocationRequest[] = [];
  const active: number[] = [];
  let cursor = progress.cursor;
  for (; cursor < inputs.prompts.length && active.length < wanted; cursor++) {
    const trace = (inputs.prompts[cursor]!.history ?? []).map((group) => group.meanReward);
    const skip = gresoSkip(trace, explore, thresholds);
    const decided = gresoDecides(trace, skip, () => rng.float());
    const why = skipInWords(trace.length, skip, explore);
    const numbers = {
      skipProbability: 1 - (1 - skip.easyProbability) * (1 - skip.hardProbability),
      easyInRow: skip.easy,
      hardInRow: skip.hard,
    };
    if (decided === 'keep') {
      active.push(cursor);
      const tail = numbers.skipProbability > 0 ? '; the draw kept it' : '';
      requests.push({
        prompt: cursor,
        action: 'launch',
        count: size,
        reasonCode: 'sampled',
        reason: `${why}${tail}: ${counted(size, 'rollout')}.`,
        numbers,
      });
    } else {
      requests.push({
        prompt: cursor,
        action: 'skip',
        count: 0,
        reasonCode: decided,
        reason: `${why}; the draw skipped it.`,
        numbers,
      });
    }
  }
  return {
    requests,
    progress: { ...progress, cursor, active, last: last || cursor >= inputs.prompts.length },
  };
}

function skipInWords(
  groups: number,
  skip: GresoSkip,
  explore: { readonly easy: number; readonly hard: number; readonly floor: number },
): string {
  if (groups === 0) return 'Never sampled before, so never skipped';
  if (skip.easy === 0 && skip.hard === 0) return 'Its newest group was mixed, so it is not skipped';
  const [row, p, z, probability] =
    skip.easy > 0
      ? (['all-correct', explore.easy, skip.easy, skip.easyProbability] as const)
      : (['all-wrong', explore.hard, skip.hard, skip.hardProbability] as const);
  return (
    `${counted(z, `${row} group`)} in a row: skipped with probability ` +
    `1 − max(${figure(p)}^${z}, ${figure(explore.floor)}) = ${figure(probability)}`
  );
}

/** Judges the groups of the round that is out: drops those without variance and, once the batch is full, the surplus. */
function judge(
  view: RoundView,
  progress: Progress,
  groups: number,
): { requests: AllocationRequest[]; progress: Progress; zeroShare: number } {
  const { parameters, finished } = view;
  const requests: AllocationRequest[] = [];
  let { kept, easyGroups, hardGroups } = progress;
  let zero = 0;
  for (const prompt of progress.active) {
    const { rewards } = finished[prompt]!;
    const kind = gresoKind(
      rewards,
      numberOf(parameters, by.correctReward),
      numberOf(parameters, by.wrongReward),
    );
    if (kind === 'easy') easyGroups += 1;
    if (kind === 'hard') hardGroups += 1;
    const drop = { prompt, action: 'drop', count: rewards.length } as const;
    if (kind !== 'mixed') {
      zero += 1;
      const reward = rewards[0]!;
      requests.push({
        ...drop,
        reasonCode: 'zero-variance',
        reason: `All ${counted(rewards.length, 'reward')} are ${figure(reward)}: no gradient.`,
        numbers: { reward },
      });
    } else if (rewards.length === 0) {
      zero += 1;
    } else if (kept >= groups) {
      requests.push({
        ...drop,
        reasonCode: 'surplus',
        reason: `The batch of ${counted(groups, 'group')} is already full.`,
        numbers: { groups },
      });
    } else {
      kept += 1;
    }
  }
  const zeroShare = progress.active.length > 0 ? zero / progress.active.length : 1;
  return {
    requests,
    zeroShare,
    progress: {
      ...progress,
      kept,
      easyGroups,
      hardGroups,
      sampled: progress.sampled + progress.active.length,
    },
  };
}

/**
 * GRESO: prompts whose newest groups were all correct or all wrong are skipped with a probability that grows with how
 * many there were in a row; rounds of sampling until the training batch (budget / groupSize groups with variance) is
 * full; after the step the two exploration probabilities move by one step towards the aimed share of groups without
 * variance, from the second pass over the data on (arXiv 2506.02177 and its release). `inputs.prompts` are the
 * candidates in order; the step ends early when they run out.
 *
 * As in the release: "hard" in the shares are only groups whose rewards are all exactly `wrongReward`, and a round
 * estimated to suffice is the last one whatever it brings. The loader's batches and the rounding of a batch to the
 * number of devices are left out. A group of which nothing finished counts as without variance.
 */
export const greso = allocationMethod({
  id: 'greso',
  title: 'GRESO',
  summary:
    'Skips prompts whose newest groups had no variance, with growing probability, and samples until the batch is full.',
  family: 'skip',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2506.02177',
    equation: 'probabilistic pre-rollout filtering, adaptive sampling batch',
    code: 'Infini-AI-Lab/GRESO:verl/trainer/ttis/presampling_selector.py, verl/trainer/ppo/ray_trainer.py',
    commit: 'b277843154',
  },
  parameters: [groupSize, ...Object.values(by)],
  keepsTotal: false,
  needs: ['history', 'rewards'],
  uses: ['epoch'],
  caveats: [
    'As released, only groups whose rewards are all exactly the reward of a wrong answer in the right format count as hard.',
    'As released, a round that is estimated to suffice is the last one, whatever it brings.',
  ],
  decide: (view): RoundDecision => {
    const { inputs, parameters, round } = view;
    const size = numberOf(parameters, groupSize);
    const groups = groupsIn(inputs.budget, size);
    const before = progressIn(round === 0 ? onlyExploration(view.memory) : view.memory, parameters);
    if (round === 0) {
      const { requests, progress } = take(view, before, numberOf(parameters, by.batch), false);
      const done = progress.active.length === 0;
      return {
        requests,
        done,
        memory: { ...progress },
        shared: sharedOf(progress, groups),
        ...(done ? { carry: carryOf(view, progress) } : {}),
      };
    }
    const judged = judge(view, before, groups);
    if (judged.progress.kept >= groups || before.last) {
      return {
        requests: judged.requests,
        done: true,
        memory: { ...judged.progress },
        shared: sharedOf(judged.progress, groups),
        carry: carryOf(view, judged.progress),
      };
    }
    const next = gresoBatch(groups - judged.progress.kept, judged.zeroShare, {
      groupSize: size,
      safety: numberOf(parameters, by.safety),
      batch: numberOf(parameters, by.batch),
      minimum: numberOf(parameters, by.minimumBatch),
    });
    const taken = take(view, judged.progress, next.prompts, next.last);
    const done = taken.progress.active.length === 0;
    return {
      requests: [...judged.requests, ...taken.requests],
      done,
      memory: { ...taken.progress },
      shared: {
        ...sharedOf(taken.progress, groups),
        zeroVarianceShare: judged.zeroShare,
        nextPrompts: next.prompts,
      },
      ...(done ? { carry: carryOf(view, taken.progress) } : {}),
    };
  },
});

/** Of what another step left behind, only the exploration probabilities hold for this one. */
function onlyExploration(memory: Memory): Memory {
  const result: Record<string, number> = {};
  for (const name of ['easy', 'hard']) {
    const value = memory[name];
    if (typeof value === 'number') result[name] = value;
  }
  return result;
}

const sharedOf = ({ easy, hard, kept, sampled }: Progress, groups: number): Record<string, number> => ({
  exploreEasy: easy,
  exploreHard: hard,
  kept,
  groups,
  sampled,
});

function carryOf(
  { inputs, parameters }: RoundView,
  { easy, hard, easyGroups, hardGroups, sampled }: Progress,
): Memory {
  if ((inputs.epoch ?? 1) === 0 || sampled === 0) return { easy, hard };
  const next = gresoExploration(
    { easy, hard },
    { easy: easyGroups / sampled, hard: hardGroups / sampled },
    {
      target: numberOf(parameters, by.targetZeroVariance),
      step: numberOf(parameters, by.exploreStep),
      minimum: numberOf(parameters, by.exploreMinimum),
      maximum: numberOf(parameters, by.exploreMaximum),
    },
  );
  return { ...next };
}
