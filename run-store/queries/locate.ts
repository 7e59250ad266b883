import type { Queries } from '../../protocol/panels/views';
import type { RunStore } from '../runStore';
import { CHUNK_MASK } from '../tables/chunks';
import { type FoundGroup, findGroup, findGroupOfPrompt, findNode, findRollout, groupOfRollout } from './find';

type Located = Queries['locate']['result'];

/** Where a node, rollout, group or prompt stands; the narrowest one given decides. null: it is not known here. */
export function locate(store: RunStore, params: Queries['locate']['params']): Located {
  if (params.node !== undefined) {
    const found = findNode(store, params.node);
    if (!found) return null;
    const rollout = found.incarnation.nodes.chunk(found.node)!.rollout.get(found.node & CHUNK_MASK);
    return placed(groupOfRollout(found.incarnation, rollout), rollout, params.node);
  }
  if (params.rollout !== undefined) {
    const found = findRollout(store, params.rollout);
    return found ? placed(groupOfRollout(found.incarnation, found.rollout), found.rollout, null) : null;
  }
  if (params.group !== undefined) return placed(findGroup(store, params.group), null, null);
  if (params.prompt === undefined) return null;
  return placed(findGroupOfPrompt(store, params.prompt, params.step ?? null), null, null);
}

function placed(found: FoundGroup | null, rollout: number | null, node: string | null): Located {
  if (!found) return null;
  const { incarnation, group } = found;
  const { groups, prompts, steps, rollouts, start } = incarnation;
  const chunk = rollout === null ? null : rollouts.chunk(rollout);
  return {
    step: steps[groups.step[group]!]!.number,
    prompt: prompts.ids[groups.prompt[group]!]!,
    group: incarnation.text(groups.handle[group]!),
    rollout: chunk && rollout !== null ? incarnation.text(chunk.handle.get(rollout & CHUNK_MASK)) : null,
    node,
    incarnation: start.number,
  };
}
