import type { SteeringParams } from '../../../protocol/wire/steering';
import type { PauseMode } from '../../../protocol/wire/words';
import type { Latch, LatchTarget } from '../controlState';
import type { JobState } from '../jobState';
import { isRunning, isTrain, subtree, type NodeRecord } from '../records';
import { taskById } from '../../tasks/taskSet';
import { counted, knownTask, Refused, type Proposal } from './proposal';

const MODE_WORDS: Readonly<Record<PauseMode, string>> = {
  'step-boundary': 'at the end of the step',
  drain: 'when running rollouts have ended',
  now: 'between two tokens',
};

export const latchState = (latch: Latch | null, stepsLeft: number | null = null): Record<string, unknown> => {
  if (!latch) return { latch: 'open' };
  const latched = { latch: latch.closed ? 'closed' : 'closing', mode: latch.mode, by: latch.author };
  return stepsLeft === null ? latched : { ...latched, stepsLeft };
};

const latchOf = (
  { commandId, author, reason }: SteeringParams<'pause' | 'step'>,
  mode: PauseMode,
  closed: boolean,
): Latch => ({
  mode,
  author,
  command: commandId,
  closed,
  ...(reason === undefined ? {} : { reason }),
});

/** Sets a latch, also of an earlier request that is taken back. */
export function setLatch(job: JobState, target: LatchTarget, latch: Latch | null): void {
  if (target.type === 'run') {
    job.control.stepsLeft = null;
    job.latches.setRun(latch);
  } else if (target.type === 'prompt') {
    job.latches.setPrompt(target.id ?? '', latch);
    job.publishRunState();
  } else job.latches.setNode(target.id ?? '', latch);
}

export function proposePause(job: JobState, params: SteeringParams<'pause'>): Proposal {
  const { target, mode } = params;
  if (target.type === 'run') return pauseRun(job, params);
  const id = target.id ?? '';
  if (target.type === 'prompt') {
    const task = taskById(id);
    knownTask(task?.split === 'train', id);
  } else if (mode === 'step-boundary') {
    throw new Refused('unsupported', 'A node does not outlive its step. Pause it now, or drain it.');
  } else liveNode(job, id);
  const before = target.type === 'prompt' ? job.latches.prompt(id) : job.latches.node(id);
  if (before?.mode === mode) {
    throw new Refused('alreadySo', `${id} is paused already, by ${before.author}.`);
  }
  const latch = latchOf(params, mode, true);
  const running = runningUnder(job, target.type, id);
  return {
    sentence: sentenceOf(target.type, id, mode, running),
    subjects: [{ type: target.type, id }],
    before: latchState(before),
    after: latchState(latch),
    inverse: { kind: 'latch', target, before },
    apply: () => {
      setLatch(job, target, latch);
      return [];
    },
  };
}

function sentenceOf(type: 'prompt' | 'node', id: string, mode: PauseMode, running: number): string {
  if (mode === 'now') {
    return `${id} is paused: ${counted(running, 'running rollout')} of it stand still between two tokens, and none is launched.`;
  }
  if (mode === 'drain') {
    return `${id} is paused: ${counted(running, 'running rollout')} of it go on to their end, and none is ${type === 'node' ? 'forked below it' : 'launched'}.`;
  }
  return `${id} is left out of planning from the next step on; what runs of it goes on.`;
}

function runningUnder(job: JobState, type: 'prompt' | 'node', id: string): number {
  if (type === 'node') {
    const node = job.memory.node(id);
    return node ? subtree(node).filter(({ rollout }) => isRunning(rollout)).length : 0;
  }
  return [...job.runner.running].filter((rollout) => isTrain(rollout) && rollout.group.task.id === id).length;
}

/** @throws Refused unless the node is held and something of its subtree runs or may still be forked. */
export function liveNode(job: JobState, id: string): NodeRecord {
  const node = job.memory.node(id);
  if (!node) {
    throw new Refused('unknownSubject', `This start of the run holds no node ${id}. Nothing was changed.`);
  }
  if (node.rollout.group.closed && !subtree(node).some(({ rollout }) => isRunning(rollout))) {
    throw new Refused('ended', `${id} and all below it have ended. Nothing was changed.`);
  }
  return node;
}

