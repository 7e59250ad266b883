import { checkBeta, checkCounts, checkK, checkLevel } from './counts';
import { betaQuantile } from './incompleteBeta';

/** Prior of a prompt's success probability p: Beta(a, b). */
export interface BetaPrior {
  readonly a: number;
  readonly b: number;
}

/** Every success probability equally likely before the first sample. */
export const UNIFORM_PRIOR: BetaPrior = { a: 1, b: 1 };

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Beta(a + c, b + n − c), the posterior of p after n samples with c correct. Throws a Refusal on impossible counts. */
export function posterior(samples: number, correct: number, prior: BetaPrior = UNIFORM_PRIOR): BetaPrior {
  checkCounts(samples, correct);
  checkBeta(prior.a, prior.b);
  return { a: prior.a + correct, b: prior.b + samples - correct };
}

/** Mean of p under Beta(a, b). */
export function betaMean({ a, b }: BetaPrior): number {
  return a / (a + b);
}

/** Equal-tailed interval of p under Beta(a, b), at the given level. */
export function betaInterval({ a, b }: BetaPrior, level = 0.95): Interval {
  checkLevel(level);
  const tail = (1 - level) / 2;
  return { low: betaQuantile(tail, a, b), high: 1 - betaQuantile(tail, b, a) };
}

/** E[p^k] under Beta(a, b): ∏_{i<k} (a + i) / (a + b + i). k ≥ 0 is an integer. */
export function expectedPower({ a, b }: BetaPrior, k: number): number {
  let product = 1;
  for (let i = 0; i < k && product > 0; i++) product *= (a + i) / (a + b + i);
  return product;
}

/**
 * Posterior mean of pass@k = 1 − (1−p)^k under p ~ Beta(a, b): 1 − ∏_{i<k} (b + i) / (a + b + i). Defined at every k,
 * also beyond the number of samples, where it is an extrapolation by the model and must be drawn as one.
 */
export function posteriorPassAtK(distribution: BetaPrior, k: number): number {
  checkBeta(distribution.a, distribution.b);
  checkK(k);
  return 1 - expectedPower({ a: distribution.b, b: distribution.a }, k);
}

/** Equal-tailed interval of pass@k: pass@k rises with p, so that its quantiles are those of p carried over. */
export function passAtKInterval(distribution: BetaPrior, k: number, level = 0.95): Interval {
  checkK(k);
  const { low, high } = betaInterval(distribution, level);
  return { low: atLeastOne(low, k), high: atLeastOne(high, k) };
}

/** 1 − (1−p)^k without cancellation at small p: the probability of at least one success in k independent samples. */
export function atLeastOne(p: number, k: number): number {
  return 0 - Math.expm1(k * Math.log1p(-p));
}
