import { Refusal } from '../refusal';

/** Φ(x) − ½ by its power series (Marsaglia, "Evaluating the normal distribution", 2004), for |x| ≤ 7. */
function aboveHalf(x: number): number {
  let term = x;
  let sum = x;
  for (let i = 3; Math.abs(term) > 1e-18 * Math.abs(sum); i += 2) {
    term *= (x * x) / i;
    sum += term;
  }
  return (sum * Math.exp(-0.5 * x * x)) / Math.sqrt(2 * Math.PI);
}

/**
 * z with P(|Z| ≤ z) = level for a standard normal Z (1.96 at 0.95), by Newton's method.
 * Throws a Refusal unless 0 < level ≤ 0.999999.
 */
export function normalHalfWidth(level: number): number {
  if (!(level > 0 && level <= 0.999999)) {
    throw new Refusal(
      'bad-parameter',
      `An interval of level ${level} is not offered. Give a level above 0 and up to 0.999999.`,
    );
  }
  let z = 1;
  for (let i = 0; i < 60; i++) {
    const density = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
    const step = (aboveHalf(z) - level / 2) / density;
    z = Math.min(7, Math.max(0, z - Math.max(-1, Math.min(1, step))));
    if (Math.abs(step) < 1e-15) break;
  }
  return z;
}
