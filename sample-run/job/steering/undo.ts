import type { SteeringParams } from '../../../protocol/wire/steering';
import { type Inverse } from '../controlState';
import type { JobState } from '../jobState';
import { titleOf } from '../methodTable';
import { countGroup, endedByItself, isRunning, isTrain, type RolloutRecord } from '../records';
import { setPins } from './allocate';
import { setGroupBudgets } from './allocateGroup';
import { setNodeCaps } from './allocateNode';
import { addBreakpoint, removeBreakpoint } from './breaks';
import { setSkips } from './methodAndSkip';
import { latchState, setLatch } from './pause';
import { counted, Refused, type Proposal } from './proposal';

/** The opposite of an earlier request, from now on. */
export function proposeUndo(job: JobState, params: SteeringParams<'undo'>): Proposal {
  const entry = job.control.commands.find(([id]) => id === params.undoes)?.[1];
  if (!entry)
    throw new Refused('unknownSubject', `No request ${params.undoes} is on record. Nothing was changed.`);
  if (!entry.inverse)
    throw new Refused('alreadySo', 'That request was refused; there is nothing to take back.');
  if (entry.undone) throw new Refused('alreadySo', 'That request was taken back already.');
  const { sentence, act } = actOf(job, entry.inverse, params);
  return {
    sentence,
    subjects: [],
    before: { request: params.undoes },
    undoes: params.undoes,
    inverse: { kind: 'none', why: 'To take back an undo, send the request again.' },
    apply: () => {
      act();
      entry.undone = true;
      return [];
    },
  };
}

function actOf(
  job: JobState,
  inverse: Inverse,
  params: SteeringParams<'undo'>,
): { sentence: string; act: () => void } {
  switch (inverse.kind) {
    case 'none':
      throw new Refused('unsupported', inverse.why);
    case 'latch': {
      const { target, before } = inverse;
      if (target.type === 'node' && !job.memory.node(target.id ?? '')) {
        throw new Refused('ended', `${target.id ?? ''} has ended. Nothing was changed.`);
      }
      const what = target.type === 'run' ? 'The run’s latch' : `The latch of ${target.id ?? ''}`;
      return {
        sentence: `${what} is ${String(latchState(before)['latch'])} again.`,
        act: () => setLatch(job, target, before),
      };
    }
    case 'step':
      return {
        sentence: `The run’s latch is ${String(latchState(inverse.before)['latch'])} again.`,
        act: () => {
          job.control.stepsLeft = inverse.stepsLeft;
          job.latches.setRun(inverse.before);
        },
      };
    case 'pins':
      return {
        sentence: `From step ${job.nextStep} on the budgets are as they were before.`,
        act: () => setPins(job.control, inverse.before),
      };
    case 'groups':
      return undoGroups(job, inverse.step, inverse.before, params);
    case 'nodeCaps':
      return { sentence: 'The caps are as they were before.', act: () => setNodeCaps(job, inverse.before) };
    case 'skips':
      return {
        sentence: `From step ${job.nextStep} on the prompts are planned as before.`,
        act: () => setSkips(job.control, inverse.before),
      };
    case 'method':
      return {
        sentence: `From step ${job.nextStep} on ${inverse.which} is by ${titleOf(inverse.which, inverse.before.method)} again.`,
        act: () => {
          job.control.methods[inverse.which] = inverse.before;
        },
      };
    case 'fork':
      return undoFork(job, inverse.rollouts, params);
    case 'breakAdd':
      return {
        sentence: `${inverse.breakpoint} is removed.`,
        act: () => removeBreakpoint(job, inverse.breakpoint),
      };
    case 'breakRemove':
      return {
        sentence: `${inverse.breakpoint.id} is there again.`,
        act: () => addBreakpoint(job, inverse.breakpoint),
      };
  }
}

function undoGroups(
  job: JobState,
  step: number,
  before: Readonly<Record<string, number>>,
  params: SteeringParams<'undo'>,
): { sentence: string; act: () => void } {
  if (step !== job.openStep) {
    throw new Refused('ended', `Step ${step} is over; its budgets cannot change any more.`);
  }
  const budgets = new Map(
    Object.entries(before).flatMap(([id, planned]) => {
      const group = job.memory.groups.get(id);
      if (!group || group.closed) return [];
      return [[group, Math.max(planned, countGroup(group).launched)] as const];
    }),
  );
  if (budgets.size === 0) throw new Refused('ended', 'Those groups are closed. Nothing was changed.');
  return {
    sentence: `${counted(budgets.size, 'group')} go back to their budgets, as far as rollouts were not launched.`,
    act: () => setGroupBudgets(job, budgets, { commandId: params.commandId, author: params.author }),
  };
}

/** What still runs of a fork is stopped; what has ended and was not trained on is taken out. */
function undoFork(
  job: JobState,
  ids: readonly string[],
  { commandId, author }: SteeringParams<'undo'>,
): { sentence: string; act: () => void } {
  const rollouts = ids.flatMap((id) => job.memory.rollout(id) ?? []);
  const running = rollouts.filter(isRunning);
  const waiting = rollouts.filter(
    (rollout) =>
      isTrain(rollout) && endedByItself(rollout) && !rollout.group.closed && rollout.discarded === null,
  );
  if (running.length + waiting.length === 0) {
    throw new Refused('ended', 'Its rollouts have ended and cannot be taken back.');
  }
  return {
    sentence: `${counted(running.length, 'rollout')} of the fork are stopped, ${waiting.length} are taken out of training.`,
    act: () => {
      const all = [...running, ...waiting].map(({ id }) => id);
      const decision = job.decisions.record(job.openStep ?? job.doneStep, {
        kind: waiting.length > 0 ? 'discard' : 'stop',
        method: 'person',
        command: commandId,
        sentence: `${author} takes a fork of ${counted(all.length, 'rollout')} back.`,
        body: {
          parameters: {},
          subjects: { type: 'rollout', ids: all },
          reasonCodes: all.map(() => 'undone'),
          reasons: all.map(() => `The fork was taken back by ${author}.`),
        },
      });
      for (const rollout of running) job.runner.end(rollout, 'stopped', 'undone', decision);
      for (const rollout of waiting) discard(job, rollout, decision);
    },
  };
}

function discard(job: JobState, rollout: RolloutRecord, decision: string): void {
  rollout.discarded = 'undone';
  job.publisher.add('rolloutDiscarded', { rollout: rollout.id, reason: 'undone', decision });
}
