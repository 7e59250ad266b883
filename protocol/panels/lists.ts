import type { Ledger } from './ledger';
import type { SteeringRow } from './overview';

/** Rows of the native views. */
export interface StepRow {
  readonly step: number;
  readonly incarnation: number;
  readonly phase: string | null;
  readonly open: boolean;
  readonly seconds: number | null;
  readonly planned: number;
  readonly launched: number;
  readonly ended: number;
  readonly groups: number;
  readonly closedGroups: number;
  readonly zeroGradientGroups: number;
}

export interface StepsPage {
  readonly total: number;
  /** Newest first. */
  readonly rows: readonly StepRow[];
  readonly evaluations: readonly {
    readonly step: number;
    readonly set: string;
    readonly problems: number;
    readonly passAt1: number;
  }[];
}

export interface PromptsParams {
  readonly step: number | null;
  readonly offset: number;
  readonly limit: number;
  /** Text in the id, or `n > 16`, `rate < .2`, joined by `and`. */
  readonly filter: string;
  readonly sort: 'rollouts' | 'rate' | 'id' | 'spread';
}

export interface PromptRow {
  readonly prompt: string;
  readonly group: string | null;
  readonly planned: number;
  readonly running: number;
  readonly finished: number;
  readonly stepN: number;
  readonly stepC: number;
  readonly nBefore: number;
  readonly cBefore: number;
  readonly outcome: 'all0' | 'all1' | 'mixed' | 'none';
  readonly closed: boolean;
  readonly pin: string | null;
  readonly difficulty: string | null;
}

export interface PromptsPage {
  readonly step: number | null;
  readonly total: number;
  readonly rows: readonly PromptRow[];
  /** Why the filter could not be read; null when it could. */
  readonly problem: string | null;
}

export interface SteeringPage {
  readonly total: number;
  /** Newest first. */
  readonly rows: readonly SteeringRow[];
}

export interface RunTotals {
  readonly ledger: Ledger;
  readonly steps: number;
  readonly prompts: number;
  readonly nodes: number;
  readonly rollouts: number;
}
