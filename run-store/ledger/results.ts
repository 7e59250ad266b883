import type { Incarnation } from '../incarnation';
import { CHUNK_MASK, NONE } from '../tables/chunks';
import { ROLLOUT_REWARDED, type RolloutChunk } from '../tables/rolloutTable';
import {
  DISCARDED,
  ENDING_FINISHED,
  ENDING_TRUNCATED,
  FINISHED,
  ORIGIN_EDITED,
  ORIGIN_HINTED,
} from './categories';

/** What is known of the outcomes of an incarnation's rollouts: results by prompt, step and version; rewards of baselines. */
export class Results {
  constructor(private readonly incarnation: Incarnation) {}

  /** 1 success, 0 none, −1 unknown: the job's word, else the run's threshold. */
  successOf(chunk: RolloutChunk, i: number): number {
    const said = chunk.success[i]!;
    if (said >= 0) return said;
    const reward = chunk.reward[i]!;
    return Number.isNaN(reward) ? NONE : reward >= this.incarnation.start.successThreshold ? 1 : 0;
  }

  /** The published total reward; where only a success was published, 1 or 0; else NaN. */
  rewardOf(chunk: RolloutChunk, i: number): number {
    const reward = chunk.reward[i]!;
    const success = chunk.success[i]!;
    return Number.isNaN(reward) && success >= 0 ? success : reward;
  }

  /** Ended by itself with a known result, drawn by the policy from the prompt or from its own prefix. */
  isSample(chunk: RolloutChunk, i: number): boolean {
    const category = chunk.category[i];
    const ending = chunk.ending[i];
    const origin = chunk.origin[i];
    return (
      (category === FINISHED || category === DISCARDED) &&
      (ending === ENDING_FINISHED || ending === ENDING_TRUNCATED) &&
      origin !== ORIGIN_HINTED &&
      origin !== ORIGIN_EDITED &&
      this.successOf(chunk, i) >= 0
    );
  }

  /** Adds a rollout’s result to its group, its prompt and its statistics, or takes it out (`sign` −1). */
  sample(chunk: RolloutChunk, i: number, group: number, sign: 1 | -1): void {
    const { groups, stats, prompts } = this.incarnation;
    const success = sign * this.successOf(chunk, i);
    const published = this.rewardOf(chunk, i);
    const reward = Number.isFinite(published) ? published : this.successOf(chunk, i);
    groups.n[group]! += sign;
    groups.c[group]! += success;
    groups.sumReward[group]! += sign * reward;
    groups.sumReward2[group]! += sign * reward * reward;
    if ((chunk.fromNode?.get(i) ?? NONE) === NONE && (chunk.at?.get(i) ?? NONE) === NONE) {
      groups.rootN[group]! += sign;
      groups.rootC[group]! += success;
    }
    const prompt = groups.prompt[group]!;
    if (prompt >= 0) {
      prompts.n[prompt]! += sign;
      prompts.c[prompt]! += success;
    }
    const stat = stats.row(group, groups.firstStat[group]!, chunk.version.get(i));
    if (groups.firstStat[group] === NONE) groups.firstStat[group] = stat;
    stats.n[stat]! += sign;
    stats.c[stat]! += success;
    stats.sumReward[stat]! += sign * reward;
    stats.sumReward2[stat]! += sign * reward * reward;
  }

  addReward(group: number, reward: number): void {
    const { groups } = this.incarnation;
    groups.baseline[group]! += 1;
    if (!(groups.least[group]! <= reward)) groups.least[group] = reward;
    if (!(groups.greatest[group]! >= reward)) groups.greatest[group] = reward;
  }

  /** Finds least and greatest reward again after one was taken out. */
  rescanRewards(group: number): void {
    const { groups, rollouts } = this.incarnation;
    groups.baseline[group] = 0;
    groups.least[group] = NaN;
    groups.greatest[group] = NaN;
    for (let row = groups.firstRollout[group]!; row >= 0;) {
      const chunk = rollouts.chunk(row);
      if (!chunk) return;
      const i = row & CHUNK_MASK;
      if ((chunk.flags[i]! & ROLLOUT_REWARDED) !== 0) this.addReward(group, this.rewardOf(chunk, i));
      row = chunk.nextInGroup.get(i);
    }
  }
}
