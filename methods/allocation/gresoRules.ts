/** The four rules that GRESO is made of, one function each (Infini-AI-Lab/GRESO@b277843154). */

/** Groups at the end of a trace, counted back from the newest, that satisfy the test. */
function consecutive(trace: readonly number[], test: (reward: number) => boolean): number {
  let count = 0;
  while (count < trace.length && test(trace[trace.length - 1 - count]!)) count += 1;
  return count;
}

export interface GresoThresholds {
  /** A group counts as all correct from this mean reward on, as all wrong up to that one. */
  readonly correctFrom: number;
  readonly wrongTo: number;
}

export interface GresoSkip {
  /** Newest groups in a row that were all correct, or all wrong. */
  readonly easy: number;
  readonly hard: number;
  /** Probability of skipping for the one reason or the other: 1 − max(p^z, floor), 0 where z is 0. */
  readonly easyProbability: number;
  readonly hardProbability: number;
}

/**
 * Probabilities of skipping a prompt, from the mean rewards of its earlier groups, oldest first. The base p is the
 * probability of exploring the prompt all the same, and its power is never taken below the floor. Both are 0 for a
 * prompt that was never sampled or whose newest group was mixed.
 */
export function gresoSkip(
  trace: readonly number[],
  explore: { readonly easy: number; readonly hard: number; readonly floor: number },
  { correctFrom, wrongTo }: GresoThresholds,
): GresoSkip {
  const easy = consecutive(trace, (reward) => reward >= correctFrom);
  const hard = consecutive(trace, (reward) => reward <= wrongTo);
  return {
    easy,
    hard,
    easyProbability: easy > 0 ? 1 - Math.max(explore.easy ** easy, explore.floor) : 0,
    hardProbability: hard > 0 ? 1 - Math.max(explore.hard ** hard, explore.floor) : 0,
  };
}

/**
 * Whether it is skipped, by uniform draws: a prompt that was sampled before takes one for the easy test, and one more
 * for the hard test if its newest group was all wrong. As in the release, a draw equal to the probability keeps.
 */
export function gresoDecides(
  trace: readonly number[],
  skip: GresoSkip,
  draw: () => number,
): 'keep' | 'skip-easy' | 'skip-hard' {
  if (trace.length === 0) return 'keep';
  if (draw() < skip.easyProbability) return 'skip-easy';
  return skip.hard > 0 && draw() < skip.hardProbability ? 'skip-hard' : 'keep';
}

export interface GresoShares {
  /** Share of the sampled groups that was all correct, or all wrong. */
  readonly easy: number;
  readonly hard: number;
}

/**
 * Exploration probabilities after a step: one `step` down where the share reached its target, else one up, within
 * `minimum` .. `maximum`. A third of the target share is meant for easy, two thirds for hard groups.
 */
export function gresoExploration(
  before: GresoShares,
  shares: GresoShares,
  {
    target,
    step,
    minimum,
    maximum,
  }: { readonly target: number; readonly step: number; readonly minimum: number; readonly maximum: number },
): GresoShares {
  const move = (p: number, share: number, goal: number): number =>
    share >= goal ? Math.max(p - step, minimum) : Math.min(p + step, maximum);
  return {
    easy: move(before.easy, shares.easy, target / 3),
    hard: move(before.hard, shares.hard, (target * 2) / 3),
  };
}

export interface GresoBatch {
  /** Prompts estimated to be needed, and how many are sampled next. */
  readonly estimated: number;
  readonly prompts: number;
  /** The estimate fits into one batch: the step ends with it. */
  readonly last: boolean;
}

/**
 * Prompts to sample next for the rollouts still missing, when this share of groups had no variance: ⌊missing / (1 −
 * share) / G · safety⌋, at most the default batch, at least the minimum. A share of 1 divides by zero in the release;
 * here the default batch follows, and it is not the last.
 */
export function gresoBatch(
  missingPrompts: number,
  zeroVarianceShare: number,
  by: {
    readonly groupSize: number;
    readonly safety: number;
    readonly batch: number;
    readonly minimum: number;
  },
): GresoBatch {
  if (zeroVarianceShare >= 1) return { estimated: Infinity, prompts: by.batch, last: false };
  const missing = missingPrompts * by.groupSize;
  const estimated = Math.trunc((missing / (1 - zeroVarianceShare) / by.groupSize) * by.safety);
  return {
    estimated,
    prompts: Math.max(Math.min(estimated, by.batch), by.minimum),
    last: estimated <= by.batch,
  };
}

/**
 * What a group counts as: 'easy' if every reward is exactly `correct`, 'hard' if every one is exactly `wrong` (the
 * reward of a wrong answer in the right format; in the release all-0 groups are not hard), 'flat' if all are equal
 * otherwise, 'mixed' if they are not.
 */
export function gresoKind(
  rewards: readonly number[],
  correct: number,
  wrong: number,
): 'easy' | 'hard' | 'flat' | 'mixed' {
  const [first] = rewards;
  if (first === undefined || rewards.some((reward) => reward !== first)) return 'mixed';
  return first === correct ? 'easy' : first === wrong ? 'hard' : 'flat';
}
