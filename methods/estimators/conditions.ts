import { Refusal } from '../refusal';

/** What a person chose to call a success, applied to rewards. */
export interface CountedRewards {
  /** Rewards that are numbers: n. */
  readonly samples: number;
  /** Of them at or above the threshold: c. */
  readonly correct: number;
  /** Rewards that are no numbers (not graded, NaN): in neither n nor c. */
  readonly missing: number;
  /** False: there are more than two different rewards, so that n and c depend on the threshold. */
  readonly binary: boolean;
  /** Different thresholds up to this one, and above it up to the next reward, give the same n and c. */
  readonly sameAbove: number;
  readonly sameUpTo: number;
}

/**
 * Counts successes among rewards by a threshold: reward ≥ `threshold`. Partial rewards make every pass@k a matter of
 * the threshold; `binary` says whether it is, and the thresholds in (`sameAbove`, `sameUpTo`] give the same counts.
 * Throws a Refusal unless the threshold is finite.
 */
export function countRewards(rewards: Iterable<number>, threshold: number): CountedRewards {
  if (!Number.isFinite(threshold)) {
    throw new Refusal('bad-parameter', `A success threshold of ${threshold} cannot be used. Give a number.`);
  }
  let samples = 0;
  let correct = 0;
  let missing = 0;
  let sameAbove = -Infinity;
  let sameUpTo = Infinity;
  const values = new Set<number>();
  for (const reward of rewards) {
    if (Number.isNaN(reward)) {
      missing += 1;
      continue;
    }
    samples += 1;
    if (values.size < 3) values.add(reward);
    if (reward >= threshold) {
      correct += 1;
      sameUpTo = Math.min(sameUpTo, reward);
    } else {
      sameAbove = Math.max(sameAbove, reward);
    }
  }
  return { samples, correct, missing, binary: values.size <= 2, sameAbove, sameUpTo };
}

export interface StopOnSuccess {
  /** Groups with a success and at least two rollouts: the only ones that say something. */
  readonly groups: number;
  /** Of them, groups whose only success is their last rollout. */
  readonly ended: number;
  /** Probability of that pattern in all of them if n had been fixed before: ∏ 1/n. */
  readonly chance: number;
  /** Whether n must be taken to depend on the outcomes. */
  readonly stopped: boolean;
}

/** So unlikely a pattern is not taken for chance. */
const CHANCE = 1e-3;

/**
 * Whether groups end at their first success. Then n depends on the outcomes and the count estimators (c/n, pass@k)
 * are biased upwards: with n stopped at the first success E[c/n] = −p ln p / (1−p) > p. If n had been fixed, each place of a single success would be equally
 * likely (probability 1/n), so that ∏ 1/n over the groups judges the pattern; one group with another pattern
 * refutes it. Posterior estimates hold either way, for a stopping rule that looks at outcomes only does not change
 * the likelihood (Berger and Wolpert, "The likelihood principle", 1988).
 *
 * `outcomes`: of each group, the successes (1) and failures (0) in the order in which rollouts were launched.
 */
export function stopOnSuccess(outcomes: Iterable<readonly number[]>): StopOnSuccess {
  let groups = 0;
  let ended = 0;
  let chance = 1;
  for (const group of outcomes) {
    const first = group.findIndex((outcome) => outcome === 1);
    if (first < 0 || group.length < 2) continue;
    groups += 1;
    if (first === group.length - 1) {
      ended += 1;
      chance /= group.length;
    }
  }
  return { groups, ended, chance: groups === 0 ? 1 : chance, stopped: groups === ended && chance < CHANCE };
}

/** How an allocator chose n, as far as the estimators are concerned. */
export type SampleRule = 'fixed' | 'before-outcomes' | 'after-outcomes' | 'on-success';

/**
 * Which estimates of a prompt may be drawn. 'counts': c/n, pass@k, pass^k and the rest. 'posterior': only those of
 * the posterior, because n was chosen in the light of the same samples' outcomes.
 */
export function estimatesAllowed(rule: SampleRule): 'counts' | 'posterior' {
  return rule === 'fixed' || rule === 'before-outcomes' ? 'counts' : 'posterior';
}
