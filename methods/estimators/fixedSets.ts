import { checkK } from './counts';

/** The prompts over which a curve is averaged for `fromK` < k ≤ `toK`: all with n ≥ `toK`. */
export interface FixedSet {
  readonly fromK: number;
  readonly toK: number;
  /** Indices, ascending. */
  readonly prompts: readonly number[];
  /** Prompts with samples that have fewer than `toK`. */
  readonly leftOut: number;
}

/**
 * The sets of prompts that averages over k may stand on. An average at each k over whatever prompts have n ≥ k mixes
 * different prompts, and such a curve can fall although pass@k cannot; within one of these sets it never does.
 * Ranges are as long as they can be: a new set begins only where a prompt drops out. The first holds the most
 * prompts, the last reaches the greatest k. Empty if no prompt has a sample or no k is within reach.
 *
 * `samples[prompt]` = n; 0, NaN or a hole: the prompt was not measured. Throws a Refusal unless ks are integers of
 * at least 1; they must rise.
 */
export function fixedSets(samples: ArrayLike<number>, ks: readonly number[]): FixedSet[] {
  ks.forEach(checkK);
  const least = ks[0];
  if (least === undefined) return [];
  let measured = 0;
  let candidates: number[] = [];
  for (let prompt = 0; prompt < samples.length; prompt++) {
    if (!(samples[prompt]! > 0)) continue;
    measured += 1;
    if (samples[prompt]! >= least) candidates.push(prompt);
  }
  const sets: FixedSet[] = [];
  let fromK = 0;
  ks.forEach((k, i) => {
    if (candidates.length === 0) return;
    const nextK = ks[i + 1];
    const next = nextK === undefined ? [] : candidates.filter((prompt) => samples[prompt]! >= nextK);
    if (next.length === candidates.length) return;
    sets.push({ fromK, toK: k, prompts: candidates, leftOut: measured - candidates.length });
    fromK = k;
    candidates = next;
  });
  return sets;
}
