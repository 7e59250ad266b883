import { knapsackGain } from '../../methods/allocation/knapsackValue';
import type { DecisionView } from '../../protocol/panels/budgets';
import { numberIn } from './decisionNumbers';

/**
 * The gain of one more rollout as a rule of the water-filling family saw it: what was given lies above the price
 * of the step, what was not lies below.
 */
export interface GainCurve {
  /** Bar `i` is the gain of rollout number `first + i`. */
  readonly first: number;
  readonly gains: readonly number[];
  readonly given: number;
  readonly price: number;
  readonly passRate: number;
  readonly bounds: { readonly least: number; readonly most: number };
}

const METHODS = new Set(['knapsack-rl', 'knapsack-rl-published']);
/** Rollouts beyond the last one given that are drawn. */
const BEYOND = 13;
const MOST_BARS = 64;

/** null: the rule has no such curve, or the decision holds too little to draw it. */
export const gainCurve = (decision: DecisionView, given: number): GainCurve | null => {
  if (!METHODS.has(decision.method)) return null;
  const passRate = numberIn(decision, 'passRate');
  const price = numberIn(decision, 'price');
  const least = numberIn(decision, 'least') ?? 0;
  const most = numberIn(decision, 'most') ?? given + BEYOND;
  if (passRate === null || price === null || price <= 0 || passRate <= 0 || passRate >= 1 || given < 1)
    return null;
  const first = Math.max(least + 1, 1);
  const last = Math.min(most, Math.max(given, first) + BEYOND, first + MOST_BARS - 1);
  if (given > last) return null;
  const gains = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) =>
    knapsackGain(passRate, first + i - 1),
  );
  return gains.length === 0 ? null : { first, gains, given, price, passRate, bounds: { least, most } };
};

/** What the published rule would give at another pass rate and the same price. */
export const countAtRate = (passRate: number, { price, bounds }: GainCurve): number => {
  if (passRate <= 0 || passRate >= 1) return bounds.least;
  let n = bounds.least;
  while (n < bounds.most && knapsackGain(passRate, n) >= price) n++;
  return n;
};
