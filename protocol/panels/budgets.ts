import type { Ledger } from './ledger';

export interface BudgetsParams {
  readonly step: number | null;
  /** Steps of the heat map, the shown one last. */
  readonly history: number;
}

/** Prompts of a step (all prompts that were ever planned, those of the step first), in columns. NaN and −1: none. */
export interface BudgetsView {
  readonly step: number;
  readonly method: string | null;
  readonly ledger: Ledger;
  readonly prompts: {
    readonly id: readonly string[];
    readonly difficulty: readonly (string | null)[];
    readonly domain: readonly (string | null)[];
    /** In the shown step; −1: the prompt is not in it. */
    readonly planned: Int32Array;
    readonly launched: Int32Array;
    readonly running: Int32Array;
    readonly finished: Int32Array;
    readonly discarded: Int32Array;
    readonly killed: Int32Array;
    readonly carriedOver: Int32Array;
    readonly tokens: Int32Array;
    readonly group: readonly (string | null)[];
    readonly decision: readonly (string | null)[];
    /** From data before the step, train rollouts: n, c, posterior mean under Beta(1, 1), 95 % interval. */
    readonly n: Int32Array;
    readonly c: Int32Array;
    readonly rate: Float32Array;
    readonly rateLow: Float32Array;
    readonly rateHigh: Float32Array;
    /** In the shown step. */
    readonly stepN: Int32Array;
    readonly stepC: Int32Array;
    /** 1 gradient, 0 none, −1 open or too small. */
    readonly gradient: Int8Array;
    /** Pinned or skipped by a person until a step: budget, `skip`, null. */
    readonly pin: readonly (string | null)[];
  };
  readonly history: {
    readonly steps: readonly number[];
    /** Rollouts launched, row a prompt, column a step; −1: not in that step. */
    readonly launched: Int16Array;
    /** Changes of the allocation method: step and name. */
    readonly changes: readonly { readonly step: number; readonly label: string }[];
  };
  readonly expectedZeroGradient: number | null;
  readonly observedZeroGradient: number | null;
  readonly closedGroups: number;
}

/** A recorded decision with the row of one subject, for the why card. */
export interface DecisionView {
  readonly decision: string;
  readonly kind: string;
  readonly method: string;
  readonly step: number | null;
  readonly sentence: string;
  readonly command: string | null;
  readonly author: string | null;
  readonly parameters: Readonly<Record<string, number | string | boolean | null>>;
  readonly shared: Readonly<Record<string, number | string | boolean | null>>;
  readonly subject: string;
  readonly subjects: number;
  readonly inputs: Readonly<Record<string, number | string | boolean | null>>;
  readonly outcome: Readonly<Record<string, number | string | boolean | null>>;
  readonly numbers: Readonly<Record<string, number | string | boolean | null>>;
  readonly reasonCode: string | null;
  readonly reason: string | null;
  readonly alternatives: readonly { readonly label: string; readonly score: number | null }[];
  readonly position: string | null;
  readonly children: string | null;
  /** The whole decision as JSON text, for copying. */
  readonly json: string;
}
