/** What one curve of the store stands for. Runs are put side by side by the page, from the rows of each. */
export const CURVE_KINDS = ['step', 'checkpoint', 'method', 'difficulty', 'domain', 'prompt'] as const;
export type CurveKind = (typeof CURVE_KINDS)[number];

export interface PassAtKParams {
  readonly source: 'heldOut' | 'training';
  /** Held out: name of the set of problems; null: the one that was evaluated last. */
  readonly set: string | null;
  /** One curve a step, checkpoint, …. */
  readonly by: CurveKind;
  /**
   * Keys of what is shown and what it is compared with: a policy version where `by` is checkpoint, a method where
   * it is method, else a step. null: the newest, the first.
   */
  readonly shown: string | null;
  readonly against: string | null;
  /** The fixed set: prompts with n of at least this k. null: the greatest k that half of the prompts have. */
  readonly upTo: number | null;
  /** Training groups: total reward from which a rollout counts as a success; null: as the job says. */
  readonly threshold: number | null;
  /** `by` prompt: whose curves, at most 12. Empty: those with the greatest change. */
  readonly prompts: readonly string[];
  /** With the rows of the prompts. */
  readonly rows: boolean;
  /** Bands by resampling prompts, also where there are 200 or more. */
  readonly bootstrap: boolean;
}

/** A curve a step of the set that was evaluated last, the newest against the first, over half of the prompts or more. */
export const NEWEST_CURVES: PassAtKParams = {
  source: 'heldOut',
  set: null,
  by: 'step',
  shown: null,
  against: null,
  upTo: null,
  threshold: null,
  prompts: [],
  rows: false,
  bootstrap: false,
};

/** cluster: standard errors with the prompt as the unit. posterior: of a single prompt, under Beta(1, 1). */
export type Interval = 'cluster' | 'bootstrap' | 'posterior' | 'none';

export interface Curve {
  /** Unique among the curves: a step, policy version, method, bucket, domain or prompt. */
  readonly key: string;
  /** Of its newest samples; null where the job does not say. */
  readonly step: number | null;
  readonly policyVersion: number | null;
  /** Evaluations or steps whose samples it pools. */
  readonly pooled: number;
  /** pass@k at `k[i]`; NaN where k > n. */
  readonly value: readonly number[];
  /** 95 % interval; NaN for a mean over a single prompt. */
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** At `extrapolatedK[i]`, from the largest k on: by a model, not by counting. NaN where it cannot be fitted. */
  readonly extrapolated: readonly number[];
  /** Least and greatest n over the prompts of the curve. */
  readonly nMin: number;
  readonly nMax: number;
  /** Σ n and Σ c over them. */
  readonly samples: number;
  readonly correct: number;
  readonly prompts: number;
  readonly interval: Interval;
  /** k where it crosses the reference (linear in log k between points); null: it does not, or has none. */
  readonly crossing: number | null;
}

/** Difference curve − reference, points (×100), paired over the prompts that both have. */
export interface Difference {
  readonly key: string;
  readonly k: number;
  readonly value: number;
  readonly halfWidth: number;
  readonly prompts: number;
}

/** Something that a reader of the curves must know. The page has a sentence for each code. */
export interface PasskNote {
  readonly code:
    | 'noSamples'
    | 'onePrompt'
    | 'unequalN'
    | 'fewerPrompts'
    | 'differentPrompts'
    | 'allZero'
    | 'allOne'
    | 'pooled'
    | 'thinned'
    | 'nonBinary'
    | 'threshold'
    | 'forgotten'
    | 'stopsOnSuccess'
    | 'treeAware'
    | 'rootsOnly'
    | 'noBucket'
    | 'misfit';
  readonly values: Readonly<Record<string, string | number>>;
}

/** Prompts of the shown measurement, row by row, with the same prompt in the reference; n = 0: not measured. */
export interface PasskRows {
  readonly prompt: readonly string[];
  readonly difficulty: readonly (string | null)[];
  readonly n: Int32Array;
  readonly c: Int32Array;
  readonly againstN: Int32Array;
  readonly againstC: Int32Array;
  /** More rollouts until a first success with probability .5 and .9, by the posterior; Infinity: over 65,536. */
  readonly needHalf: Float64Array;
  readonly needNine: Float64Array;
  /** Probability that `adviceRollouts` more hold a success and a failure, so that they give a gradient. */
  readonly mixed: Float64Array;
  /** 1: the run trains on it, so that its budget can be changed. */
  readonly trained: Uint8Array;
  readonly adviceRollouts: number;
}

export interface PassAtKView {
  readonly source: PassAtKParams['source'];
  readonly set: string;
  /** Held-out sets that were evaluated, newest first. */
  readonly sets: readonly string[];
  readonly by: CurveKind;
  readonly sampling: { readonly temperature: number | null; readonly topP: number | null };
  readonly k: readonly number[];
  readonly extrapolatedK: readonly number[];
  readonly curves: readonly Curve[];
  /** What can be shown and compared with, in order. */
  readonly keys: readonly string[];
  /** The measurement shown and the reference. Where curves are parts of one measurement, that one. */
  readonly shown: string | null;
  readonly against: string | null;
  /** Curves are measurements of the same prompts: they can be compared. Else parts of the shown one. */
  readonly paired: boolean;
  /** Prompts of the fixed set, all with a sample, and the k to which the set reaches. */
  readonly fixedPrompts: number;
  readonly allPrompts: number;
  readonly largestK: number;
  /** Fixed sets that can be chosen: prompts of the shown measurement (and of the reference) with n ≥ k. */
  readonly ranges: readonly { readonly k: number; readonly prompts: number }[];
  /** How the band of the shown curve was made. */
  readonly interval: Interval;
  readonly difference: readonly Difference[];
  /** By the difficulty that the job declares; over the prompts of the fixed set. */
  readonly buckets: readonly {
    readonly name: string;
    readonly prompts: number;
    readonly shown: readonly number[];
    readonly against: readonly number[];
  }[];
  readonly notes: readonly PasskNote[];
  /** Training groups: the reward from which a rollout counts as a success. */
  readonly threshold: number | null;
  readonly rows: PasskRows | null;
}
