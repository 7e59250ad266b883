import { betaPower } from '../estimators/incompleteBeta';
import type { PastGroup } from './inputs';
import { evenShares, fillByGain } from './waterFilling';

/** Where a prompt stands by its pass rate: below 0.05, above 0.99, or in between. */
export type CobaRole = 'hard' | 'between' | 'easy';
export const cobaRole = (p: number): CobaRole => (p < 0.05 ? 'hard' : p > 0.99 ? 'easy' : 'between');

/** Pass rate pooled over the newest groups; undefined if the prompt was never sampled. */
export function pooledRate(history: readonly PastGroup[], groups: number): number | undefined {
  const newest = history.slice(-groups);
  if (newest.length === 0) return undefined;
  const successes = newest.reduce((sum, group) => sum + group.successes, 0);
  return successes / newest.reduce((sum, group) => sum + group.rollouts, 0);
}

export interface CobaOptions {
  readonly budget: number;
  readonly least: number;
  readonly most: number;
  readonly a: number;
  readonly b: number;
  readonly tauLeast: number;
  readonly tauMost: number;
  readonly varianceMost: number;
  readonly smoothing: number;
  readonly explorationShare: number;
  readonly rest: string;
  readonly hardness: number;
}

export interface CobaAllocation {
  readonly counts: readonly number[];
  /** Of these, given by value rather than as the minimum or of the rest. */
  readonly byValue: readonly number[];
  /** Undefined where no prompt is in between, or nothing is left after the minima. */
  readonly tau: number | undefined;
  readonly price: number;
  readonly gain: (prompt: number, count: number) => number;
}

/** The released allocation of prompts with pass rates; the budget covers `least` for each. */
export function cobaAllocation(rates: readonly number[], by: CobaOptions): CobaAllocation {
  const clipped = rates.map((p) => Math.min(1 - by.smoothing, Math.max(by.smoothing, p)));
  const between = rates.flatMap((p, i) => (cobaRole(p) === 'between' ? [i] : []));
  const counts = rates.map(() => by.least);
  const byValue = rates.map(() => 0);
  let left = by.budget - by.least * rates.length;
  const share = between.length / rates.length;
  const ratio =
    between.length === 0
      ? 0.6
      : share > 0.5
        ? by.explorationShare
        : 0.6 + (by.explorationShare - 0.6) * (share * 2);
  const exploration = Math.trunc(left * ratio);
  const tau =
    between.length > 0 && exploration > 0
      ? tauOf(
          between.map((i) => clipped[i]!),
          by,
        )
      : undefined;
  const value = (prompt: number, count: number): number => {
    const p = clipped[prompt]!;
    const density = betaPower(p, 1 - p, by.a, by.b) / (p * (1 - p));
    return (1 - Math.exp((-count / (tau ?? by.tauLeast)) * p * (1 - p))) * density;
  };
  const gain = (prompt: number, count: number): number => value(prompt, count + 1) - value(prompt, count);
  let price = 0;
  if (tau !== undefined) {
    const level = fillByGain({
      prompts: between.length,
      budget: by.least * between.length + exploration,
      lower: () => by.least,
      upper: () => Math.max(by.least, by.most),
      gain: (i, count) => gain(between[i]!, count),
      alsoWithoutGain: true,
    });
    between.forEach((prompt, i) => {
      counts[prompt] = level.counts[i]!;
      byValue[prompt] = level.counts[i]! - by.least;
    });
    left -= exploration - level.unspent;
    price = level.price ?? 0;
  }
  for (const role of ['hard', 'between', 'easy'] as const) {
    left = shareRest(
      left,
      rates.flatMap((p, i) => (cobaRole(p) === role ? [i] : [])),
      rates,
      counts,
      by,
    );
  }
  return { counts, byValue, tau, price, gain };
}

function tauOf(rates: readonly number[], by: CobaOptions): number {
  const mean = rates.reduce((sum, p) => sum + p, 0) / rates.length;
  const variance = rates.reduce((sum, p) => sum + (p - mean) ** 2, 0) / rates.length;
  return by.tauLeast + (by.tauMost - by.tauLeast) * Math.min(1, variance / by.varianceMost);
}

/** Adds to `counts`; answers with what is still left. One weighted pass over a shrinking rest, then one even one. */
function shareRest(
  left: number,
  prompts: readonly number[],
  rates: readonly number[],
  counts: number[],
  by: CobaOptions,
): number {
  const room = (prompt: number): number => by.most - counts[prompt]!;
  const give = (prompt: number, amount: number): void => {
    const given = Math.min(amount, room(prompt));
    counts[prompt]! += given;
    left -= given;
  };
  const open = prompts.filter((prompt) => room(prompt) > 0);
  if (left <= 0 || open.length === 0) return left;
  if (by.rest === 'weighted') {
    const weights = open.map(
      (prompt) => (1 - Math.min(1 - 1e-6, Math.max(1e-6, rates[prompt]!))) ** by.hardness,
    );
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    if (total > 0) open.forEach((prompt, i) => give(prompt, Math.trunc((left * weights[i]!) / total)));
  }
  const still = open.filter((prompt) => room(prompt) > 0);
  if (left > 0 && still.length > 0)
    evenShares(left, still.length).forEach((amount, i) => give(still[i]!, amount));
  return left;
}
