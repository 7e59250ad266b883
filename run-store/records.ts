import type { FindingBody, Sampling, Subject } from '../protocol/wire/values';

/** What is kept as objects, because it is rare: people, settings, evaluations. Times are ms since the incarnation's start. */

export interface DecisionRecord {
  readonly handle: number;
  readonly kind: string;
  readonly method: string;
  readonly step: number | null;
  readonly command: string | null;
  readonly sentence: string;
  /** The body as JSON text: a third of what the objects need, and most are never looked at. */
  readonly body: string;
  readonly subjects: number;
  readonly t: number;
}

export interface SteeringRecord {
  readonly command: string;
  readonly action: string;
  /** The newest state. */
  readonly state: string;
  readonly author: string;
  readonly connection: string;
  readonly scope: string;
  readonly sentence: string;
  readonly reason: string | null;
  readonly subjects: readonly Subject[];
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly undoes: string | null;
  readonly fromStep: number | null;
  readonly untilStep: number | null;
  /** When it was asked for, and the step that ran. */
  readonly t: number;
  readonly step: number | null;
}

export interface FindingRecord {
  readonly id: string;
  readonly step: number | null;
  readonly t: number;
  readonly body: FindingBody;
}

export interface BreakpointRecord {
  readonly id: string;
  readonly state: string;
  readonly hits: number;
  readonly sentence: string;
}

export interface WorkerRecord {
  readonly worker: string;
  readonly pool: string | null;
  readonly host: string | null;
  readonly device: string | null;
  readonly queue: number;
  readonly running: number;
  readonly policyVersion: number | null;
  /** Bound of the error of its clock, ms. */
  readonly clockError: number | null;
  readonly t: number;
}

export interface EvaluationRecord {
  readonly id: string;
  readonly name: string;
  readonly step: number;
  readonly policyVersion: number;
  readonly sampling: Sampling;
  /** Rows of the prompt table, and n and c of each. */
  readonly prompts: Int32Array;
  readonly n: Int32Array;
  readonly c: Int32Array;
  readonly t: number;
}

export interface RunStateRecord {
  readonly state: string;
  readonly mode: string | null;
  readonly by: string | null;
  readonly reason: string | null;
  readonly heldPrompts: number | null;
  readonly t: number;
}
