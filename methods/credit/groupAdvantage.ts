import { mean } from './credit';

export interface GroupNormalisation {
  /** Divide by the standard deviation: true in GRPO, false in Dr. GRPO. */
  readonly divide: boolean;
  /** Degrees of freedom taken off: 0 population, 1 sample (torch.std, and so verl). */
  readonly ddof: 0 | 1;
  /** Added to the standard deviation. */
  readonly epsilon: number;
}

/**
 * (r − mean) / (std + epsilon) within one group. A group of one has mean 0 and standard deviation 1 by the convention
 * of verl, so that a lone rollout keeps its reward. Equal rewards give exactly 0: the releases leave a rounding
 * residue there (0.1 eight times gives −0.0074 in single precision), which is no gradient signal.
 */
export function groupAdvantages(
  rewards: readonly number[],
  { divide, ddof, epsilon }: GroupNormalisation,
): number[] {
  const [first] = rewards;
  if (first === undefined) return [];
  if (rewards.length === 1) return [divide ? first / (1 + epsilon) : first];
  if (rewards.every((reward) => reward === first)) return rewards.map(() => 0);
  const centre = mean(rewards);
  if (!divide) return rewards.map((reward) => reward - centre);
  const squares = rewards.reduce((sum, reward) => sum + (reward - centre) ** 2, 0);
  const scale = Math.sqrt(squares / (rewards.length - ddof)) + epsilon;
  return rewards.map((reward) => (reward - centre) / scale);
}

/**
 * Leave-one-out: r minus the mean of the others, n/(n−1) · (r − mean). A lone rollout keeps its reward; equal rewards
 * give exactly 0 (Kool et al., "Buy 4 REINFORCE samples, get a baseline for free!", 2019).
 */
export function leaveOneOutAdvantages(rewards: readonly number[]): number[] {
  const n = rewards.length;
  const centred = groupAdvantages(rewards, { divide: false, ddof: 0, epsilon: 0 });
  return n === 1 ? centred : centred.map((advantage) => (advantage * n) / (n - 1));
}
