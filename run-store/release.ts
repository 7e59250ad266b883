import type { Incarnation } from './incarnation';
import { CARRIED_OVER, RUNNING } from './ledger/categories';
import { reasonsOfStep } from './ledger/reasons';
import { tokensOfStep } from './ledger/tokens';
import { CHUNK_MASK, CHUNK_ROWS, NONE, RELEASED } from './tables/chunks';
import type { NarrowInts } from './tables/narrowInts';
import type { NodeChunk } from './tables/nodeTable';
import type { RolloutChunk } from './tables/rolloutTable';

/** Index of the step of a rollout, −1 when it is not known. */
function stepOf(incarnation: Incarnation, rollout: number): number {
  const chunk = rollout >= 0 ? incarnation.rollouts.chunk(rollout) : null;
  const group = chunk ? chunk.group.get(rollout & CHUNK_MASK) : NONE;
  return group >= 0 ? incarnation.groups.step[group]! : NONE;
}

/**
 * Gives up whole chunks of nodes, oldest first, as long as all their steps come before the step of index `keepFrom`
 * and are closed (or the incarnation is over), until `excess` nodes are gone; then the chunks of rollouts of these
 * steps. The steps' totals stay.
 */
export function releaseSteps(incarnation: Incarnation, keepFrom: number, excess: number): void {
  const { nodes, steps } = incarnation;
  let left = excess;
  while (left > 0 && (nodes.firstChunk + 1) * CHUNK_ROWS <= nodes.count) {
    const chunk = nodes.chunks[nodes.firstChunk];
    if (!chunk) break;
    const held = stepsOfNodes(incarnation, chunk);
    const free = [...held].every(
      (index) => index < keepFrom && (steps[index]!.isClosed || incarnation.isOver),
    );
    if (!free) break;
    for (const index of held) markReleased(incarnation, index);
    forgetHandles(incarnation, chunk.handle, incarnation.nodeRows, incarnation.rolloutRows);
    nodes.chunks[nodes.firstChunk] = null;
    nodes.firstChunk += 1;
    left -= CHUNK_ROWS;
  }
  releaseRollouts(incarnation);
  releaseDecisions(incarnation);
}

function stepsOfNodes(incarnation: Incarnation, chunk: NodeChunk): Set<number> {
  const held = new Set<number>();
  let last = NONE;
  for (let i = 0; i < CHUNK_ROWS; i++) {
    const step = stepOf(incarnation, chunk.rollout.get(i));
    if (step === last) continue;
    last = step;
    if (step >= 0) held.add(step);
  }
  return held;
}

/** Reasons and tokens by fate are counted from the rollouts, so they are kept before these go. */
function markReleased(incarnation: Incarnation, index: number): void {
  const step = incarnation.steps[index]!;
  if (step.released) return;
  step.releasedTokens = tokensOfStep(incarnation, step);
  step.released = reasonsOfStep(incarnation, step);
}

function releaseRollouts(incarnation: Incarnation): void {
  const { rollouts } = incarnation;
  while ((rollouts.firstChunk + 1) * CHUNK_ROWS <= rollouts.count) {
    const chunk = rollouts.chunks[rollouts.firstChunk];
    if (!chunk || !rolloutsAreOver(incarnation, chunk)) return;
    forgetHandles(incarnation, chunk.handle, incarnation.rolloutRows, incarnation.nodeRows);
    rollouts.chunks[rollouts.firstChunk] = null;
    rollouts.firstChunk += 1;
  }
}

/** A rollout that still runs keeps its chunk: its end will move it in the ledger. */
function rolloutsAreOver(incarnation: Incarnation, chunk: RolloutChunk): boolean {
  for (let i = 0; i < CHUNK_ROWS; i++) {
    const category = chunk.category[i];
    if (category === RUNNING || category === CARRIED_OVER) return false;
    const group = chunk.group.get(i);
    const step = group >= 0 ? incarnation.groups.step[group]! : NONE;
    if (step >= 0 && incarnation.steps[step]!.released === null) return false;
  }
  return true;
}

interface Rows {
  get(handle: number): number;
  set(handle: number, row: number): void;
}

function forgetHandles(incarnation: Incarnation, handles: NarrowInts, own: Rows, other: Rows): void {
  for (let i = 0; i < CHUNK_ROWS; i++) {
    const handle = handles.get(i);
    if (handle < 0) continue;
    own.set(handle, RELEASED);
    // One string may be the id of a node, of its rollout and of its group.
    if (other.get(handle) < 0 && incarnation.groupRows.get(handle) === NONE)
      incarnation.strings.forget(handle);
  }
}

/** Decisions about single rollouts go with them; those that planned groups keep their names there. */
function releaseDecisions(incarnation: Incarnation): void {
  const { decisions } = incarnation;
  for (let i = 0; i < decisions.length; i++) {
    const decision = decisions[i];
    if (!decision || decision.step === null) continue;
    const step = incarnation.findStep(decision.step);
    if (!step?.released) continue;
    decisions[i] = null;
    if (decision.kind !== 'allocate' && decision.kind !== 'select')
      incarnation.strings.forget(decision.handle);
  }
}
