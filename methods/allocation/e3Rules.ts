import { Refusal } from '../refusal';
import type { PastGroup } from './inputs';

/** Rank before the first pass over the data is over; weighs nothing. */
export const UNKNOWN_RANK = -100;

/** Mean reward of all earlier rollouts of a prompt; 0 if it was never sampled. */
export function meanOfHistory(history: readonly Pick<PastGroup, 'rollouts' | 'meanReward'>[]): number {
  let rollouts = 0;
  let reward = 0;
  for (const group of history) {
    rollouts += group.rollouts;
    reward += group.meanReward * group.rollouts;
  }
  return rollouts === 0 ? 0 : reward / rollouts;
}

/** Place by mean reward, descending, over the number of prompts; equal means in the order given. */
export function e3Ranks(means: readonly number[]): number[] {
  const ranks = new Array<number>(means.length).fill(0);
  means
    .map((_, i) => i)
    .sort((a, b) => means[b]! - means[a]! || a - b)
    .forEach((prompt, place) => (ranks[prompt] = place / means.length));
  return ranks;
}

export interface E3Bounds {
  readonly least: number;
  readonly most: number;
}

/** Bounds in a pass over the data: both start at n and move by `update` after each pass, to `low` and `high`. */
export function e3Bounds(
  epoch: number,
  {
    n,
    low,
    high,
    update,
  }: { readonly n: number; readonly low: number; readonly high: number; readonly update: number },
): E3Bounds {
  let bounds = { least: n, most: n };
  for (let passed = 0; passed < epoch; passed++) {
    const next = { least: Math.max(bounds.least - update, low), most: Math.min(bounds.most + update, high) };
    if (next.least === bounds.least && next.most === bounds.most) break;
    bounds = next;
  }
  return bounds;
}

/**
 * ⌊least + (budget − B · least) · rank / (Σ ranks + 1e−8)⌋, then what rounding left over to the highest ranks, each up
 * to `most`; equal ranks in the order given. As released, the shares themselves are not cut at `most`, and below a
 * budget of B · least hard prompts lose rollouts, even below 0.
 */
export function e3Counts(ranks: readonly number[], budget: number, { least, most }: E3Bounds): number[] {
  const weights = ranks.map((rank) => (rank === UNKNOWN_RANK ? 0 : rank));
  const total = weights.reduce((sum, weight) => sum + weight, 0) + 1e-8;
  const extra = budget - ranks.length * least;
  const counts = weights.map((weight) => Math.floor(least + (extra * weight) / total));
  let left = budget - counts.reduce((sum, count) => sum + count, 0);
  const order = ranks.map((_, i) => i).sort((a, b) => ranks[b]! - ranks[a]! || a - b);
  for (const prompt of order) {
    if (left <= 0) break;
    const added = Math.min(left, most - counts[prompt]!);
    if (added <= 0) continue;
    counts[prompt]! += added;
    left -= added;
  }
  return counts;
}

export interface E3TemperatureOptions {
  readonly first: number;
  readonly vocabulary: number;
  /** Steps that only collect entropies. */
  readonly initSteps: number;
  /** Entropy to hold, nats; undefined: the mean of the first steps. */
  readonly target: number | undefined;
  /** Undefined: the target stays. */
  readonly annealing: { readonly steps: number; readonly ratio: number; readonly factor: number } | undefined;
}

export interface E3Temperature {
  readonly temperature: number;
  /** Entropy aimed at from the next step on; undefined before it is known. */
  readonly target: number | undefined;
}

/**
 * Sampling temperature after each step, from the policy's entropy in it: T ← T (1 + T ln(target / H) / (ln V +
 * ln ln V)). The target falls along a cosine in the last `ratio` of the steps, and acts from the step after; as
 * released it rises again beyond the last one. Throws a Refusal for an entropy or target of 0.
 */
export function e3Temperatures(entropies: readonly number[], options: E3TemperatureOptions): E3Temperature[] {
  const factor = Math.log(options.vocabulary) + Math.log(Math.log(options.vocabulary));
  let temperature = options.first;
  let base = options.target;
  let target = base;
  let collected = 0;
  return entropies.map((entropy, i) => {
    const step = i + 1;
    if (step <= options.initSteps) {
      collected += entropy;
    } else {
      base ??= collected / options.initSteps;
      target ??= base;
      if (!(entropy > 0) || !(target > 0)) {
        throw new Refusal(
          'bad-rate',
          `E3 divides by the entropy, which was ${entropy} in step ${step}; it must be above 0.`,
        );
      }
      temperature *= 1 + (temperature * Math.log(target / entropy)) / factor;
    }
    if (options.annealing !== undefined && base !== undefined) {
      const { steps, ratio, factor: floor } = options.annealing;
      const start = steps - Math.trunc(steps * ratio);
      if (step >= start) {
        if (steps === start) {
          throw new Refusal(
            'bad-parameter',
            'E3 divides by the number of annealed steps, which is 0: raise annealingRatio.',
          );
        }
        const progress = (step - start) / (steps - start);
        target = base * ((1 - floor) * 0.5 * (1 + Math.cos(Math.PI * progress)) + floor);
      }
    }
    return { temperature, target };
  });
}
