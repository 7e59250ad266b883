import { Refusal } from '../refusal';
import { checkK } from './counts';

/**
 * Expected greatest and least value of a uniformly random k-subset of the scores, without replacement (the exact
 * form of best@k and worst@k; ties do not matter): Σ x_(i) C(i−1, k−1) / C(n, k) over the ascending order.
 * `undefined` for k > n. Throws a Refusal if a score is not finite.
 */
export function bestAtK(
  scores: readonly number[],
  k: number,
): { readonly best: number; readonly worst: number } | undefined {
  checkK(k);
  if (!scores.every(Number.isFinite))
    throw new Refusal('bad-reward', 'A score is not a finite number; leave it out first.');
  const n = scores.length;
  if (k > n) return undefined;
  const sorted = Float64Array.from(scores).sort();
  let best = 0;
  let worst = 0;
  // Weight of the i-th greatest, from k/n downwards: C(i−2, k−1) / C(i−1, k−1) = (i−k) / (i−1).
  let weight = k / n;
  for (let i = n; i >= k; i--) {
    best += weight * sorted[i - 1]!;
    worst += weight * sorted[n - i]!;
    if (i > 1) weight *= (i - k) / (i - 1);
  }
  return { best, worst };
}