function pauseRun(job: JobState, params: SteeringParams<'pause'>): Proposal {
  const { mode } = params;
  const { run } = job.latches;
  const { stepsLeft } = job.control;
  if (run?.closed === true) throw new Refused('alreadySo', `The run is paused already, by ${run.author}.`);
  if (run?.mode === mode && stepsLeft === null) {
    throw new Refused(
      'alreadySo',
      `${run.author} has asked for this pause already; it takes hold ${MODE_WORDS[mode]}.`,
    );
  }
  const nothingRuns = job.openStep === null;
  const later = mode !== 'now' && !nothingRuns;
  const latch = latchOf(params, mode, !later);
  const running = [...job.runner.running].filter(isTrain).length;
  const where = job.openStep === null ? `before step ${job.nextStep}` : `in step ${job.openStep}`;
  const sentence = {
    'step-boundary': later
      ? `The run pauses at the end of step ${job.openStep ?? 0}.`
      : `The run pauses ${where}.`,
    drain: later
      ? `The run launches nothing more and pauses when ${counted(running, 'running rollout')} have ended.`
      : `The run pauses ${where}.`,
    now: `The run pauses now ${where}: ${counted(running, 'running rollout')} stand still between two tokens.`,
  }[mode];
  return {
    sentence,
    subjects: [{ type: 'run', id: job.settings.runId }],
    before: latchState(run, stepsLeft),
    after: latchState(latch),
    later,
    inverse: { kind: 'latch', target: { type: 'run' }, before: run },
    apply: () => {
      setLatch(job, { type: 'run' }, latch);
      return [];
    },
  };
}

export function proposeResume(job: JobState, params: SteeringParams<'resume'>): Proposal {
  const { target } = params;
  const id = target.type === 'run' ? job.settings.runId : (target.id ?? '');
  const before =
    target.type === 'run'
      ? job.latches.run
      : target.type === 'prompt'
        ? job.latches.prompt(id)
        : job.latches.node(id);
  if (!before) {
    if (target.type === 'prompt') knownTask(taskById(id)?.split === 'train', id);
    if (target.type === 'node') liveNode(job, id);
    throw new Refused(
      'alreadySo',
      `${target.type === 'run' ? 'The run' : id} is not paused. Nothing was changed.`,
    );
  }
  const also = target.type !== 'run' && job.latches.runClosed ? ' The run itself is still paused.' : '';
  return {
    sentence: `${target.type === 'run' ? 'The run goes on' : `${id} goes on`}${before.closed ? '' : '; the pause that was asked for is taken back'}.${also}`,
    subjects: [{ type: target.type, id }],
    before: latchState(before, target.type === 'run' ? job.control.stepsLeft : null),
    after: latchState(null),
    inverse: { kind: 'latch', target, before },
    apply: () => {
      setLatch(job, target, null);
      return [];
    },
  };
}

export function proposeStep(job: JobState, params: SteeringParams<'step'>): Proposal {
  const { n } = params;
  const { run } = job.latches;
  const { stepsLeft } = job.control;
  const last = (job.openStep ?? job.nextStep) + n - 1;
  const rest = job.openStep === null ? '' : ` The rest of step ${job.openStep} counts as the first.`;
  const latch = latchOf(params, 'step-boundary', false);
  return {
    sentence: `The run goes on for ${counted(n, 'step')} and pauses at the end of step ${last}.${rest}`,
    subjects: [{ type: 'run', id: job.settings.runId }],
    before: latchState(run, stepsLeft),
    after: latchState(latch, n),
    effect: { fromStep: job.openStep ?? job.nextStep, untilStep: last },
    inverse: { kind: 'step', before: run, stepsLeft },
    apply: () => {
      job.control.stepsLeft = n;
      job.latches.setRun(latch);
      return [];
    },
  };
}
