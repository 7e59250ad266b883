import type { FittedPopulation } from './betaBinomial';
import type { Interval } from './betaPosterior';
import { checkK, checkLevel } from './counts';
import { normalHalfWidth } from './normalQuantile';
import { Refusal } from '../refusal';

export interface ExtrapolatedPoint extends Interval {
  readonly k: number;
  readonly mean: number;
  /** Prompts with n < k: of them no sample speaks for the value at k. */
  readonly beyond: number;
}

/**
 * The average pass@k of the population that was fitted (`fitBetaBinomial`), at any k, also where n < k:
 * 1 − ∏_{i<k} (b+i) / (a+b+i). It stands on all prompts at every k and never falls; beyond n it is an extrapolation
 * that holds only as far as the success rates follow a Beta distribution, and must be drawn as one.
 *
 * Interval: delta method on the logit of pass@k with the fit's covariance of (ln a, ln b), so that what the fit does
 * not know of the population is in it. Several dozen prompts or more.
 *
 * `samples[prompt]` = n, for `beyond`. Throws a Refusal unless ks rise.
 */
export function extrapolatedCurve(
  { distribution: { a, b }, covariance: [varianceA, both, varianceB] }: FittedPopulation,
  samples: readonly number[],
  ks: readonly number[],
  level = 0.95,
): ExtrapolatedPoint[] {
  checkLevel(level);
  const z = normalHalfWidth(level);
  let miss = 1;
  // Derivatives of ln miss in ln a and ln b.
  let slopeA = 0;
  let slopeB = 0;
  let i = 0;
  return ks.map((k) => {
    checkK(k);
    if (k <= i) throw new Refusal('bad-count', 'The values of k must rise.');
    for (; i < k; i++) {
      miss *= (b + i) / (a + b + i);
      slopeA -= a / (a + b + i);
      slopeB += b / (b + i) - b / (a + b + i);
    }
    const mean = 1 - miss;
    const variance = slopeA * slopeA * varianceA + 2 * slopeA * slopeB * both + slopeB * slopeB * varianceB;
    // d logit(1 − miss) = −d ln miss / (1 − miss).
    const half = (z * Math.sqrt(variance)) / mean;
    const odds = mean / miss;
    return {
      k,
      mean,
      low: miss > 0 ? 1 / (1 + Math.exp(half) / odds) : 1,
      high: miss > 0 ? 1 / (1 + Math.exp(-half) / odds) : 1,
      beyond: samples.filter((n) => n < k).length,
    };
  });
}
