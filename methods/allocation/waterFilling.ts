/** Counts that a greedy hand-out by marginal gain ends with. */
export interface WaterLevel {
  readonly counts: readonly number[];
  /** Gain of the last rollout given; undefined if none was given. Every rollout given gained at least the price. */
  readonly price: number | undefined;
  /** Rollouts that no prompt could take: all are at their cap, or no gain is positive. */
  readonly unspent: number;
}

export interface WaterFillingTask {
  readonly prompts: number;
  readonly budget: number;
  /** Counts to begin with; their sum must not exceed the budget. */
  readonly lower: (prompt: number) => number;
  readonly upper: (prompt: number) => number;
  /** Gain of one more rollout for a prompt that has `count`. */
  readonly gain: (prompt: number, count: number) => number;
  /** Hand out rollouts of gain 0 too (true), or stop at the first one (false). */
  readonly alsoWithoutGain: boolean;
}

/**
 * Gives one rollout at a time to the prompt with the greatest gain; equal gains go to the lower index. The result is
 * optimal where each prompt's gains do not rise with its count. O(budget · log prompts).
 */
export function fillByGain(task: WaterFillingTask): WaterLevel {
  const { prompts, gain, upper } = task;
  const counts = Array.from({ length: prompts }, (_, prompt) => task.lower(prompt));
  const gains = new Float64Array(prompts);
  const heap = new Int32Array(prompts);
  let size = 0;

  const before = (a: number, b: number): boolean => gains[a]! > gains[b]! || (gains[a] === gains[b] && a < b);
  const sink = (start: number): void => {
    const item = heap[start]!;
    let at = start;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && before(heap[child + 1]!, heap[child]!)) child += 1;
      if (!before(heap[child]!, item)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = item;
  };

  for (let prompt = 0; prompt < prompts; prompt++) {
    if (counts[prompt]! < upper(prompt)) {
      gains[prompt] = gain(prompt, counts[prompt]!);
      heap[size++] = prompt;
    }
  }
  for (let at = (size >> 1) - 1; at >= 0; at--) sink(at);

  let left = task.budget - counts.reduce((sum, count) => sum + count, 0);
  let price: number | undefined;
  while (left > 0 && size > 0) {
    const best = heap[0]!;
    const value = gains[best]!;
    if (!task.alsoWithoutGain && !(value > 0)) break;
    price = value;
    counts[best]! += 1;
    left -= 1;
    if (counts[best]! < upper(best)) gains[best] = gain(best, counts[best]!);
    else heap[0] = heap[--size]!;
    if (size > 0) sink(0);
  }
  return { counts, price, unspent: left };
}

/** Splits `amount` into whole shares as even as they can be; the first ones get what does not divide. */
export function evenShares(amount: number, among: number): number[] {
  const share = Math.floor(amount / among);
  const rest = amount - share * among;
  return Array.from({ length: among }, (_, i) => share + (i < rest ? 1 : 0));
}
