import type { Ledger, TokenLedger } from './ledger';

/** What a cell of the heat map holds: rollouts, tokens, a share of 0 to 1, or 1 gradient and 0 none. */
export const HEAT_MEASURES = ['launched', 'finished', 'tokens', 'passRate', 'gradient'] as const;
export type HeatMeasure = (typeof HEAT_MEASURES)[number];

/** Steps from … to, both included; null: from the first, to the newest. */
export interface StepRange {
  readonly from: number | null;
  readonly to: number | null;
}

export interface BudgetsParams {
  /** The shown step; null: the newest. */
  readonly step: number | null;
  /** What is summed up: these steps; null: the shown step alone. */
  readonly range: StepRange | null;
  readonly measure: HeatMeasure;
  /** Most steps of the heat map. */
  readonly history: number;
  /** Its last step: the subject's, or the newest of the run unless the subject's last would then not be in it. */
  readonly until: 'subject' | 'newest';
}

/** The steps that figures are sums of. */
export interface BudgetsSubject {
  readonly kind: 'step' | 'range' | 'run';
  readonly first: number;
  readonly last: number;
  /** Steps that were opened among them. */
  readonly steps: number;
}

/** Cells of the heat map by rows: those of row r lie from `start[r]` to `start[r + 1]`, columns rising. */
export interface HeatCells {
  readonly measure: HeatMeasure;
  readonly steps: readonly number[];
  readonly start: Int32Array;
  /** Index in `steps`. */
  readonly column: Uint16Array;
  readonly value: Float32Array;
  /** Changes of the allocation method: step and name. */
  readonly changes: readonly { readonly step: number; readonly label: string }[];
}

/** Prompts of the subject (then all others that were ever planned), in columns. NaN and −1: none. */
export interface PromptColumns {
  readonly id: readonly string[];
  readonly difficulty: readonly (string | null)[];
  readonly domain: readonly (string | null)[];
  /** In the subject, rollouts; −1: the prompt is not in it. */
  readonly planned: Int32Array;
  readonly launched: Int32Array;
  readonly running: Int32Array;
  readonly finished: Int32Array;
  /** Finished, in a closed group with a gradient. */
  readonly used: Int32Array;
  readonly discarded: Int32Array;
  readonly killed: Int32Array;
  readonly carriedOver: Int32Array;
  /** Tokens of ended rollouts. */
  readonly tokens: Float64Array;
  /** Groups in the subject; of them open, with a gradient, without. */
  readonly groups: Int32Array;
  readonly openGroups: Int32Array;
  readonly gradientGroups: Int32Array;
  readonly zeroGradientGroups: Int32Array;
  /** Step, group and decision of the last group in the subject. */
  readonly lastStep: Int32Array;
  readonly group: readonly (string | null)[];
  readonly decision: readonly (string | null)[];
  /** Results before the first step of the subject, train rollouts: known ones and successes. */
  readonly n: Int32Array;
  readonly c: Int32Array;
  /** Results in the subject. */
  readonly stepN: Int32Array;
  readonly stepC: Int32Array;
  /**
   * Pass rate with its 95 % interval under Beta(1, 1): of one step from results before it (what a rule could know),
   * of several steps from the results in them. NaN: no result.
   */
  readonly rate: Float32Array;
  readonly rateLow: Float32Array;
  readonly rateHigh: Float32Array;
  /** Standard deviation of the rewards in the subject; NaN: no result. */
  readonly spread: Float32Array;
  /** Pinned or skipped by a person until a step: budget, `skip`, null. */
  readonly pin: readonly (string | null)[];
}

/** Zero-gradient groups of the subject beside what was to be expected (product.md, "Zero-gradient group"). */
export interface ZeroGradientView {
  /** Closed groups with at least two rollouts in the baseline: the whole of `observed`. */
  readonly judged: number;
  readonly observed: number;
  /** Groups, from data before each step, each at its own size; null: there is no group to judge. */
  readonly expected: number | null;
  /** Standard deviation of the count that was to be expected, groups. */
  readonly deviation: number | null;
  /** Expected by the unbiased form (n ≥ G), and by the Beta posterior. */
  readonly unbiased: number;
  readonly posterior: number;
  /** False: rewards other than 0 and 1 were published, of which the expectation knows nothing. */
  readonly binary: boolean;
}

export interface BudgetsView {
  /** The shown step. */
  readonly step: number;
  readonly subject: BudgetsSubject;
  readonly method: string | null;
  readonly ledger: Ledger;
  readonly tokens: TokenLedger;
  readonly prompts: PromptColumns;
  readonly history: HeatCells;
  readonly zeroGradient: ZeroGradientView;
}

/** One prompt in the subject: its own ledger and its groups. */
export interface PromptBudgetParams {
  readonly step: number | null;
  readonly range: StepRange | null;
  readonly prompt: string;
}

export interface PromptGroup {
  readonly step: number;
  readonly group: string;
  readonly decision: string | null;
  readonly planned: number;
  readonly launched: number;
  readonly n: number;
  readonly c: number;
  /** 1 gradient, 0 none, −1 open or too small. */
  readonly gradient: number;
}

export interface PromptBudgetView {
  readonly prompt: string;
  readonly ledger: Ledger;
  readonly tokens: TokenLedger;
  /** Newest first, at most 100. */
  readonly groups: readonly PromptGroup[];
  readonly allGroups: number;
}

type Cells = Readonly<Record<string, number | string | boolean | null>>;

/** A recorded decision with the row of one subject, for the why card. */
export interface DecisionView {
  readonly decision: string;
  readonly kind: string;
  readonly method: string;
  readonly step: number | null;
  readonly sentence: string;
  readonly command: string | null;
  readonly author: string | null;
  readonly parameters: Cells;
  readonly shared: Cells;
  readonly subject: string;
  readonly subjects: number;
  readonly inputs: Cells;
  readonly outcome: Cells;
  readonly numbers: Cells;
  readonly reasonCode: string | null;
  readonly reason: string | null;
  readonly alternatives: readonly { readonly label: string; readonly score: number | null }[];
  readonly position: string | null;
  readonly children: string | null;
  /** The whole decision as JSON text, for copying. */
  readonly json: string;
}
