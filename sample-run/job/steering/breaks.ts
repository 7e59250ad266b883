import type { SteeringParams } from '../../../protocol/wire/steering';
import { conditionText } from '../breakpoints';
import type { Breakpoint } from '../controlState';
import type { JobState } from '../jobState';
import { Refused, type Proposal } from './proposal';

export function proposeBreakAdd(job: JobState, params: SteeringParams<'break.add'>): Proposal {
  const { condition, mode = 'now', author, commandId } = params;
  if (condition.metric === 'toolError') {
    throw new Refused('unsupported', 'The rollouts of this run call no tools, so no tool can fail.');
  }
  const same = job.control.breakpoints.find(
    ({ condition: other }) =>
      other.metric === condition.metric && other.op === condition.op && other.value === condition.value,
  );
  if (same) throw new Refused('alreadySo', `${same.id} is this condition already.`);
  const id = `b${job.control.breakpointCounter + 1}`;
  const sentence = `The run pauses when ${conditionText(condition)}.`;
  return {
    sentence: `${id}: ${sentence}`,
    subjects: [{ type: 'run', id: job.settings.runId }],
    after: { breakpoint: id, ...condition, mode },
    inverse: { kind: 'breakAdd', breakpoint: id },
    apply: () => {
      job.control.breakpointCounter++;
      addBreakpoint(job, { id, condition, mode, author, command: commandId, hits: 0 });
      return [];
    },
  };
}

export function proposeBreakRemove(job: JobState, params: SteeringParams<'break.remove'>): Proposal {
  const found = job.control.breakpoints.find(({ id }) => id === params.breakpoint);
  if (!found) throw new Refused('unknownSubject', `There is no condition ${params.breakpoint}.`);
  return {
    sentence: `${found.id} is removed after ${found.hits} hits: ${conditionText(found.condition)}.`,
    subjects: [{ type: 'run', id: job.settings.runId }],
    before: { breakpoint: found.id, ...found.condition, mode: found.mode },
    inverse: { kind: 'breakRemove', breakpoint: found },
    apply: () => {
      removeBreakpoint(job, found.id);
      return [];
    },
  };
}

export function addBreakpoint(job: JobState, breakpoint: Breakpoint): void {
  job.control.breakpoints.push(breakpoint);
  publish(job, breakpoint, 'added');
}

export function removeBreakpoint(job: JobState, id: string): void {
  const { breakpoints } = job.control;
  const index = breakpoints.findIndex((breakpoint) => breakpoint.id === id);
  const [removed] = index < 0 ? [] : breakpoints.splice(index, 1);
  if (removed) publish(job, removed, 'removed');
}

function publish(job: JobState, { id, hits, condition }: Breakpoint, state: 'added' | 'removed'): void {
  job.publisher.add('breakpoint', {
    breakpoint: id,
    state,
    hits,
    condition,
    sentence: `The run ${state === 'added' ? 'pauses' : 'no longer pauses'} when ${conditionText(condition)}.`,
  });
}
