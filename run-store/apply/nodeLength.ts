import { NODE_KINDS } from '../../protocol/wire/words';
import { CHUNK_MASK, NONE } from '../tables/chunks';
import type { NodeChunk } from '../tables/nodeTable';
import { ROLLOUT_CLOSED } from '../tables/rolloutTable';
import type { ApplyContext } from './eventApplier';

/** Kinds whose unit is the token: their lengths add up to the rollout's. */
const IN_TOKENS = Uint8Array.from([...NODE_KINDS, 'other'], (kind) =>
  Number(kind !== 'denoising' && kind !== 'state' && kind !== 'call'),
);

/**
 * A node grew by `units`: so did its rollout, until the job says that one's own length; its group has changed.
 *
 * @returns the row of the group, −1 when it is not known.
 */
export function lengthChanged(context: ApplyContext, chunk: NodeChunk, i: number, units: number): number {
  const rollout = chunk.rollout.get(i);
  const owner = rollout >= 0 ? context.incarnation.rollouts.chunk(rollout) : null;
  if (!owner) return NONE;
  const r = rollout & CHUNK_MASK;
  if ((owner.flags[r]! & ROLLOUT_CLOSED) === 0 && IN_TOKENS[chunk.kind[i]!] === 1)
    owner.length.set(r, owner.length.get(r) + units);
  const group = owner.group.get(r);
  if (group >= 0) context.incarnation.groups.touched[group] = context.clock.revision;
  return group;
}
