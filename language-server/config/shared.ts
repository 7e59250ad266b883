import type { Config } from './config';

/** "70 %": expected share of groups of 0/1 rewards that are all equal, p^G + (1 − p)^G. */
export function zeroGradientShare(rate: number, group: number): string {
  return `${(100 * (rate ** group + (1 - rate) ** group)).toFixed(0)} %`;
}

/** Greatest common divisor of two whole numbers above 0. */
export function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/** The product of counts; undefined where one is not known. */
export function product(config: Config, ...keys: readonly string[]): number | undefined {
  let total = 1;
  for (const key of keys) {
    const count = config.count(key);
    if (count === undefined) return undefined;
    total *= count;
  }
  return total;
}
