import { zeroGradient } from '../../methods/credit/zeroGradient';
import type { Incarnation } from '../incarnation';
import { CATEGORY_COUNT, FINISHED, NO_CATEGORY } from '../ledger/categories';
import { Totals } from '../ledger/totals';
import { CHUNK_MASK } from '../tables/chunks';
import {
  GROUP_CLOSED,
  GROUP_DROPPED,
  GROUP_OPENED,
  GROUP_TRAINED,
  GROUP_UNTRAINED,
} from '../tables/groupTable';
import { ROLLOUT_BASELINE, ROLLOUT_SAMPLED } from '../tables/rolloutTable';

export interface Recount {
  /** Totals of the steps by their index, and of what has no step. */
  readonly steps: readonly Totals[];
  readonly unplaced: Totals;
}

/** Counts everything again from the rollouts, one by one, without using any running total. */
export function recount(incarnation: Incarnation): Recount {
  const { groups, rollouts, steps, start } = incarnation;
  const counts = new Float64Array(groups.count * CATEGORY_COUNT);
  const rewards: number[][] = Array.from({ length: groups.count }, () => []);
  const n = new Float64Array(groups.count);
  const c = new Float64Array(groups.count);
  for (let row = 0; row < rollouts.count; row++) {
    const chunk = rollouts.chunk(row)!;
    const i = row & CHUNK_MASK;
    const group = chunk.group.get(i);
    if (group < 0) continue;
    const category = chunk.category[i]!;
    const counted = chunk.countedIn?.get(i) ?? -1;
    if (category !== NO_CATEGORY) counts[(counted < 0 ? group : counted) * CATEGORY_COUNT + category]! += 1;
    const said = chunk.success[i]!;
    const published = chunk.reward[i]!;
    const reward = Number.isNaN(published) && said >= 0 ? said : published;
    const success = said >= 0 ? said : Number(published >= start.successThreshold);
    if ((chunk.flags[i]! & ROLLOUT_SAMPLED) !== 0) {
      n[group]! += 1;
      c[group]! += success;
    }
    const inBaseline = (chunk.flags[i]! & ROLLOUT_BASELINE) !== 0 && category === FINISHED;
    if (inBaseline && Number.isFinite(reward)) rewards[group]!.push(reward);
  }
  const perStep = steps.map(() => new Totals());
  const unplaced = new Totals();
  for (let group = 0; group < groups.count; group++) {
    const step = groups.step[group]!;
    const totals = step >= 0 ? perStep[step]! : unplaced;
    const flags = groups.flags[group]!;
    const closed = (flags & GROUP_CLOSED) !== 0;
    const untrained =
      (flags & GROUP_DROPPED) !== 0 || (flags & (GROUP_TRAINED | GROUP_UNTRAINED)) === GROUP_UNTRAINED;
    const verdict = zeroGradient({
      closed,
      rewards: rewards[group]!,
      ...(untrained ? { trainedTokens: 0 } : {}),
    });
    const finished = counts[group * CATEGORY_COUNT + FINISHED]!;
    for (let i = 0; i < CATEGORY_COUNT; i++) totals.counts[i]! += counts[group * CATEGORY_COUNT + i]!;
    if (verdict.kind === 'zero') totals.noGradient += finished;
    else if (verdict.kind === 'gradient' || (closed && groups.usedInStep[group]! >= 0))
      totals.used += finished;
    else totals.undecided += finished;
    if (verdict.kind === 'zero') totals.zeroGradientGroups += 1;
    if (verdict.kind === 'gradient') totals.gradientGroups += 1;
    if ((flags & GROUP_OPENED) !== 0) totals.groups += 1;
    if (closed) totals.closedGroups += 1;
    totals.planned += groups.planned[group]!;
    totals.n += n[group]!;
    totals.c += c[group]!;
    totals.tokens += groups.tokens[group]!;
  }
  return { steps: perStep, unplaced };
}
