import { betaQuantile } from '../estimators/incompleteBeta';

/**
 * t with P(T ≤ t) = 1 − a/2 for Student's T with this many degrees of freedom: x = ν/(ν + t²) is a Beta(ν/2, ½)
 * quantile. Both x and 1 − x are solved for, so that neither end loses digits. Throws a Refusal unless 0 ≤ a ≤ 1.
 */
export function twoSidedT(a: number, freedom: number): number {
  const x = betaQuantile(a, freedom / 2, 0.5);
  const y = betaQuantile(1 - a, 0.5, freedom / 2);
  return Math.sqrt((freedom * y) / x);
}
