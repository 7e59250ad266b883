import type { Incarnation } from '../incarnation';
import type { DecisionRecord } from '../records';
import type { RunStore } from '../runStore';
import { CHUNK_MASK, NONE } from '../tables/chunks';
import { GROUP_OPENED } from '../tables/groupTable';

export interface FoundGroup {
  readonly incarnation: Incarnation;
  readonly group: number;
}

/** Newest incarnation first: an id is unique only within one. */
function newestFirst<T>(store: RunStore, find: (incarnation: Incarnation) => T | null): T | null {
  for (let i = store.incarnations.length - 1; i >= 0; i--) {
    const found = find(store.incarnations[i]!);
    if (found !== null) return found;
  }
  return null;
}

const opened = (incarnation: Incarnation, group: number): FoundGroup | null =>
  group >= 0 && (incarnation.groups.flags[group]! & GROUP_OPENED) !== 0 ? { incarnation, group } : null;

/** An opened group by its id. */
export function findGroup(store: RunStore, id: string): FoundGroup | null {
  return newestFirst(store, (incarnation) => {
    const handle = incarnation.handleOf(id);
    return handle < 0 ? null : opened(incarnation, incarnation.groupRows.get(handle));
  });
}

/** A rollout in memory by its id. */
export function findRollout(
  store: RunStore,
  id: string,
): { readonly incarnation: Incarnation; readonly rollout: number } | null {
  return newestFirst(store, (incarnation) => {
    const handle = incarnation.handleOf(id);
    const rollout = handle < 0 ? NONE : incarnation.rolloutRows.get(handle);
    return rollout >= 0 && incarnation.rollouts.chunk(rollout) ? { incarnation, rollout } : null;
  });
}

/** A node in memory by its id. */
export function findNode(
  store: RunStore,
  id: string,
): { readonly incarnation: Incarnation; readonly node: number } | null {
  return newestFirst(store, (incarnation) => {
    const handle = incarnation.handleOf(id);
    const node = handle < 0 ? NONE : incarnation.nodeRows.get(handle);
    return node >= 0 && incarnation.nodes.chunk(node) ? { incarnation, node } : null;
  });
}

/** The group of a rollout, if it is opened. */
export function groupOfRollout(incarnation: Incarnation, rollout: number): FoundGroup | null {
  const chunk = rollout >= 0 ? incarnation.rollouts.chunk(rollout) : null;
  return chunk ? opened(incarnation, chunk.group.get(rollout & CHUNK_MASK)) : null;
}

/** The newest group of a prompt, in one step or, with null, in any. */
export function findGroupOfPrompt(store: RunStore, prompt: string, step: number | null): FoundGroup | null {
  const row = store.prompts.find(prompt);
  if (row < 0) return null;
  return newestFirst(store, (incarnation) => {
    const { groups } = incarnation;
    if (step !== null) {
      const found = incarnation.findStep(step);
      let newest = NONE;
      for (let group = found?.firstGroup ?? NONE; group !== NONE; group = groups.nextInStep[group]!) {
        if (groups.prompt[group] === row) newest = group;
      }
      return opened(incarnation, newest);
    }
    for (let group = groups.count - 1; group >= 0; group--) {
      if (groups.prompt[group] === row) return opened(incarnation, group);
    }
    return null;
  });
}

/** The group to show when nothing is chosen: of the step (null: the newest), the last open one, else the last. */
export function newestGroup(store: RunStore, step: number | null): FoundGroup | null {
  const found = store.findStep(step);
  if (!found) return null;
  const { incarnation } = found;
  const { groups } = incarnation;
  let last = NONE;
  let lastOpen = NONE;
  for (let group = found.step.firstGroup; group !== NONE; group = groups.nextInStep[group]!) {
    if (groups.firstRollout[group] === NONE) continue;
    last = group;
    if (groups.closed[group] !== groups.closed[group]) lastOpen = group;
  }
  return opened(incarnation, lastOpen === NONE ? last : lastOpen);
}

/** A decision that is in memory, by its handle. */
export function decisionOf(incarnation: Incarnation, handle: number): DecisionRecord | null {
  if (handle < 0) return null;
  const row = incarnation.decisionRows.get(handle);
  return row < 0 ? null : (incarnation.decisions[row] ?? null);
}

/** Who asked for a decision: the author of the steering request that caused it; null when a rule made it. */
export function authorOf(incarnation: Incarnation, decision: DecisionRecord | null): string | null {
  if (!decision || decision.command === null) return null;
  return incarnation.steering.get(decision.command)?.author ?? null;
}
