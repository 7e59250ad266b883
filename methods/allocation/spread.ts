/** Sum in the order in which numpy adds: eight accumulators in blocks of 128, halves above that. */
export function pairwiseSum(values: ArrayLike<number>, from = 0, count = values.length): number {
  if (count < 8) {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += values[from + i]!;
    return sum;
  }
  if (count > 128) {
    const half = Math.floor(count / 2);
    const first = half - (half % 8);
    return pairwiseSum(values, from, first) + pairwiseSum(values, from + first, count - first);
  }
  const lanes = Array.from({ length: 8 }, (_, lane) => values[from + lane]!);
  const whole = count - (count % 8);
  for (let i = 8; i < whole; i += 8)
    for (let lane = 0; lane < 8; lane++) lanes[lane]! += values[from + i + lane]!;
  const [a, b, c, d, e, f, g, h] = lanes;
  let sum = a! + b! + (c! + d!) + (e! + f! + (g! + h!));
  for (let i = whole; i < count; i++) sum += values[from + i]!;
  return sum;
}

/** Population standard deviation as numpy computes it in double precision, with its rounding. */
export function numpyStandardDeviation(values: readonly number[]): number {
  const mean = pairwiseSum(values) / values.length;
  const squares = values.map((value) => (value - mean) * (value - mean));
  return Math.sqrt(pairwiseSum(squares) / values.length);
}
