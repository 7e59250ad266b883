import { normalHalfWidth } from './normalQuantile';
import type { PassAtKTable } from './passAtKTable';
import { Refusal } from '../refusal';

/** Mean of (shown − reference) over the prompts, paired, so that the prompts' own spread drops out. */
export interface PairedDifference {
  readonly k: number;
  readonly mean: number;
  /** z · standard error of the mean difference; undefined for a single prompt. */
  readonly halfWidth: number | undefined;
  readonly prompts: number;
}

/**
 * Paired difference of two tables at the first `length` ks, over one fixed set: every prompt (same index in both
 * tables) that is defined at all of them in both. Empty if there is none.
 * Throws a Refusal if the tables have different ks.
 */
export function pairedDifference(
  shown: PassAtKTable,
  reference: PassAtKTable,
  length: number,
  level = 0.95,
): PairedDifference[] {
  if (shown.ks.length !== reference.ks.length || shown.ks.some((k, i) => k !== reference.ks[i])) {
    throw new Refusal('bad-count', 'Two curves can be compared only at the same values of k.');
  }
  const common: number[] = [];
  for (let prompt = 0; prompt < Math.min(shown.size, reference.size); prompt++) {
    if (shown.at(prompt, length - 1) !== undefined && reference.at(prompt, length - 1) !== undefined) {
      common.push(prompt);
    }
  }
  const n = common.length;
  if (n === 0) return [];
  const z = normalHalfWidth(level);
  return shown.ks.slice(0, length).map((k, i) => {
    const differences = common.map((prompt) => shown.at(prompt, i)! - reference.at(prompt, i)!);
    const mean = differences.reduce((sum, d) => sum + d, 0) / n;
    const squares = differences.reduce((sum, d) => sum + (d - mean) ** 2, 0);
    return { k, mean, halfWidth: n > 1 ? z * Math.sqrt(squares / (n - 1) / n) : undefined, prompts: n };
  });
}

export interface Crossing {
  /** Where the curves meet, linear in log k between the neighbouring points. */
  readonly k: number;
  /** Sign of shown − reference on the side of the larger k. */
  readonly above: 'shown' | 'reference';
}

/**
 * Where two curves cross: coverage traded for accuracy is one crossing with the reference above at large k. Curves
 * that touch without changing sides do not cross. `shown` and `reference` hold the values at `ks`, which rise.
 */
export function crossings(
  ks: readonly number[],
  shown: readonly (number | undefined)[],
  reference: readonly (number | undefined)[],
): Crossing[] {
  const result: Crossing[] = [];
  let lastK = 0;
  let last = 0;
  ks.forEach((k, i) => {
    const a = shown[i];
    const b = reference[i];
    if (a === undefined || b === undefined || a === b) return;
    const difference = a - b;
    if (last !== 0 && Math.sign(last) !== Math.sign(difference)) {
      const share = last / (last - difference);
      result.push({ k: lastK * (k / lastK) ** share, above: difference > 0 ? 'shown' : 'reference' });
    }
    last = difference;
    lastK = k;
  });
  return result;
}
