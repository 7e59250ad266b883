/** Values of a method's parameters by name. */
export type WhatIfParameters = Readonly<Record<string, number | boolean | string>>;

/** What to do about prompts that lack an input of a method: nothing yet, keep the run's count for them, or take one half. */
export type WhatIfGaps = 'ask' | 'leaveOut' | 'half';

export interface WhatIfMethod {
  readonly method: string;
  readonly parameters: WhatIfParameters;
  readonly gaps: WhatIfGaps;
}

/** Some methods asked about recorded steps. */
export interface WhatIfParams {
  /** Last step asked about; null: the newest. */
  readonly step: number | null;
  /** How many steps, that one the last. */
  readonly steps: number;
  readonly methods: readonly WhatIfMethod[];
  readonly draws: number;
  readonly seed: number;
  /** Counts up when what was recorded since is to be taken in. */
  readonly again: number;
}

/** Mean over the draws, and the ends between which 95 % of them lie. */
export interface WhatIfEstimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** What came of a method over all steps asked about. */
export interface WhatIfOutcome {
  readonly rollouts: WhatIfEstimate;
  readonly gradientGroups: WhatIfEstimate;
  readonly successes: WhatIfEstimate;
  readonly tokens: WhatIfEstimate;
  /** Mean number of groups of at least two rollouts: the whole of `gradientGroups`. */
  readonly groups: number;
  /** Share of the rollouts whose outcome was drawn, not recorded. */
  readonly simulated: number;
  /** Mean rollouts, an entry a prompt of `WhatIfView.prompts`. */
  readonly counts: Float32Array;
  /** Prompts that kept the run's count for want of an input. */
  readonly leftOut: number;
  readonly byStep: { readonly rollouts: readonly number[]; readonly gradientGroups: readonly number[] };
}

/** An input that the record lacks, in words for "needs …". */
export interface WhatIfMissing {
  readonly input: string;
  /** Prompts that lack it; 0: it is no input of a prompt. */
  readonly prompts: number;
  readonly canBeHalf: boolean;
  readonly canLeaveOut: boolean;
}

/** `waiting` and `running`: share done is in the view. `missing`: a person has to choose. `refused`: why. */
export type WhatIfRow = WhatIfMethod &
  (
    | { readonly state: 'waiting' | 'running' }
    | { readonly state: 'missing'; readonly missing: readonly WhatIfMissing[] }
    | { readonly state: 'refused'; readonly why: string }
    | { readonly state: 'done'; readonly outcome: WhatIfOutcome }
  );

export interface WhatIfView {
  /** Steps asked about, oldest first. */
  readonly steps: readonly number[];
  /** Share of the work that is done, 0 to 1. */
  readonly share: number;
  /** Something was recorded of these steps since, and is not in the numbers. */
  readonly stale: boolean;
  /** Rollouts that the run gave: what methods may spend. */
  readonly total: number;
  readonly draws: number;
  readonly seed: number;
  /** All prompts of the steps, each once. */
  readonly prompts: readonly string[];
  /** The run itself by the same measure; null: not worked out yet. */
  readonly asRun: WhatIfOutcome | null;
  readonly asRunCounts: Int32Array;
  /** The run's own method and parameters in the last step; null: no decision says. */
  readonly runMethod: string | null;
  readonly runParameters: Readonly<Record<string, number | string | boolean | null>>;
  readonly rows: readonly WhatIfRow[];
  /** Pass rates: from the decision on record, from statistics before the step, none; a prompt and step each. */
  readonly rates: { readonly decision: number; readonly statistics: number; readonly none: number };
  /** Outcomes on record, rollouts; and those whose order in the launch is not held any more. */
  readonly recorded: number;
  readonly unordered: number;
  /** Prompts without an ended rollout in the step: their earlier mean stands, else that of the step or the run. */
  readonly withoutLength: number;
  /** Reward from which on a rollout counts as a success, where rewards are graded; else null. */
  readonly threshold: number | null;
  /** Steps that still run. */
  readonly open: number;
  /** Why nothing could be asked at all; null: it could. */
  readonly problem: string | null;
}
