import { checkCounts, checkK } from './counts';
import { normalHalfWidth } from './normalQuantile';
import { fixedSets } from './fixedSets';
import type { FixedSet } from './fixedSets';
import { missProbability } from './passAtK';
import { passAtKOfTrees } from './treePassAtK';
import { Refusal } from '../refusal';

/** Average pass@k over the prompts of a set. */
export interface CurvePoint {
  readonly k: number;
  readonly mean: number;
  /** Standard error of the mean with the prompt as the unit (cluster); undefined for a single prompt. */
  readonly standardError: number | undefined;
  /** mean ∓ z · standardError, cut to 0 .. 1; undefined for a single prompt. */
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/**
 * A curve over one fixed set of prompts: those with n ≥ `toK`. It is defined from k = 1 on; a picture that shows the
 * greatest possible set everywhere draws it for `fromK` < k ≤ `toK` only and breaks the line there.
 */
export interface FixedSetCurve extends FixedSet {
  readonly points: readonly CurvePoint[];
}

/**
 * Per-prompt pass@k at ascending k, kept so that a live update costs only the changed prompts, and the averages over
 * fixed sets of prompts. Averaging at each k over whatever prompts have n ≥ k mixes different sets: such a curve can
 * fall (.546 at k = 4, .181 at k = 8 on (n, c) = (4,3), (4,4), (64,2), (64,1)) although pass@k cannot.
 */
export class PassAtKTable {
  readonly ks: readonly number[];
  #values: Float64Array;
  /** n of each prompt; 0 where no counts are known. */
  #samples: Float64Array;
  #size = 0;

  /** Throws a Refusal unless ks are ascending integers of at least 1. */
  constructor(ks: readonly number[]) {
    ks.forEach((k, i) => {
      checkK(k);
      if (i > 0 && k <= ks[i - 1]!) throw new Refusal('bad-count', 'The values of k must rise.');
    });
    if (ks.length === 0) throw new Refusal('bad-count', 'A curve needs at least one value of k.');
    this.ks = [...ks];
    this.#values = new Float64Array(64 * ks.length);
    this.#samples = new Float64Array(64);
  }

  /** Greatest prompt index set so far + 1. */
  get size(): number {
    return this.#size;
  }

  /** n samples and c correct ones of prompt `index`, replacing what was there. Throws a Refusal on impossible counts. */
  set(index: number, n: number, c: number): void {
    checkCounts(n, c);
    if (index >= this.#samples.length) this.#grow(index + 1);
    if (index >= this.#size) this.#size = index + 1;
    const width = this.ks.length;
    const at = index * width;
    let k0 = 0;
    let miss = 1;
    let i = 0;
    for (; i < width; i++) {
      const k = this.ks[i]!;
      if (k > n) break;
      // Below 2^−60 the miss probability no longer changes 1 − miss.
      if (miss > 1e-18) miss = missProbability(n, c, k, k0, miss);
      k0 = k;
      this.#values[at + i] = 1 - miss;
    }
    this.#samples[index] = n;
    this.#values.fill(Number.NaN, at + i, at + width);
  }

  /**
   * Success rates of the independent trees of prompt `index` (see `passAtKOfTrees`), replacing what was there: each
   * tree is one sample. Throws a Refusal unless every rate lies in 0 .. 1.
   */
  setTrees(index: number, rates: readonly number[]): void {
    if (index >= this.#samples.length) this.#grow(index + 1);
    if (index >= this.#size) this.#size = index + 1;
    passAtKOfTrees(rates, this.ks).forEach((value, i) => {
      this.#values[index * this.ks.length + i] = value ?? Number.NaN;
    });
    this.#samples[index] = rates.length;
  }

  /** pass@k of one prompt at `ks[i]`; undefined for k > n or an unknown prompt. */
  at(index: number, i: number): number | undefined {
    const k = this.ks[i];
    return k !== undefined && k <= (this.#samples[index] ?? 0)
      ? this.#values[index * this.ks.length + i]
      : undefined;
  }

  /** One curve a fixed set, the greatest set first; empty if no prompt has a sample. */
  curves(level = 0.95): FixedSetCurve[] {
    return fixedSets(this.#samples, this.ks).map((set) => ({
      ...set,
      points: this.curveOver(set.prompts, this.ks.indexOf(set.toK) + 1, level),
    }));
  }

  /** The average over the given prompts at the first `length` ks, all of which must be defined for each of them. */
  curveOver(prompts: readonly number[], length = this.ks.length, level = 0.95): CurvePoint[] {
    const z = normalHalfWidth(level);
    const width = this.ks.length;
    const count = prompts.length;
    if (count === 0) throw new Refusal('bad-count', 'An average needs at least one prompt.');
    const lastK = this.ks[length - 1] ?? 0;
    const sums = new Float64Array(length);
    for (const prompt of prompts) {
      if (!((this.#samples[prompt] ?? 0) >= lastK)) {
        throw new Refusal('bad-count', `Prompt ${prompt} has fewer samples than k = ${lastK}.`, [prompt]);
      }
      const at = prompt * width;
      for (let i = 0; i < length; i++) sums[i]! += this.#values[at + i]!;
    }
    const squares = new Float64Array(length);
    for (let i = 0; i < length; i++) sums[i]! /= count;
    for (const prompt of prompts) {
      const at = prompt * width;
      for (let i = 0; i < length; i++) squares[i]! += (this.#values[at + i]! - sums[i]!) ** 2;
    }
    return Array.from({ length }, (_, i) => {
      const mean = sums[i]!;
      const standardError = count > 1 ? Math.sqrt(squares[i]! / (count - 1) / count) : undefined;
      return {
        k: this.ks[i]!,
        mean,
        standardError,
        low: standardError === undefined ? undefined : Math.max(0, mean - z * standardError),
        high: standardError === undefined ? undefined : Math.min(1, mean + z * standardError),
      };
    });
  }

  #grow(needed: number): void {
    const room = Math.max(needed, 2 * this.#samples.length);
    const values = new Float64Array(room * this.ks.length);
    values.set(this.#values);
    const samples = new Float64Array(room);
    samples.set(this.#samples);
    this.#values = values;
    this.#samples = samples;
  }
}

/** 1, 2, 4, ... up to and including the greatest power of two that is at most n. */
export function powersOfTwo(n: number): number[] {
  const result: number[] = [];
  for (let k = 1; k <= n; k *= 2) result.push(k);
  return result;
}
