/** When DUET ends a rollout. Lengths in generated tokens. */
export interface DuetStopOptions {
  /** Margin of the two most probable tokens above which a token counts as sure. */
  readonly threshold: number;
  /** Undefined: the margin alone decides, from `minTokens` on. */
  readonly marker:
    | {
        /** Look for the answer marker from here on, every `every` tokens, in the last `window` of them. */
        readonly from: number;
        readonly every: number;
        readonly window: number;
        /** No marker up to here: give up, but for a small share. */
        readonly giveUpAt: number;
      }
    | undefined;
  readonly minTokens: number;
  /** Sure tokens in a row. */
  readonly hysteresis: number;
  /** Share of rollouts without a marker that go on, and of ends that are ignored, so that all lengths stay possible. */
  readonly keepShare: number;
  readonly ignoreShare: number;
}

export interface DuetEnd {
  /** Generated tokens after which the end is forced; undefined if it never is. */
  readonly after: number | undefined;
  /** Given up without a marker: such a rollout trains with no gradient. */
  readonly aborted: boolean;
  readonly sawMarker: boolean;
  /** Without a marker, but kept; its weight is 1 / keepShare. */
  readonly kept: boolean;
}

/**
 * DUET's stop rule over one rollout, from the margin of the two most probable tokens after each generated token and
 * the token that completes its answer marker (duet_logits_processor.py, DuetStopProcessor). It is no allocation method:
 * a training log has neither. One uniform number is drawn for each decision to give up and for each end that is due.
 */
export function duetEnd(
  margins: readonly number[],
  markerAt: number | undefined,
  { threshold, marker, minTokens, hysteresis, keepShare, ignoreShare }: DuetStopOptions,
  draw: () => number,
): DuetEnd {
  let sawMarker = false;
  let kept = false;
  let inARow = 0;
  const has = (tokens: number, window: number): boolean =>
    markerAt !== undefined && markerAt <= tokens && markerAt > tokens - window;
  for (let tokens = minTokens; tokens < margins.length; tokens++) {
    if (marker !== undefined && !sawMarker && !kept) {
      if (tokens >= marker.from && tokens % marker.every === 0) sawMarker = has(tokens, marker.window);
      if (!sawMarker && tokens >= marker.giveUpAt) {
        sawMarker = has(tokens, marker.window);
        if (!sawMarker) {
          if (draw() >= keepShare) return { after: tokens, aborted: true, sawMarker, kept };
          kept = true;
        }
      }
    }
    if (marker !== undefined && !sawMarker) continue;
    inARow = margins[tokens]! > threshold ? inARow + 1 : 0;
    if (inARow < hysteresis) continue;
    if (draw() >= ignoreShare) return { after: tokens, aborted: false, sawMarker, kept };
    inARow = Math.max(0, hysteresis - 1);
  }
  return { after: undefined, aborted: false, sawMarker, kept };
}

/** Lengths between which DUET looks for an answer marker before it gives up, tokens. */
export interface DuetCheckpoints {
  readonly from: number;
  readonly giveUp: number;
}

/** Quantile with linear interpolation, as numpy's default. */
function quantile(sorted: readonly number[], q: number): number {
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low);
}

/**
 * Checkpoints after each step from the kept lengths of the steps: 30 % and 70 % of the longest response at first; from
 * the 9th step on, every `every` steps and with at least 32 lengths, two quantiles of the newest ones.
 */
export function duetCheckpoints(
  lengthsByStep: readonly (readonly number[])[],
  by: {
    readonly maxTokens: number;
    readonly history: number;
    readonly every: number;
    readonly low: number;
    readonly high: number;
    readonly floor: number;
    readonly gap: number;
  },
): DuetCheckpoints[] {
  let current = { from: Math.trunc(0.3 * by.maxTokens), giveUp: Math.trunc(0.7 * by.maxTokens) };
  let stored: number[] = [];
  let last = -1;
  return lengthsByStep.map((lengths, i) => {
    stored = [...stored, ...lengths].slice(-by.history);
    if (i + 1 - last >= by.every && stored.length >= 32) {
      last = i + 1;
      const sorted = [...stored].sort((a, b) => a - b);
      const from = Math.max(by.floor, Math.trunc(quantile(sorted, by.low)));
      current = { from, giveUp: Math.max(from + by.gap, Math.trunc(quantile(sorted, by.high))) };
    }
    return current;
  });
}
