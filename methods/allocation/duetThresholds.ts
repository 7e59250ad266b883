/** What the confidence of the next token is measured by; entropy stops below its threshold, the others above. */
export type DuetSignal = 'max_prob' | 'margin' | 'top_k_mass' | 'mean_logprob' | 'entropy';
export type DuetThresholdMode = 'batch_percentile' | 'linear' | 'log_scale';

export interface DuetThresholdOptions {
  readonly signal: DuetSignal;
  readonly mode: DuetThresholdMode;
  readonly floor: number;
  readonly ceiling: number;
}

const clip = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** Band of thresholds of a signal: log-probabilities and entropies have fixed ends of their own. */
const bandOf = ({ signal, floor, ceiling }: DuetThresholdOptions): readonly [number, number] => {
  if (signal === 'mean_logprob') return [-3, -0.05];
  return signal === 'entropy' ? [floor, 5] : [floor, ceiling];
};

const middleOf = (by: DuetThresholdOptions): number => {
  const [low, high] = bandOf(by);
  return by.signal === 'mean_logprob' ? -1.5 : (low + high) / 2;
};

/** Threshold of one prompt by its own rate of information. */
function byItself(rate: number, by: DuetThresholdOptions): number {
  if (by.mode === 'log_scale') {
    const [low, high] = bandOf(by);
    const share = 1 / (1 + Math.exp(-6 * (Math.log1p(rate) / 20 - 0.5)));
    return clip(low + (high - low) * share, by.signal === 'mean_logprob' ? -5 : low, high);
  }
  const scaled = rate / 1e8;
  switch (by.signal) {
    case 'margin':
      return clip(0.3 + 0.5 * scaled, by.floor, by.ceiling);
    case 'mean_logprob':
      return clip(-1.5 + scaled, -5, -0.05);
    case 'entropy':
      return clip(0.5 + scaled, by.floor, 5);
    default:
      return clip(0.5 + 0.4 * scaled, by.floor, by.ceiling);
  }
}

/**
 * Thresholds of DUET's stop rule from the rate of information s² / L of each prompt (duet_logits_processor.py,
 * assign_thresholds_batched). batch_percentile spreads the ranks over the band, equal rates in the order given, and a
 * single prompt gets the middle; the other modes look at each prompt alone.
 */
export function duetThresholds(
  spreads: readonly number[],
  lengths: readonly number[],
  by: DuetThresholdOptions,
): number[] {
  const rates = spreads.map((spread, i) => spread ** 2 / Math.max(lengths[i]!, 1));
  if (by.mode !== 'batch_percentile') {
    return rates.map((rate, i) => (lengths[i]! > 0 ? byItself(rate, by) : by.floor));
  }
  if (rates.length === 1) return [middleOf(by)];
  const [low, high] = bandOf(by);
  const thresholds = new Array<number>(rates.length).fill(low);
  rates
    .map((_, i) => i)
    .sort((a, b) => rates[a]! - rates[b]! || a - b)
    .forEach((prompt, rank) => (thresholds[prompt] = low + (high - low) * (rank / (rates.length - 1))));
  return thresholds;
}
