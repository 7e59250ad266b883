import { expectedPower, posterior, UNIFORM_PRIOR } from './betaPosterior';
import type { BetaPrior } from './betaPosterior';
import { checkBeta, checkCounts, checkK } from './counts';
import { missProbability } from './passAtK';
import { Refusal } from '../refusal';

/** Probability that a group of binary rewards is all wrong, all right, or either (then it gives no gradient). */
export interface OneOutcomeShare {
  readonly allWrong: number;
  readonly allRight: number;
  readonly either: number;
}

const share = (allWrong: number, allRight: number): OneOutcomeShare => ({
  allWrong,
  allRight,
  either: allWrong + allRight,
});

/** At a known pass rate p: (1−p)^G and p^G. Throws a Refusal unless 0 ≤ p ≤ 1. */
export function oneOutcomeAtRate(p: number, groupSize: number): OneOutcomeShare {
  checkK(groupSize);
  if (!(p >= 0 && p <= 1))
    throw new Refusal('bad-rate', `A pass rate of ${p} does not exist: it lies between 0 and 1.`);
  return share((1 - p) ** groupSize, p ** groupSize);
}

/** Over p ~ Beta(a, b): ∏ (b+i)/(a+b+i) and ∏ (a+i)/(a+b+i), i < G. */
export function oneOutcomeUnderBeta(distribution: BetaPrior, groupSize: number): OneOutcomeShare {
  checkK(groupSize);
  checkBeta(distribution.a, distribution.b);
  const { a, b } = distribution;
  return share(expectedPower({ a: b, b: a }, groupSize), expectedPower(distribution, groupSize));
}

/**
 * Unbiased from n samples with c correct: C(n−c, G)/C(n, G) and C(c, G)/C(n, G), the shares of the G-subsets with
 * one outcome. `undefined` for n < G.
 */
export function oneOutcomeFromCounts(
  samples: number,
  correct: number,
  groupSize: number,
): OneOutcomeShare | undefined {
  checkCounts(samples, correct);
  checkK(groupSize);
  if (samples < groupSize) return undefined;
  return share(
    missProbability(samples, correct, groupSize),
    missProbability(samples, samples - correct, groupSize),
  );
}

/** A group of the step and what was known of its prompt before the step: n samples, c correct. */
export interface GroupExpectation {
  readonly groupSize: number;
  readonly samples: number;
  readonly correct: number;
}

export interface ExpectedZeroGradientShare {
  /** Expected share of zero-gradient groups among `groups`; undefined if there is none. */
  readonly share: number | undefined;
  /** Groups of at least two rollouts: the whole of the share. Groups of one are neither and are left out. */
  readonly groups: number;
  /** How many of them were judged by the unbiased form (n ≥ G), and how many by the Beta posterior (n < G). */
  readonly unbiased: number;
  readonly posterior: number;
}

/**
 * Expected share of groups with one outcome only, each group at its own size and from data before its step: the
 * unbiased form where n ≥ G, else the posterior mean under the prior. Binary rewards are assumed.
 */
export function expectedZeroGradientShare(
  groups: Iterable<GroupExpectation>,
  prior: BetaPrior = UNIFORM_PRIOR,
): ExpectedZeroGradientShare {
  let sum = 0;
  let unbiased = 0;
  let byPosterior = 0;
  for (const { groupSize, samples, correct } of groups) {
    if (groupSize < 2) continue;
    const counted = oneOutcomeFromCounts(samples, correct, groupSize);
    if (counted === undefined) {
      sum += oneOutcomeUnderBeta(posterior(samples, correct, prior), groupSize).either;
      byPosterior += 1;
    } else {
      sum += counted.either;
      unbiased += 1;
    }
  }
  const count = unbiased + byPosterior;
  return { share: count > 0 ? sum / count : undefined, groups: count, unbiased, posterior: byPosterior };
}

/** Probability that a group of G rollouts at pass rate p has both outcomes: 1 − p^G − (1−p)^G. */
export function mixedProbability(p: number, groupSize: number): number {
  return 1 - oneOutcomeAtRate(p, groupSize).either;
}
