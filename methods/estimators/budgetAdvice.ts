import { betaMean, posterior, UNIFORM_PRIOR } from './betaPosterior';
import type { BetaPrior } from './betaPosterior';
import type { PromptCounts } from './betaBinomial';
import { checkBeta, checkK, checkLevel } from './counts';
import { oneOutcomeUnderBeta } from './zeroGradientShare';

/** More rollouts than this are not advised: the answer is then "more than that". */
export const MOST_ADVISED = 65_536;

/**
 * Least m with P(at least one success in m more rollouts) ≥ `probability` under p ~ Beta(a, b). The number of
 * successes to come is Beta-binomial, and none has the probability ∏_{i<m} (b+i) / (a+b+i) (Skellam, "A probability
 * distribution derived from the binomial distribution …", JRSS B 10, 1948). Unlike the geometric answer at a known
 * p it grows fast with `probability`: rates near 0 remain possible.
 *
 * `undefined`: more than `most`. Throws a Refusal unless 0 < probability < 1.
 */
export function rolloutsUntilSuccess(
  { a, b }: BetaPrior,
  probability: number,
  most = MOST_ADVISED,
): number | undefined {
  checkBeta(a, b);
  checkLevel(probability);
  let miss = 1;
  for (let m = 1; m <= most; m++) {
    miss *= (b + m - 1) / (a + b + m - 1);
    // A half that is exact but for rounding counts as reached.
    if (1 - miss >= probability - 1e-12) return m;
  }
  return undefined;
}

export interface BudgetAdvice {
  /** Index of the prompt in what was asked. */
  readonly prompt: number;
  /** More rollouts until a first success has come with probability .5 and .9; undefined: more than MOST_ADVISED. */
  readonly half: number | undefined;
  readonly ninety: number | undefined;
  /** Probability that `rollouts` more hold a success. */
  readonly anySuccess: number;
  /** Successes to expect from each rollout: the posterior mean of p. */
  readonly successesPerRollout: number;
  /** Probability that a fresh group of `rollouts` has both outcomes, so that it gives a gradient, over its size. */
  readonly mixedPerRollout: number;
}

/**
 * What `rollouts` more are worth at each prompt, from its posterior Beta(a+c, b+n−c). Most worth first: by the
 * probability of a mixed group for each rollout spent, 1 − E[p^m] − E[(1−p)^m] over m; equal ones keep their order.
 * The posterior is right also where earlier rollouts were stopped on success: it depends on n and c alone.
 *
 * Binary rewards, and the same policy as the recorded samples: after updates older samples say less than this.
 * Throws a Refusal on impossible counts, or unless `rollouts` is an integer of at least 1.
 */
export function budgetAdvice(
  prompts: readonly PromptCounts[],
  rollouts: number,
  prior: BetaPrior = UNIFORM_PRIOR,
): BudgetAdvice[] {
  checkK(rollouts);
  const advice = prompts.map(({ samples, correct }, prompt): BudgetAdvice => {
    const now = posterior(samples, correct, prior);
    const { allWrong, either } = oneOutcomeUnderBeta(now, rollouts);
    return {
      prompt,
      half: rolloutsUntilSuccess(now, 0.5),
      ninety: rolloutsUntilSuccess(now, 0.9),
      anySuccess: 1 - allWrong,
      successesPerRollout: betaMean(now),
      mixedPerRollout: rollouts > 1 ? Math.max(0, 1 - either) / rollouts : 0,
    };
  });
  return advice.sort((x, y) => y.mixedPerRollout - x.mixedPerRollout);
}
