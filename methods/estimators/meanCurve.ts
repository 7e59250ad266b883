import { passAtKInterval, posterior } from './betaPosterior';
import type { PromptCounts } from './betaBinomial';
import { bootstrapCurve } from './bootstrap';
import type { PassAtKTable } from './passAtKTable';
import { Rng } from '../random';

/** With so many prompts the mean is normal enough for cluster standard errors; with fewer the prompts are resampled. */
const CLUSTER_PROMPTS = 200;
const RESAMPLES = 400;

/** cluster: standard errors with the prompt as the unit. posterior: of a single prompt, under Beta(1, 1). */
export type Band = 'cluster' | 'bootstrap' | 'posterior' | 'none';

/** Mean pass@k over prompts at the first ks of a table; NaN where an end of the 95 % interval is not known. */
export interface MeanCurve {
  readonly value: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly band: Band;
}

export interface MeanCurveOptions {
  /** Of the resampling: the same name gives the same band. */
  readonly seed: string;
  /** Resample prompts, however many there are. */
  readonly bootstrap?: boolean;
  /** Counts behind a curve of one prompt, for its posterior; undefined: they are no independent samples. */
  readonly single?: PromptCounts | undefined;
}

/**
 * The mean over `prompts` at the first `length` ks of the table, with the band that suits their number: standard
 * errors from 200 prompts on, a bootstrap over prompts below, the posterior of p for a single one. Throws a Refusal
 * without prompts, or where one of them has too few samples.
 */
export function meanCurve(
  table: PassAtKTable,
  prompts: readonly number[],
  length: number,
  { seed, bootstrap = false, single }: MeanCurveOptions,
): MeanCurve {
  const means = table.curveOver(prompts, length);
  const value = means.map(({ mean }) => mean);
  const curve = (
    band: Band,
    ends: readonly { readonly low: number | undefined; readonly high: number | undefined }[],
  ): MeanCurve => ({
    value,
    low: ends.map(({ low }) => low ?? Number.NaN),
    high: ends.map(({ high }) => high ?? Number.NaN),
    band,
  });
  if (prompts.length === 1) {
    if (single === undefined) return curve('none', means);
    const now = posterior(single.samples, single.correct);
    return curve(
      'posterior',
      table.ks.slice(0, length).map((k) => passAtKInterval(now, k)),
    );
  }
  if (!bootstrap && prompts.length >= CLUSTER_PROMPTS) return curve('cluster', means);
  const rng = Rng.from(`pass@k ${seed}`);
  return curve('bootstrap', bootstrapCurve(table, prompts, length, rng, { resamples: RESAMPLES }));
}
