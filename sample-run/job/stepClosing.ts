import type { TrainedRollout, UpdateStats } from '../training/grpoTrainer';
import { creditGroup } from './creditStage';
import { giveUpRest, type Generation } from './generation';
import type { JobState } from './jobState';
import type { StepPlan } from './planner';
import { countGroup, endedByItself, isFinished, isTrain, verdictOf, type GroupRecord } from './records';
import { publishMetrics, stepFigures, type StepTimes } from './stepTotals';

/** Share of closed groups without gradient from which a finding says so, and least groups for it. */
const MANY_ZERO = 0.6;
const LEAST_GROUPS = 4;

/** Closes the groups of a step with their counts and credits them. @returns what is trained on. */
export function closeGroups(
  job: JobState,
  groups: readonly GroupRecord[],
  generation: Generation,
  plan: StepPlan,
): TrainedRollout[] {
  const { publisher } = job;
  return groups.flatMap((group) => {
    giveUpRest(group);
    group.closed = true;
    const drop = generation.dropped.get(group);
    if (drop) {
      const { reason, decision, rollouts } = drop;
      for (const rollout of group.rollouts.filter(isFinished)) {
        if (rollouts !== null && !rollouts.has(rollout)) continue;
        rollout.discarded = reason;
        publisher.add('rolloutDiscarded', { rollout: rollout.id, reason, decision });
      }
    }
    const whole = drop?.rollouts === null ? drop : undefined;
    const credited =
      verdictOf(group).kind === 'gradient' ? creditGroup(group, plan.methods.credit, publisher) : [];
    publisher.add('groupClosed', {
      group: group.id,
      ...closingCounts(group),
      usedInStep: credited.length > 0 ? plan.step : null,
      reason: whole?.reason,
      decision: whole?.decision,
    });
    recordResult(job, group);
    return credited;
  });
}

function closingCounts(group: GroupRecord) {
  const { launched, finished, discarded, killed } = countGroup(group);
  // A step ends when all its rollouts have: nothing is carried over.
  return { launched, finished, discarded, killed, carriedOver: 0 };
}

/** What was left out of training counts too: that a group had one outcome only says most of its prompt. */
function recordResult(job: JobState, group: GroupRecord): void {
  const finished = group.rollouts.filter((rollout) => isTrain(rollout) && endedByItself(rollout));
  const rewardsOf = (rollouts: typeof finished): number[] =>
    rollouts.map(({ verdict }) => verdict?.reward ?? 0);
  // Rewards are 0 or 1: successes, Σ r and Σ r² are one number.
  const sum = rewardsOf(finished).reduce((total, reward) => total + reward, 0);
  job.statistics.record(group.task.id, group.task.level, {
    group: group.id,
    step: group.step,
    policyVersion: job.policyVersion,
    planned: group.planned,
    n: finished.length,
    c: sum,
    sumReward: sum,
    sumReward2: sum,
    rootRewards: rewardsOf(finished.filter(({ node }) => node.parent === null)),
  });
}

export function closeStep(
  job: JobState,
  step: number,
  groups: readonly GroupRecord[],
  times: StepTimes,
  update: UpdateStats | null,
  tokens: number,
): void {
  const figures = stepFigures(groups);
  publishMetrics(job.publisher, step, figures, times, update);
  job.publisher.add('stepClosed', {
    step,
    policyVersion: job.policyVersion,
    seconds: Math.round(times.seconds * 1000) / 1000,
    tokens,
    updates: update?.optimizerSteps ?? 0,
  });
  job.estimates.recordStep(figures.launched, figures.tokens, times.seconds);
  if (figures.finished > 0) job.statistics.recordFailures(1 - figures.meanReward);
  const { zeroGradientGroups: zero, closedGroups: closed } = figures;
  const share = closed > 0 ? zero / closed : 0;
  sayZeroGradient(job, step, zero, closed, share);
  job.breakpoints.check(step, {
    zeroGradientShare: { value: share, what: 'it was' },
    entropy: { value: figures.meanEntropy, what: 'it was' },
    reward: { value: figures.meanReward, what: 'it was' },
    stepSeconds: { value: times.seconds, what: 'it took' },
  });
  job.doneStep = step;
  job.openStep = null;
  job.memory.trim(step);
}

function sayZeroGradient(job: JobState, step: number, zero: number, groups: number, share: number): void {
  const { findings, control } = job;
  if (groups < LEAST_GROUPS || share < MANY_ZERO) {
    findings.close('zero-gradient', step);
    return;
  }
  const lever = {
    label: 'Allocate by Knapsack-RL',
    action: 'setMethod' as const,
    params: { kind: 'allocation', method: 'knapsack-rl-published' },
  };
  findings.raise('zero-gradient', step, {
    code: 'zeroGradientGroups',
    severity: 'warning',
    title: `${zero} of ${groups} groups gave no gradient`,
    evidence: `In step ${step} all rewards were equal in ${zero} of ${groups} closed groups (${Math.round(share * 100)} %). Their rollouts taught nothing.`,
    ...(control.methods.allocation.method.startsWith('knapsack-rl') ? {} : { levers: [lever] }),
  });
}
