export interface PassAtKParams {
  readonly source: 'heldOut' | 'training';
  /** Step compared with; null: the first evaluated. */
  readonly against: number | null;
  /** Step shown; null: the newest evaluated. */
  readonly step: number | null;
}

export interface Curve {
  readonly step: number;
  readonly policyVersion: number;
  /** pass@k at `k[i]`; NaN where k > n. */
  readonly value: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** Least and greatest n over the prompts of the fixed set. */
  readonly nMin: number;
  readonly nMax: number;
  readonly prompts: number;
}

/** Differences shown − reference, points (×100), paired over prompts. */
export interface Difference {
  readonly step: number;
  readonly k: number;
  readonly value: number;
  readonly halfWidth: number;
}

export interface PassAtKView {
  readonly set: string;
  readonly source: 'heldOut' | 'training';
  readonly sampling: { readonly temperature: number | null; readonly topP: number | null };
  readonly k: readonly number[];
  readonly curves: readonly Curve[];
  readonly shown: number | null;
  readonly against: number | null;
  /** k where shown and reference cross (log-linear between points); null: they do not. */
  readonly crossing: number | null;
  /** Prompts at every k of the fixed set; prompts left out because n < k, by k. */
  readonly fixedPrompts: number;
  readonly allPrompts: number;
  readonly largestK: number;
  readonly interval: 'cluster' | 'bootstrap';
  readonly difference: readonly Difference[];
  /** Over all evaluated steps: points against the reference at k = 1 and at the largest k. */
  readonly over: {
    readonly steps: readonly number[];
    readonly accuracy: readonly number[];
    readonly accuracyHalf: readonly number[];
    readonly coverage: readonly number[];
    readonly coverageHalf: readonly number[];
    readonly crossing: readonly (number | null)[];
  };
  readonly buckets: readonly {
    readonly name: string;
    readonly prompts: number;
    readonly shown: readonly number[];
    readonly against: readonly number[];
  }[];
}
