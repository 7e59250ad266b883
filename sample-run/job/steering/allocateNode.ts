import type { SteeringParams } from '../../../protocol/wire/steering';
import { forkedBelow } from '../branchingStage';
import type { JobState } from '../jobState';
import { liveNode } from './pause';
import { named, Refused, type Proposal } from './proposal';

/** Caps on what the branching rule may still launch below nodes. */
export function proposeNodeCap(
  job: JobState,
  params: SteeringParams<'allocate'>,
  ids: readonly string[],
): Proposal {
  const { rollouts } = params;
  if (!rollouts || params.tokens || params.temperature !== undefined) {
    throw new Refused('unsupported', 'Below a node only the number of rollouts can be capped.');
  }
  if ('add' in rollouts) {
    throw new Refused('unsupported', 'A node’s cap is set or cleared; to launch more below it, fork it.');
  }
  const nodes = ids.map((id) => liveNode(job, id));
  const closed = nodes.find((node) => node.rollout.group.closed);
  if (closed) throw new Refused('ended', `The group of ${closed.id} is closed. Nothing was changed.`);
  const before = Object.fromEntries(ids.map((id) => [id, job.nodeCaps.get(id) ?? null]));
  const after = Object.fromEntries(
    nodes.map((node) => [
      node.id,
      'clear' in rollouts ? null : forkedBelow(node.rollout.group, node) + rollouts.set,
    ]),
  );
  if (ids.every((id) => before[id] === after[id])) {
    throw new Refused('alreadySo', `${named(ids)}: the cap is this already. Nothing was changed.`);
  }
  return {
    sentence:
      'clear' in rollouts
        ? `The branching rule may fork below ${named(ids)} as it likes.`
        : `The branching rule may launch at most ${rollouts.set} more rollouts below ${named(ids)}.`,
    subjects: ids.map((id) => ({ type: 'node', id })),
    before: { cap: before },
    after: { cap: after },
    inverse: { kind: 'nodeCaps', before },
    apply: () => {
      setNodeCaps(job, after);
      return [];
    },
  };
}

export function setNodeCaps(job: JobState, caps: Readonly<Record<string, number | null>>): void {
  for (const [id, cap] of Object.entries(caps)) {
    if (cap === null) job.nodeCaps.delete(id);
    else job.nodeCaps.set(id, cap);
  }
}
