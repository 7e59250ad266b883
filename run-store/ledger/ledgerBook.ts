import type { Incarnation } from '../incarnation';
import { CHUNK_MASK, NONE, noCodes } from '../tables/chunks';
import { GROUP_CLOSED, GROUP_OPENED } from '../tables/groupTable';
import type { RolloutChunk } from '../tables/rolloutTable';
import {
  ROLLOUT_BASELINE,
  ROLLOUT_CARRIED,
  ROLLOUT_DISCARDED,
  ROLLOUT_OPENED,
  ROLLOUT_REWARDED,
  ROLLOUT_SAMPLED,
  ROLLOUT_SUPERSEDED,
} from '../tables/rolloutTable';
import {
  CARRIED_OVER,
  CATEGORY_COUNT,
  ENDING_ABORTED,
  FINISHED,
  NO_CATEGORY,
  PROBE,
  RUNNING,
  categoryOf,
} from './categories';
import { gradientOf, isMismatched, matchCounts } from './groupJudgement';
import { Results } from './results';
import type { Totals } from './totals';

/**
 * Keeps the running totals of an incarnation's groups and steps right while its rollouts change. Whoever changes a
 * rollout calls `retract` before and `file` after; whoever changes a group calls `leave` before and `enter` after.
 */
export class LedgerBook {
  private readonly results: Results;

  constructor(
    private readonly incarnation: Incarnation,
    private readonly clock: { readonly revision: number },
  ) {
    this.results = new Results(incarnation);
  }

  /** Takes a group's share out of the totals of its step. */
  leave(group: number): void {
    this.contribute(group, -1);
  }

  /** Judges the group anew and puts its share into the totals of its step. */
  enter(group: number): void {
    const { groups } = this.incarnation;
    groups.gradient[group] = gradientOf(groups, group);
    groups.touched[group] = this.clock.revision;
    matchCounts(groups, group);
    this.contribute(group, 1);
  }

  /** Takes a rollout's result out of its group, so that its fields may change. */
  retract(row: number): void {
    const chunk = this.incarnation.rollouts.chunk(row);
    if (!chunk) return;
    const i = row & CHUNK_MASK;
    const flags = chunk.flags[i]!;
    if ((flags & (ROLLOUT_SAMPLED | ROLLOUT_REWARDED)) === 0) return;
    const group = chunk.group.get(i);
    this.leave(group);
    if ((flags & ROLLOUT_SAMPLED) !== 0) this.results.sample(chunk, i, group, -1);
    chunk.flags[i] = flags & ~(ROLLOUT_SAMPLED | ROLLOUT_REWARDED);
    if ((flags & ROLLOUT_REWARDED) !== 0) this.results.rescanRewards(group);
    this.enter(group);
  }

  /** Puts a rollout where its fields say that it belongs. */
  file(row: number): void {
    const chunk = this.incarnation.rollouts.chunk(row);
    if (!chunk) return;
    const i = row & CHUNK_MASK;
    const group = chunk.group.get(i);
    if (group < 0) return;
    const counted = chunk.countedIn?.get(i) ?? NONE;
    if (counted >= 0 && counted !== group) {
      this.leave(counted);
      this.place(chunk, i, counted);
      this.enter(counted);
    }
    this.leave(group);
    if (counted < 0 || counted === group) this.place(chunk, i, group);
    const flags = chunk.flags[i]!;
    if ((flags & ROLLOUT_SAMPLED) === 0 && this.results.isSample(chunk, i)) {
      chunk.flags[i]! |= ROLLOUT_SAMPLED;
      this.results.sample(chunk, i, group, 1);
    }
    if (
      (flags & ROLLOUT_REWARDED) === 0 &&
      (flags & ROLLOUT_BASELINE) !== 0 &&
      chunk.category[i] === FINISHED &&
      Number.isFinite(this.results.rewardOf(chunk, i))
    ) {
      chunk.flags[i]! |= ROLLOUT_REWARDED;
      this.results.addReward(group, this.results.rewardOf(chunk, i));
    }
    this.enter(group);
  }

