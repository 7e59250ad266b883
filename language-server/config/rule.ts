import type { FindingSeverity } from '../finding';
import type { Config } from './config';

/** A change of one value that makes a rule hold. */
export interface Proposal {
  readonly key: string;
  /** As it is to be written. */
  readonly value: string;
}

/** What a rule has to say. */
export interface Verdict {
  readonly severity: FindingSeverity;
  /** What is wrong with the numbers put in, what it means, what to do. */
  readonly message: string;
  /** The keys it is about, the one to change first; marked at the first that the text sets. */
  readonly about: readonly string[];
  readonly proposals?: readonly Proposal[];
}

/**
 * One rule of a framework: a condition over the resolved config. Undefined where it holds, or where anything that it
 * needs is not known.
 */
export interface Rule {
  /** Stable, as in `verl.V1`. */
  readonly id: string;
  check(config: Config): Verdict | undefined;
}

/** The nearest whole numbers below and above that satisfy a condition, the nearer first. */
export function nearest(current: number, isValid: (value: number) => boolean, reach = 4096): number[] {
  const found: number[] = [];
  for (let value = current - 1; value >= Math.max(1, current - reach); value -= 1) {
    if (isValid(value)) {
      found.push(value);
      break;
    }
  }
  for (let value = Math.max(current + 1, 1); value <= current + reach; value += 1) {
    if (isValid(value)) {
      found.push(value);
      break;
    }
  }
  return found.sort((a, b) => Math.abs(a - current) - Math.abs(b - current));
}

/** Proposals of the nearest numbers for a key that the config sets. */
export function proposeNearest(config: Config, key: string, isValid: (value: number) => boolean): Proposal[] {
  const current = config.number(key);
  if (current === undefined || !Number.isSafeInteger(current) || !config.isSet(key)) return [];
  return nearest(current, isValid).map((value) => ({ key, value: String(value) }));
}

/** "nearest: 60 or 72"; empty where there is none. */
export function nearestWords(current: number, isValid: (value: number) => boolean): string {
  const values = nearest(current, isValid);
  return values.length === 0 ? '' : `; nearest: ${values.join(' or ')}`;
}
