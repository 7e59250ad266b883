import { hasGradient, type Play } from './play';
import type { StepOutcomes } from './outcomes';
import type { WhatIfStep } from './inputs';

/** Mean over the draws, and the ends between which 95 % of them lie. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** What came of a method in a draw, all steps together. */
interface DrawTotals {
  readonly rollouts: Float64Array;
  readonly gradientGroups: Float64Array;
  readonly successes: Float64Array;
  readonly tokens: Float64Array;
}

/** Adds up the draws of one method. */
export class Tally {
  readonly totals: DrawTotals;
  /** Rollouts by row of the table of prompts, summed over draws and steps. */
  readonly given: Float64Array;
  private readonly stepRollouts: Float64Array;
  private readonly stepGradient: Float64Array;
  private simulated = 0;
  private launched = 0;
  private groups = 0;
  private draws = 0;

  /** @param rows for each step, the row of each of its prompts. */
  constructor(
    draws: number,
    private readonly rows: readonly Int32Array[],
    prompts: number,
  ) {
    const column = (): Float64Array => new Float64Array(draws);
    this.totals = { rollouts: column(), gradientGroups: column(), successes: column(), tokens: column() };
    this.given = new Float64Array(prompts);
    this.stepRollouts = new Float64Array(rows.length);
    this.stepGradient = new Float64Array(rows.length);
  }

  add(draw: number, index: number, step: WhatIfStep, play: Play, outcomes: StepOutcomes): void {
    this.draws = Math.max(this.draws, draw + 1);
    const { counts } = play;
    const rows = this.rows[index]!;
    let rollouts = 0;
    let right = 0;
    let gradient = 0;
    let tokens = 0;
    for (let i = 0; i < counts.length; i++) {
      const n = counts[i]!;
      if (n === 0) continue;
      const c = outcomes.successes(i, n);
      rollouts += n;
      right += c;
      tokens += n * step.prompts[i]!.meanTokens;
      if (n >= 2) this.groups++;
      if (hasGradient(play, i, c, outcomes)) gradient++;
      this.simulated += outcomes.simulated(i, n);
      this.given[rows[i]!]! += n;
    }
    this.launched += rollouts;
    this.stepRollouts[index]! += rollouts;
    this.stepGradient[index]! += gradient;
    this.totals.rollouts[draw]! += rollouts;
    this.totals.successes[draw]! += right;
    this.totals.gradientGroups[draw]! += gradient;
    this.totals.tokens[draw]! += tokens;
  }

  estimate(name: keyof DrawTotals): Estimate {
    return estimateOf(this.totals[name].slice(0, this.draws));
  }

  /** Share of the rollouts, over all draws, whose outcome was not recorded; 0 without any. */
  get simulatedShare(): number {
    return this.launched === 0 ? 0 : this.simulated / this.launched;
  }

  /** Mean number of groups of at least two rollouts: the whole of the groups with a gradient. */
  get meanGroups(): number {
    return this.groups / this.draws;
  }

  meanGiven(): Float32Array {
    return Float32Array.from(this.given, (sum) => sum / this.draws);
  }

  byStep(): { readonly rollouts: readonly number[]; readonly gradientGroups: readonly number[] } {
    const mean = (sums: Float64Array): number[] => Array.from(sums, (sum) => sum / this.draws);
    return { rollouts: mean(this.stepRollouts), gradientGroups: mean(this.stepGradient) };
  }
}

/** Mean and the 2.5 % and 97.5 % quantiles (linear between neighbours) of some draws; there is at least one. */
export function estimateOf(draws: Float64Array): Estimate {
  const sorted = Float64Array.from(draws).sort();
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const below = Math.floor(place);
    const above = Math.min(sorted.length - 1, below + 1);
    return sorted[below]! + (place - below) * (sorted[above]! - sorted[below]!);
  };
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { mean, low: at(0.025), high: at(0.975) };
}
