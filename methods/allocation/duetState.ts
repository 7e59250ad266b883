/** Running mean of what was observed of a prompt; `count` observations went in. */
export interface RunningMean {
  readonly count: number;
  readonly mean: number;
}

export const NOTHING_SEEN: RunningMean = { count: 0, mean: 0 };

const withValue = ({ count, mean }: RunningMean, value: number): RunningMean => ({
  count: count + 1,
  mean: mean + (value - mean) / (count + 1),
});

/** After a group with this spread of advantage times log-probability; what is no number or beyond 1e12 is ignored. */
export function withSpread(before: RunningMean, spread: number): RunningMean {
  return Math.abs(spread) < 1e12 ? withValue(before, spread) : before;
}

/** After a kept rollout of this length, tokens; below 0 or from 1e9 on is ignored. */
export function withLength(before: RunningMean, tokens: number): RunningMean {
  return tokens >= 0 && tokens < 1e9 ? withValue(before, tokens) : before;
}

/**
 * The mean once enough went in, else undefined: what a run records as `gradientSpread` and `meanTokens` for DUET
 * (duet_prompt_state.py; its warm-up for spreads is 1 by default).
 */
export function meanFrom({ count, mean }: RunningMean, warmUp = 1): number | undefined {
  return count >= Math.max(1, warmUp) ? mean : undefined;
}
