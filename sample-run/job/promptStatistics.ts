import { Type, type Static } from '@sinclair/typebox';
import { knapsackPassRate } from '../../methods/allocation/knapsackPassRate';
import type { PassRate, PastGroup } from '../../methods/allocation/inputs';
import { Count, Id } from '../../protocol/wire/values';

/** Results of one closed group, under the policy version that sampled it: all rollouts that ended by themselves. */
export const GroupResult = Type.Object({
  group: Id,
  step: Count,
  policyVersion: Count,
  planned: Count,
  n: Count,
  c: Count,
  sumReward: Type.Number(),
  sumReward2: Type.Number(),
  /** Rewards of the rollouts that start at the root, in launch order: independent draws, unlike forks. */
  rootRewards: Type.Array(Type.Number()),
});
export type GroupResult = Static<typeof GroupResult>;

export const SavedStatistics = Type.Object({
  failureRate: Type.Union([Type.Number(), Type.Null()]),
  prompts: Type.Array(Type.Object({ prompt: Id, level: Count, results: Type.Array(GroupResult) })),
});
export type SavedStatistics = Static<typeof SavedStatistics>;

/** Results kept of a prompt. */
const KEPT_RESULTS = 32;
/** Weight of the newest step in the moving average of the failure rate. */
const FAILURE_WEIGHT = 0.3;

/** What earlier steps say about the prompts: the only thing that planning may look at. */
export class PromptStatistics {
  private readonly prompts = new Map<string, { level: number; results: GroupResult[] }>();
  private failures: number | null = null;

  record(prompt: string, level: number, result: GroupResult): void {
    const entry = this.prompts.get(prompt) ?? { level, results: [] };
    entry.results.push(result);
    if (entry.results.length > KEPT_RESULTS) entry.results.shift();
    this.prompts.set(prompt, entry);
  }

  /** @param share of the step’s rollouts that failed. */
  recordFailures(share: number): void {
    this.failures = this.failures === null ? share : this.failures + FAILURE_WEIGHT * (share - this.failures);
  }

  /** Moving average of the share of failed rollouts; undefined before the first step. */
  get failureRate(): number | undefined {
    return this.failures ?? undefined;
  }

  /** Results by prompt, oldest first. */
  results(prompt: string): readonly GroupResult[] {
    return this.prompts.get(prompt)?.results ?? [];
  }

  /** Share of successes among the newest independent rollouts; undefined for a prompt that was never sampled. */
  passRate(prompt: string): PassRate | undefined {
    return knapsackPassRate(this.results(prompt).map((result) => result.rootRewards));
  }

  history(prompt: string): PastGroup[] {
    return this.results(prompt)
      .filter(({ n }) => n > 0)
      .map(({ step, n, c, sumReward }) => ({
        step,
        rollouts: n,
        successes: c,
        meanReward: sumReward / n,
      }));
  }

  /** Posterior mean under Beta(1, 1) of all results of a level: a prediction for a prompt without its own. */
  predictedRate(level: number): number {
    let n = 0;
    let c = 0;
    for (const entry of this.prompts.values()) {
      if (entry.level !== level) continue;
      for (const result of entry.results) {
        n += result.rootRewards.length;
        c += result.rootRewards.filter((reward) => reward > 0).length;
      }
    }
    return (c + 1) / (n + 2);
  }

  save(): SavedStatistics {
    const prompts = [...this.prompts].map(([prompt, entry]) => ({ prompt, ...entry }));
    return { failureRate: this.failures, prompts };
  }

  restore(saved: SavedStatistics): void {
    this.failures = saved.failureRate;
    for (const { prompt, level, results } of saved.prompts) {
      this.prompts.set(prompt, { level, results: [...results] });
    }
  }

  *all(): Iterable<readonly [prompt: string, results: readonly GroupResult[]]> {
    for (const [prompt, { results }] of this.prompts) yield [prompt, results];
  }
}
