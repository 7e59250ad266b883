import type { Rng } from '../random';
import { Refusal } from '../refusal';
import { checkLevel } from './counts';
import type { Interval } from './betaPosterior';
import type { PassAtKTable } from './passAtKTable';

export interface BootstrapPoint extends Interval {
  readonly k: number;
  /** Standard deviation of the resampled means. */
  readonly standardError: number;
}

/** Value at quantile q of ascending values, linear between neighbours. */
function quantileOf(sorted: Float64Array, q: number): number {
  const at = q * (sorted.length - 1);
  const below = Math.floor(at);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (at - below) * (high - low);
}

/**
 * Percentile bootstrap of the average curve with the prompt as the unit (Efron and Tibshirani, "An introduction to
 * the bootstrap", 1993, chapter 13): each resample draws as many prompts with replacement, the same ones at every k.
 * Prompts are the first source of spread; samples within a prompt are not resampled again.
 *
 * Throws a Refusal for fewer than two prompts, where there is nothing to resample.
 */
export function bootstrapCurve(
  table: PassAtKTable,
  prompts: readonly number[],
  length: number,
  rng: Rng,
  options: { readonly level?: number; readonly resamples?: number } = {},
): BootstrapPoint[] {
  const { level = 0.95, resamples = 1000 } = options;
  checkLevel(level);
  const count = prompts.length;
  if (count < 2) throw new Refusal('bad-count', 'A bootstrap over prompts needs at least two prompts.');
  const rows = new Float64Array(count * length);
  prompts.forEach((prompt, row) => {
    for (let i = 0; i < length; i++) {
      const value = table.at(prompt, i);
      if (value === undefined) {
        throw new Refusal('bad-count', `Prompt ${prompt} has fewer samples than k = ${table.ks[i]!}.`, [
          prompt,
        ]);
      }
      rows[row * length + i] = value;
    }
  });
  const means = Array.from({ length }, () => new Float64Array(resamples));
  const sums = new Float64Array(length);
  for (let r = 0; r < resamples; r++) {
    sums.fill(0);
    for (let j = 0; j < count; j++) {
      const at = rng.below(count) * length;
      for (let i = 0; i < length; i++) sums[i]! += rows[at + i]!;
    }
    for (let i = 0; i < length; i++) means[i]![r] = sums[i]! / count;
  }
  return means.map((values, i) => {
    const mean = values.reduce((sum, x) => sum + x, 0) / resamples;
    const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (resamples - 1);
    values.sort();
    const tail = (1 - level) / 2;
    return {
      k: table.ks[i]!,
      low: quantileOf(values, tail),
      high: quantileOf(values, 1 - tail),
      standardError: Math.sqrt(variance),
    };
  });
}
