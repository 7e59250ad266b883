import { checkCounts, checkK } from './counts';

/**
 * Probability that none of k samples is correct, given that `before` is the same for k0 < k: C(n−c, k) / C(n, k).
 * Multiplies the k − k0 missing factors, or the c factors of the mirrored product, whichever are fewer.
 */
export function missProbability(n: number, c: number, k: number, k0 = 0, before = 1): number {
  if (k > n - c) return 0;
  let product = before;
  if (k - k0 <= c) {
    for (let j = k0; j < k; j++) product *= (n - c - j) / (n - j);
  } else {
    product = 1;
    for (let i = n - c + 1; i <= n; i++) product *= (i - k) / i;
  }
  return product;
}

/**
 * pass@k, unbiased: 1 − C(n−c, k) / C(n, k) as a product (Chen et al., "Evaluating large language models trained on
 * code", arXiv 2107.03374, equation 1): the share of the k-subsets of n independent samples that hold a correct one.
 * Within 1e-12 of the exact value for n up to 10,000.
 *
 * `undefined` for k > n: then the data do not determine it, and neither 0 nor 1 would be true.
 * Throws a Refusal unless 0 ≤ c ≤ n and k ≥ 1 are integers.
 */
export function passAtK(samples: number, correct: number, k: number): number | undefined {
  checkCounts(samples, correct);
  checkK(k);
  return k > samples ? undefined : 1 - missProbability(samples, correct, k);
}

/**
 * pass^k, unbiased: C(c, k) / C(n, k), the share of the k-subsets whose members are all correct (Yao et al.,
 * "τ-bench", arXiv 2406.12045). `undefined` for k > n. Throws as `passAtK`.
 */
export function passHatK(samples: number, correct: number, k: number): number | undefined {
  checkCounts(samples, correct);
  checkK(k);
  return k > samples ? undefined : missProbability(samples, samples - correct, k);
}
