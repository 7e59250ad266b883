import { Refusal } from '../refusal';

export interface GroupOutcome {
  /** Every rollout of the baseline has ended and none will be added. */
  readonly closed: boolean;
  /** Published total rewards of the rollouts in the baseline that have ended. */
  readonly rewards: readonly number[];
  /** Tokens of the group that are trained; absent where the job does not say. */
  readonly trainedTokens?: number;
}

/**
 * zero: a closed group that gives no gradient. gradient: one that does. neither: a closed group with fewer than two
 * rollouts in its baseline, which compares nothing. running: not closed yet; `allEqual` is the reward that all ended
 * rollouts share so far ("all 0 so far"), if there are two or more and they do.
 */
export type GradientVerdict =
  | { readonly kind: 'zero'; readonly because: 'equal-rewards'; readonly reward: number }
  | { readonly kind: 'zero'; readonly because: 'nothing-trained' }
  | { readonly kind: 'gradient' }
  | { readonly kind: 'neither' }
  | { readonly kind: 'running'; readonly allEqual: number | undefined };

/**
 * Whether a group gives a gradient: closed, at least two rollouts in the baseline, and the greatest and the least of
 * their total rewards equal, exactly, in doubles; or none of its tokens trained. A standard deviation or advantages
 * are not asked: in floating point they differ from 0 for equal rewards (0.1 three times).
 *
 * Throws a Refusal for a reward that is not finite.
 */
export function zeroGradient({ closed, rewards, trainedTokens }: GroupOutcome): GradientVerdict {
  let least = Infinity;
  let greatest = -Infinity;
  for (const reward of rewards) {
    if (!Number.isFinite(reward))
      throw new Refusal('bad-reward', `A reward of ${reward} cannot be compared.`);
    if (reward < least) least = reward;
    if (reward > greatest) greatest = reward;
  }
  const equal = rewards.length >= 2 && least === greatest;
  if (!closed) return { kind: 'running', allEqual: equal ? least : undefined };
  if (rewards.length < 2) return { kind: 'neither' };
  if (equal) return { kind: 'zero', because: 'equal-rewards', reward: least };
  return trainedTokens === 0 ? { kind: 'zero', because: 'nothing-trained' } : { kind: 'gradient' };
}
