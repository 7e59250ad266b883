/** C(n−c, k) / C(n, k) with whole numbers, apart from the product's own estimator. */
function combinations(n: bigint, k: bigint): bigint {
  let value = 1n;
  for (let i = 1n; i <= k; i++) value = (value * (n - k + i)) / i;
  return value;
}

export function exactPassAtK(n: number, c: number, k: number): number {
  if (n - c < k) return 1;
  const scale = 10n ** 15n;
  const miss = (combinations(BigInt(n - c), BigInt(k)) * scale) / combinations(BigInt(n), BigInt(k));
  return 1 - Number(miss) / 1e15;
}
