import { roundHalfEven } from './dora';

export interface DuetOptions {
  /** Tokens to spend. */
  readonly target: number;
  readonly least: number;
  readonly most: number;
  /** Halvings of ln λ on [−20, 20]. */
  readonly iterations: number;
  /** The sum of the counts must be a multiple of this; 1 for any sum. */
  readonly workers: number;
}

export interface DuetAllocation {
  readonly lambda: number;
  /** Counts at this λ, after the trim to the target, and after the sum was made divisible. */
  readonly atLambda: readonly number[];
  readonly trimmed: readonly number[];
  readonly counts: readonly number[];
  readonly trims: number;
  readonly divisibility: 'noop' | 'trim' | 'pad' | 'trim+pad';
}

const tokensOf = (counts: readonly number[], lengths: readonly number[]): number =>
  counts.reduce((sum, count, i) => sum + count * lengths[i]!, 0);

/** Counts at a price λ of a token: s / (√λ √L), rounded half to even, within bounds. */
export function duetAtLambda(
  lambda: number,
  spreads: readonly number[],
  lengths: readonly number[],
  { least, most }: Pick<DuetOptions, 'least' | 'most'>,
): number[] {
  const root = Math.sqrt(Math.max(lambda, 1e-30));
  return spreads.map((spread, i) =>
    Math.max(least, Math.min(most, roundHalfEven(spread / (root * Math.sqrt(Math.max(lengths[i]!, 1)))))),
  );
}

/** Length limits that go with a price; the released trainer computes them but does not apply them. Tokens. */
export function duetMaxTokens(
  lambda: number,
  spreads: readonly number[],
  lengths: readonly number[],
): number[] {
  return spreads.map((spread, i) => {
    const tokens = roundHalfEven(spread * Math.sqrt(Math.max(lengths[i]!, 1) / Math.max(lambda, 1e-30)));
    return Math.max(32, Math.min(4096, tokens));
  });
}

/** Share with which a prompt would be sampled at all: its count over the mean count, between a floor and 1. */
export function duetPropensities(counts: readonly number[], floor: number): number[] {
  const mean = Math.max(1, counts.reduce((sum, count) => sum + count, 0) / counts.length);
  return counts.map((count) => Math.max(floor, Math.min(1, count / mean)));
}

/** Takes rollouts from the longest prompts until the target holds, at most four for each prompt. */
function trim(
  counts: readonly number[],
  lengths: readonly number[],
  { target, least }: DuetOptions,
): { counts: number[]; trims: number } {
  const trimmed = [...counts];
  let tokens = tokensOf(trimmed, lengths);
  // The longest that can still give stays the longest until it is at its least.
  const order = lengths.map((_, i) => i).sort((a, b) => lengths[b]! - lengths[a]! || a - b);
  const limit = 4 * counts.length;
  let trims = 0;
  for (const prompt of order) {
    while (tokens > target && trims < limit && trimmed[prompt]! > least) {
      trimmed[prompt]! -= 1;
      tokens -= lengths[prompt]!;
      trims += 1;
    }
  }
  return { counts: trimmed, trims };
}

/** Makes the sum divisible: sweeps that take one from each prompt above the least, else one more for the smallest. */
export function duetDivisible(
  counts: readonly number[],
  workers: number,
  least: number,
): { counts: number[]; mode: DuetAllocation['divisibility'] } {
  const result = [...counts];
  let residue = result.reduce((sum, count) => sum + count, 0) % workers;
  if (residue === 0) return { counts: result, mode: 'noop' };
  const all = result.map((_, i) => i);
  let trimmed = false;
  for (;;) {
    const above = all.filter((i) => result[i]! > least).sort((a, b) => result[b]! - result[a]! || a - b);
    for (const prompt of above.slice(0, residue)) {
      result[prompt]! -= 1;
      residue -= 1;
    }
    trimmed ||= above.length > 0;
    if (residue === 0) return { counts: result, mode: 'trim' };
    if (above.length === 0) break;
  }
  const order = all.sort((a, b) => result[a]! - result[b]! || a - b);
  for (let added = 0; added < workers - residue; added++) result[order[added % order.length]!]! += 1;
  return { counts: result, mode: trimmed ? 'trim+pad' : 'pad' };
}

/**
 * Rollouts by Neyman's rule with a price: bisection on ln λ until the tokens meet the target, a trim of what rounding
 * left above it, and divisibility (duet_allocator.py; trim of ray_trainer.py).
 */
export function duetAllocation(
  spreads: readonly number[],
  lengths: readonly number[],
  by: DuetOptions,
): DuetAllocation {
  let low = -20;
  let high = 20;
  for (let i = 0; i < by.iterations; i++) {
    const middle = 0.5 * (low + high);
    const tokens = tokensOf(duetAtLambda(Math.exp(middle), spreads, lengths, by), lengths);
    if (tokens > by.target) low = middle;
    else high = middle;
  }
  const lambda = Math.exp(0.5 * (low + high));
  const atLambda = duetAtLambda(lambda, spreads, lengths, by);
  const { counts: trimmed, trims } = trim(atLambda, lengths, by);
  const { counts, mode } = duetDivisible(trimmed, by.workers, by.least);
  return { lambda, atLambda, trimmed, counts, trims, divisibility: mode };
}
