import type { Rng } from './random';

/** Standard normal, polar method (Marsaglia and Bray, 1964); one value a call, so that no state is hidden. */
export function sampleNormal(rng: Rng): number {
  for (;;) {
    const u = 2 * rng.float() - 1;
    const v = 2 * rng.float() - 1;
    const s = u * u + v * v;
    if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
  }
}

/**
 * Natural logarithm of a Gamma(shape, 1) draw (Marsaglia and Tsang, "A simple method for generating gamma
 * variables", 2000). The logarithm, because a draw at a small shape lies below the smallest double.
 */
function sampleLogGamma(rng: Rng, shape: number): number {
  if (shape < 1) {
    // G(a) = G(a + 1) · U^(1/a); 1 − float() is never 0.
    return sampleLogGamma(rng, shape + 1) + Math.log(1 - rng.float()) / shape;
  }
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = sampleNormal(rng);
    const cube = 1 + c * x;
    if (cube <= 0) continue;
    const v = cube * cube * cube;
    if (Math.log(1 - rng.float()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return Math.log(d * v);
  }
}

const positive = (value: number, name: string): void => {
  if (!(value > 0) || !Number.isFinite(value)) {
    throw new RangeError(`${name} must be a positive finite number; it was ${value}.`);
  }
};

/** Gamma(shape, scale 1). Throws RangeError unless shape is positive and finite. */
export function sampleGamma(rng: Rng, shape: number): number {
  positive(shape, 'The shape of a Gamma distribution');
  return Math.exp(sampleLogGamma(rng, shape));
}

/** Beta(a, b) as the share of two gamma draws. Throws RangeError unless a and b are positive and finite. */
export function sampleBeta(rng: Rng, a: number, b: number): number {
  positive(a, 'The first parameter of a Beta distribution');
  positive(b, 'The second parameter of a Beta distribution');
  const x = sampleLogGamma(rng, a);
  const y = sampleLogGamma(rng, b);
  return 1 / (1 + Math.exp(y - x));
}

/** A new array with the items in uniformly random order (Fisher and Yates, Durstenfeld's form). */
export function shuffled<T>(rng: Rng, items: readonly T[]): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = rng.below(i + 1);
    const held = result[i]!;
    result[i] = result[j]!;
    result[j] = held;
  }
  return result;
}

/** `count` items without replacement, each subset equally likely, in random order; all of them if count is larger. */
export function sampleWithoutReplacement<T>(rng: Rng, items: readonly T[], count: number): T[] {
  const pool = [...items];
  const taken = Math.min(count, pool.length);
  for (let i = 0; i < taken; i++) {
    const j = i + rng.below(pool.length - i);
    const held = pool[i]!;
    pool[i] = pool[j]!;
    pool[j] = held;
  }
  return pool.slice(0, taken);
}

/**
 * An index drawn with probability proportional to its weight. Weights need not sum to 1.
 * Throws RangeError if a weight is negative or not finite, or if all are 0.
 */
export function sampleIndex(rng: Rng, weights: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i]!;
    if (!(weight >= 0) || !Number.isFinite(weight)) {
      throw new RangeError(`Weight ${i} is ${weight}; weights must be finite and not negative.`);
    }
    total += weight;
  }
  if (!(total > 0)) throw new RangeError('All weights are 0: there is nothing to draw from.');
  let left = rng.float() * total;
  let last = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i]!;
    if (weight === 0) continue;
    last = i;
    left -= weight;
    if (left < 0) return i;
  }
  return last;
}
