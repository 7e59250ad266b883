import type { SteeringParams } from '../../../protocol/wire/steering';
import { giveUpRest } from '../generation';
import type { JobState } from '../jobState';
import { isRunning, subtree, type GroupRecord, type RolloutRecord } from '../records';
import { taskById } from '../../tasks/taskSet';
import { counted, knownTask, Refused, type Proposal } from './proposal';

interface Target {
  readonly rollouts: readonly RolloutRecord[];
  /** Groups that launch nothing more. */
  readonly groups: readonly GroupRecord[];
  /** Ends below a node. */
  readonly root?: RolloutRecord;
}

export function proposeStop(job: JobState, params: SteeringParams<'stop'>): Proposal {
  const { subject, commandId, author, reason } = params;
  const { rollouts, groups, root } = targetOf(job, subject);
  const waiting = groups.reduce((sum, group) => sum + unlaunched(group), 0);
  if (rollouts.length === 0 && waiting === 0) {
    throw new Refused('ended', `${subject.id} has ended, with all below it. Nothing was changed.`);
  }
  const rest = waiting > 0 ? ` ${counted(waiting, 'planned rollout')} are not launched.` : '';
  const before = rollouts.length + waiting;
  return {
    sentence: `${counted(rollouts.length, 'running rollout')} of ${subject.id} end now, without a reward.${rest}`,
    subjects: [subject],
    before: { running: rollouts.length, notLaunched: waiting },
    after: { running: 0, notLaunched: 0 },
    effect: { rollouts: { before, after: 0 } },
    inverse: { kind: 'none', why: 'A rollout that was stopped cannot be taken up again.' },
    apply: () => {
      const ids = rollouts.map(({ id }) => id);
      const decision = job.decisions.record(job.openStep ?? job.doneStep, {
        kind: 'stop',
        method: 'person',
        command: commandId,
        sentence: `${author} stops ${counted(ids.length, 'rollout')} of ${subject.id}.`,
        body: {
          parameters: {},
          subjects: ids.length > 0 ? { type: 'rollout', ids } : { type: subject.type, ids: [subject.id] },
          ...(ids.length > 0 ? { inputs: { length: rollouts.map(({ node }) => node.tokens.length) } } : {}),
          reasonCodes: (ids.length > 0 ? ids : [subject.id]).map(() => 'person'),
          reasons: (ids.length > 0 ? ids : [subject.id]).map(() => reason ?? `Stopped by ${author}.`),
        },
      });
      for (const group of groups) {
        giveUpRest(group);
        group.stopped = true;
      }
      if (root) dropForksBelow(root);
      for (const rollout of rollouts) job.runner.end(rollout, 'stopped', 'person', decision);
      return [];
    },
  };
}

const unlaunched = (group: GroupRecord): number =>
  group.pending + group.reserve + group.forks.reduce((sum, { left }) => sum + left, 0);

function dropForksBelow({ group, node }: RolloutRecord): void {
  const below = new Set(subtree(node));
  for (let i = group.forks.length - 1; i >= 0; i--) {
    if (below.has(group.forks[i]!.node)) group.forks.splice(i, 1);
  }
}

function targetOf(job: JobState, { type, id }: SteeringParams<'stop'>['subject']): Target {
  const unknown = (): never => {
    throw new Refused('unknownSubject', `This start of the run holds no ${type} ${id}. Nothing was changed.`);
  };
  const running = (group: GroupRecord): RolloutRecord[] => group.rollouts.filter(isRunning);
  switch (type) {
    case 'node': {
      const node = job.memory.node(id) ?? unknown();
      const rollouts = subtree(node).map(({ rollout }) => rollout);
      return { rollouts: rollouts.filter(isRunning), groups: [], root: node.rollout };
    }
    case 'rollout': {
      const rollout = job.memory.rollout(id) ?? unknown();
      return { rollouts: [rollout].filter(isRunning), groups: [] };
    }
    case 'group': {
      const group = job.memory.groups.get(id) ?? unknown();
      return { rollouts: running(group), groups: group.closed ? [] : [group] };
    }
    case 'prompt': {
      knownTask(taskById(id)?.split === 'train', id);
      const groups = job.memory.openGroupsOf(id);
      const rollouts = [...job.runner.running].filter((rollout) => rollout.group.task.id === id);
      return { rollouts, groups };
    }
    default:
      throw new Refused(
        'unsupported',
        `A ${type} cannot be stopped; nodes, rollouts, groups and prompts can.`,
      );
  }
}
