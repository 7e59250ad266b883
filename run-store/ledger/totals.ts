import { CATEGORY_COUNT } from './categories';

/** Running totals of a step, an incarnation, or of what has no step: sums over groups. */
export class Totals {
  /** Σ of the groups' present plans. */
  planned = 0;
  /** Rollouts by category. */
  readonly counts = new Float64Array(CATEGORY_COUNT);
  /** Finished rollouts in closed groups with a gradient, without one, and in groups that are not judged. */
  used = 0;
  noGradient = 0;
  undecided = 0;
  groups = 0;
  closedGroups = 0;
  /** Closed groups that were judged: with a gradient, without. */
  gradientGroups = 0;
  zeroGradientGroups = 0;
  /** Closed groups whose counts by the job have not agreed with ours since, or that launched more than was planned. */
  mismatched = 0;
  /** Rollouts with a known result, and successes. */
  n = 0;
  c = 0;
  tokens = 0;

  /** Adds `other`, for sums over steps and incarnations. */
  add(other: Totals): void {
    this.planned += other.planned;
    for (let i = 0; i < CATEGORY_COUNT; i++) this.counts[i]! += other.counts[i]!;
    this.used += other.used;
    this.noGradient += other.noGradient;
    this.undecided += other.undecided;
    this.groups += other.groups;
    this.closedGroups += other.closedGroups;
    this.gradientGroups += other.gradientGroups;
    this.zeroGradientGroups += other.zeroGradientGroups;
    this.mismatched += other.mismatched;
    this.n += other.n;
    this.c += other.c;
    this.tokens += other.tokens;
  }
}
