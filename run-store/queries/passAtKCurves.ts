import { fitBetaBinomial, type PromptCounts } from '../../methods/estimators/betaBinomial';
import { posterior, posteriorPassAtK } from '../../methods/estimators/betaPosterior';
import { extrapolatedCurve } from '../../methods/estimators/extrapolatedCurve';
import { meanCurve } from '../../methods/estimators/meanCurve';
import { PassAtKTable } from '../../methods/estimators/passAtKTable';
import type { Curve } from '../../protocol/panels/passAtK';
import type { Measurement } from './measurements';

/** A measurement with pass@k of each of its prompts. */
export interface Evaluated {
  readonly measurement: Measurement;
  readonly table: PassAtKTable;
}

/** One curve: prompts (rows) of a measurement. */
export interface Part {
  readonly key: string;
  readonly of: Evaluated;
  readonly prompts: readonly number[];
}

export interface Points {
  readonly k: readonly number[];
  readonly extrapolatedK: readonly number[];
  /** Resample prompts, however many there are. */
  readonly bootstrap: boolean;
}

export function evaluate(measurement: Measurement, k: readonly number[]): Evaluated {
  const { n, c, trees } = measurement;
  const table = new PassAtKTable(k);
  for (let prompt = 0; prompt < n.length; prompt++) {
    const rates = trees.get(prompt);
    if (rates && rates.length > 0) table.setTrees(prompt, rates);
    else if (n[prompt]! > 0) table.set(prompt, n[prompt]!, c[prompt]!);
  }
  return { measurement, table };
}

/** Whether the prompt is defined at each of the first `length` ks. */
export const isFull = ({ table }: Evaluated, prompt: number, length: number): boolean =>
  table.at(prompt, length - 1) !== undefined;

/** The curve of a part over its ks, for which all its prompts are defined. */
export function curveOf({ key, of, prompts }: Part, points: Points): Omit<Curve, 'crossing'> {
  const { measurement, table } = of;
  const { n, c, trees } = measurement;
  const only = prompts[0]!;
  const { value, low, high, band } = meanCurve(table, prompts, points.k.length, {
    seed: measurement.key,
    bootstrap: points.bootstrap,
    // Leaves of one tree are no samples of a posterior.
    single: trees.has(only) ? undefined : { samples: n[only]!, correct: c[only]! },
  });
  let nMin = Infinity;
  let nMax = 0;
  let samples = 0;
  let correct = 0;
  for (const prompt of prompts) {
    nMin = Math.min(nMin, n[prompt]!);
    nMax = Math.max(nMax, n[prompt]!);
    samples += n[prompt]!;
    correct += c[prompt]!;
  }
  return {
    key,
    step: measurement.step,
    policyVersion: measurement.policyVersion < 0 ? null : measurement.policyVersion,
    pooled: measurement.pooled,
    value,
    low,
    high,
    extrapolated: extrapolation(measurement, prompts, points.extrapolatedK),
    nMin,
    nMax,
    samples,
    correct,
    prompts: prompts.length,
    interval: band,
  };
}

/**
 * By the population of prompts that the samples suggest, a single prompt by its posterior under it; NaN where no such
 * population can be fitted.
 */
function extrapolation(
  { n, c }: Measurement,
  prompts: readonly number[],
  ks: readonly number[],
): readonly number[] {
  const countsOf = (prompt: number): PromptCounts => ({ samples: n[prompt]!, correct: c[prompt]! });
  const only = prompts.length === 1 ? prompts[0]! : null;
  const fit = fitBetaBinomial(only === null ? prompts.map(countsOf) : Array.from(n.keys(), countsOf));
  if ('none' in fit) return ks.map(() => NaN);
  if (only !== null) {
    const now = posterior(n[only]!, c[only]!, fit.distribution);
    return ks.map((k) => posteriorPassAtK(now, k));
  }
  const samples = prompts.map((prompt) => n[prompt]!);
  return extrapolatedCurve(fit, samples, ks).map(({ mean }) => mean);
}
