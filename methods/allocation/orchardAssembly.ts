import { roundHalfEven } from './dora';
import type { FinishedRollouts } from './outcomes';

export interface BarOptions {
  /** Rollouts of a group (N). */
  readonly size: number;
  /** Share of rewards above 0 that is aimed at, and the range of it. */
  readonly target: number;
  readonly least: number;
  readonly most: number;
}

export interface BarGroup {
  /** Places in launch order: rewards above 0 first, each part the shortest first; then what pads the group. */
  readonly rollouts: readonly number[];
  readonly positives: number;
  /** Of the group, rollouts that completed. */
  readonly usable: number;
}

type Ended = Pick<FinishedRollouts, 'rewards' | 'tokens' | 'endings'>;

/** Order of endings where a group has to be padded. */
const RANK = { complete: 0, aborted: 1, 'time-exceeded': 2 } as const;

const byLength =
  ({ tokens }: Ended) =>
  (a: number, b: number): number =>
    tokens[a]! - tokens[b]! || a - b;

const places = ({ rewards }: Ended): number[] => rewards.map((_, i) => i);

/**
 * A group of completed rollouts whose number of rewards above 0 is as near to the aimed one as it can be, within the
 * range; undefined if there is none. Bounds of the range in whole rollouts, halves of the aim to the even number.
 */
export function barAssemble(ended: Ended, { size, target, least, most }: BarOptions): BarGroup | undefined {
  const usable = places(ended)
    .filter((i) => ended.endings[i] === 'complete')
    .sort(byLength(ended));
  if (usable.length < size) return undefined;
  const positive = usable.filter((i) => ended.rewards[i]! > 0);
  const negative = usable.filter((i) => ended.rewards[i]! <= 0);
  const aim = roundHalfEven(target * size);
  // The shares are decimal fractions: what misses a whole number by rounding only counts as that number.
  const from = Math.max(Math.ceil(least * size - 1e-9), size - negative.length);
  const to = Math.min(Math.floor(most * size + 1e-9), positive.length);
  if (from > to) return undefined;
  const positives = Math.max(from, Math.min(to, aim));
  return {
    rollouts: [...positive.slice(0, positives), ...negative.slice(0, size - positives)],
    positives,
    usable: size,
  };
}

/** What is left when no group could be assembled: completed rollouts, the shortest first, then others as padding. */
export function barPadded(ended: Ended, { size }: BarOptions): BarGroup {
  const rank = (i: number): number => RANK[ended.endings[i]!];
  const rollouts = places(ended)
    .sort((a, b) => rank(a) - rank(b) || byLength(ended)(a, b))
    .slice(0, size);
  return {
    rollouts,
    positives: rollouts.filter((i) => ended.rewards[i]! > 0).length,
    usable: rollouts.filter((i) => rank(i) === 0).length,
  };
}
