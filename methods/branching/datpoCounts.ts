import { Refusal } from '../refusal';

export interface DatpoLimits {
  /** At a pass rate of 0. */
  readonly mostForks: number;
  readonly mostBranches: number;
  /** false: always the limits, also where every root rollout succeeded. */
  readonly adaptive: boolean;
}

export interface DatpoCounts {
  /** V: mean reward (or share of successes) of the root rollouts, 0 .. 1. */
  readonly value: number;
  /** Fork points per root rollout and continuations per fork point. */
  readonly forks: number;
  readonly branches: number;
  /** root · (1 + forks · branches); fewer if a rollout has fewer sentences than forks. */
  readonly mostLeaves: number;
}

/** ⌈most · share⌉ where share = lost / n: in integers where both are whole, else forgiving the rounding of the sum. */
const roundedUp = (most: number, lost: number, n: number): number =>
  Number.isInteger(lost) ? Math.floor((most * lost + n - 1) / n) : Math.ceil((most * lost) / n - 1e-9);

/**
 * DATPO: ⌈most · (1 − V)⌉ fork points per root rollout and as many branches per fork point; none iff every root
 * rollout succeeded (arXiv 2609.08650, equations 1 and 2). Exact for binary rewards: in doubles 10 · (1 − 0.7)
 * rounds up to 4 instead of 3, and the released ⌈−K·V + K⌉ has such cases of its own.
 *
 * Throws a Refusal without a root rollout, or for a reward outside 0 .. 1.
 */
export function datpoCounts(
  rewards: readonly number[],
  { mostForks, mostBranches, adaptive }: DatpoLimits,
): DatpoCounts {
  const n = rewards.length;
  if (n === 0) throw new Refusal('bad-outcome', 'No root rollout has ended: there is no value to decide by.');
  const bad = rewards.find((reward) => !(reward >= 0 && reward <= 1));
  if (bad !== undefined) {
    throw new Refusal(
      'bad-reward',
      `DATPO needs rewards between 0 and 1; one is ${bad}. Give success flags instead.`,
    );
  }
  const lost = rewards.reduce((sum, reward) => sum + (1 - reward), 0);
  const forks = adaptive ? roundedUp(mostForks, lost, n) : mostForks;
  const branches = adaptive ? roundedUp(mostBranches, lost, n) : mostBranches;
  return { value: 1 - lost / n, forks, branches, mostLeaves: n * (1 + forks * branches) };
}
