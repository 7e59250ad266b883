import type { MarginalGain } from '../../methods/allocation/allocator';
import { allocationMethods } from '../../methods/allocation/methods';
import type { DecisionView } from '../../protocol/panels/budgets';
import { numberIn, numbersOf } from './decisionNumbers';

/**
 * The gain of one more rollout, for rules that hand out by falling marginal gains: what was given lies at or above
 * the price of the step, what was not lies below.
 */
export interface GainCurve {
  readonly rule: MarginalGain;
  readonly numbers: Readonly<Record<string, number>>;
  /** Bar `i` is the gain of rollout number `first + i`. */
  readonly first: number;
  readonly gains: readonly number[];
  readonly given: number;
  readonly price: number;
  readonly bounds: { readonly least: number; readonly most: number };
}

/** Rollouts beyond the last one given that are drawn. */
const BEYOND = 13;
const MOST_BARS = 64;
/** Of the gain: recorded figures may have been rounded on their way. */
const TOLERANCE = 1e-3;

const agrees = (recorded: number | null, computed: number | undefined): boolean =>
  recorded === null ||
  computed === undefined ||
  Math.abs(recorded - computed) <= TOLERANCE * Math.abs(recorded) + 1e-12;

/**
 * null: the method declares no such gain, the decision holds too little to work it out, or what it recorded itself of
 * its gains says otherwise.
 *
 * @param launched stands in where the decision does not say how many it gave.
 */
export const gainCurve = (decision: DecisionView, launched: number): GainCurve | null => {
  const rule = allocationMethods.find(({ id }) => id === decision.method)?.marginalGain;
  if (!rule) return null;
  const numbers = numbersOf(decision);
  const given = typeof decision.outcome['rollouts'] === 'number' ? decision.outcome['rollouts'] : launched;
  const price = numberIn(decision, 'price');
  const least = numberIn(decision, 'least') ?? 0;
  const most = numberIn(decision, 'most') ?? given + BEYOND;
  if (price === null || price <= 0 || !Number.isInteger(given) || given < 1) return null;
  if (!agrees(numberIn(decision, 'gainOfLast'), rule.gain(numbers, given - 1))) return null;
  if (!agrees(numberIn(decision, 'gainOfNext'), rule.gain(numbers, given))) return null;
  const first = Math.max(least + 1, 1);
  const last = Math.min(most, Math.max(given, first) + BEYOND, first + MOST_BARS - 1);
  if (given > last) return null;
  const gains: number[] = [];
  for (let n = first; n <= last; n++) {
    const gain = rule.gain(numbers, n - 1);
    if (gain === undefined || !Number.isFinite(gain)) return null;
    gains.push(gain);
  }
  return gains.length === 0 ? null : { rule, numbers, first, gains, given, price, bounds: { least, most } };
};

/** What the rule would give at another pass rate and the same price. */
export const countAtRate = (passRate: number, { rule, numbers, price, bounds }: GainCurve): number => {
  let n = bounds.least;
  while (n < bounds.most) {
    const gain = rule.gain({ ...numbers, passRate }, n);
    if (gain === undefined || gain < price) break;
    n++;
  }
  return n;
};