  /** Lowers the policy version that a rollout is known to have begun with. */
  sawVersion(row: number, version: number): void {
    const chunk = this.incarnation.rollouts.chunk(row);
    if (!chunk) return;
    const i = row & CHUNK_MASK;
    const known = chunk.version.get(i);
    if (known !== NONE && known <= version) return;
    const sampled = (chunk.flags[i]! & ROLLOUT_SAMPLED) !== 0;
    if (sampled) this.retract(row);
    chunk.version.set(i, version);
    if (sampled) this.file(row);
  }

  /** All of a step's rollouts that still run were carried over when it closed, or died with the incarnation. */
  refileRunning(firstGroup: number, change: (chunk: RolloutChunk, i: number) => void): void {
    const { groups, rollouts } = this.incarnation;
    for (let group = firstGroup; group !== NONE; group = groups.nextInStep[group]!) {
      for (let row = groups.firstRollout[group]!; row >= 0;) {
        const chunk = rollouts.chunk(row);
        if (!chunk) break;
        const i = row & CHUNK_MASK;
        const category = chunk.category[i];
        if (
          category === RUNNING ||
          category === CARRIED_OVER ||
          (category === PROBE && chunk.ending[i]! < 0)
        ) {
          this.retract(row);
          change(chunk, i);
          this.file(row);
        }
        row = chunk.nextInGroup.get(i);
      }
    }
  }

  /** The process is over: whatever still runs has been aborted. */
  abortRunning(reasonCode: string): void {
    const reason = this.incarnation.dictionary.code(reasonCode);
    for (const step of this.incarnation.steps) {
      this.refileRunning(step.firstGroup, (chunk, i) => {
        chunk.ending[i] = ENDING_ABORTED;
        (chunk.reason ??= noCodes())[i] = reason;
      });
    }
  }

  private contribute(group: number, sign: 1 | -1): void {
    const { groups, steps, unplaced } = this.incarnation;
    const step = groups.step[group]!;
    const totals: Totals = step >= 0 ? steps[step]!.totals : unplaced;
    const flags = groups.flags[group]!;
    const at = group * CATEGORY_COUNT;
    for (let i = 0; i < CATEGORY_COUNT; i++) totals.counts[i]! += sign * groups.counts[at + i]!;
    const finished = sign * groups.counts[at + FINISHED]!;
    const gradient = groups.gradient[group]!;
    if ((flags & GROUP_CLOSED) === 0) totals.undecided += finished;
    else if (gradient === 0) totals.noGradient += finished;
    else if (gradient === 1 || groups.usedInStep[group]! >= 0) totals.used += finished;
    else totals.undecided += finished;
    if ((flags & GROUP_OPENED) !== 0) totals.groups += sign;
    if ((flags & GROUP_CLOSED) !== 0) totals.closedGroups += sign;
    if (gradient === 1) totals.gradientGroups += sign;
    if (gradient === 0) totals.zeroGradientGroups += sign;
    if (isMismatched(groups, group)) totals.mismatched += sign;
    totals.planned += sign * groups.planned[group]!;
    totals.n += sign * groups.n[group]!;
    totals.c += sign * groups.c[group]!;
    totals.tokens += sign * groups.tokens[group]!;
  }

  private place(chunk: RolloutChunk, i: number, group: number): void {
    const { groups, steps } = this.incarnation;
    const flags = chunk.flags[i]!;
    const step = groups.step[group]!;
    const category =
      (flags & ROLLOUT_OPENED) === 0 || (flags & ROLLOUT_SUPERSEDED) !== 0
        ? NO_CATEGORY
        : categoryOf({
            use: chunk.use[i]!,
            origin: chunk.origin[i]!,
            ending: chunk.ending[i]!,
            discarded: (flags & ROLLOUT_DISCARDED) !== 0,
            carried: (flags & ROLLOUT_CARRIED) !== 0 || (step >= 0 && steps[step]!.isClosed),
          });
    const at = group * CATEGORY_COUNT;
    const before = chunk.category[i]!;
    if (before !== NO_CATEGORY) groups.counts[at + before]! -= 1;
    if (category !== NO_CATEGORY) groups.counts[at + category]! += 1;
    chunk.category[i] = category;
  }
}
