import type { RunHeader } from '../../protocol/panels/selection';
import type { QueryName, ViewName } from '../../protocol/panels/views';
import type { InitializeResult } from '../../protocol/wire/handshake';
import type { SteeringAnswer, SteeringName } from '../../protocol/wire/steering';
import type { LoadedDumps } from '../../run-store/dumps/loadDumps';
import type { SuccessChoice } from '../../run-store/dumps/success';
import type { Problem } from './problems';
import type { RunSummary } from '../../run-store/queries/runSummary';
import type { Target } from './transport';

/** What a session's worker opens: a live run, the folder of a journal, or files of results. */
export type OpenParams =
  | {
      readonly kind: 'live';
      readonly target: Target;
      readonly client: { readonly name: string; readonly version: string };
    }
  | { readonly kind: 'recorded'; readonly folder: string }
  | { readonly kind: 'results'; readonly files: readonly string[]; readonly choice: SuccessChoice };

/** All that the host knows of a run between two views. Times are Unix ms, `behindSeconds` is null when not live. */
export interface SessionReport {
  readonly state: 'connecting' | 'live' | 'lost' | 'refused' | 'closed' | 'recorded';
  readonly since: number;
  readonly problem: Problem | null;
  readonly nextTryAt: number | null;
  readonly lastSeq: number;
  readonly behindSeconds: number | null;
  readonly droppedSamples: number;
  readonly info: Pick<
    InitializeResult,
    'run' | 'incarnation' | 'capabilities' | 'scope' | 'methods' | 'successThreshold'
  > | null;
  readonly recorded: RunHeader['recorded'];
  readonly summary: RunSummary;
  /** While a recorded run is read: share that was read, 0 to 1. */
  readonly readShare: number | null;
  /** Files of results: what was read of them, or what a person has to say first. */
  readonly results: LoadedDumps | null;
}

/** Why a steering request has no answer of the job. `unknown`: it was sent, and the job may have taken it. */
export const STEER_FAILURES = [
  'notConnected',
  'forbidden',
  'unsupported',
  'wrongIncarnation',
  'invalid',
  'unknown',
  'failed',
] as const;
export type SteerFailure = (typeof STEER_FAILURES)[number];
export type SteerOutcome =
  { readonly answer: SteeringAnswer } | { readonly failure: SteerFailure; readonly detail: string };

type NoRequests = Record<string, never>;

/** The one table of messages host ↔ session worker. Data of views and queries travels packed (`numbers.ts`). */
export interface WorkerProtocol {
  toWorker: {
    requests: {
      open: { params: OpenParams; result: null };
      query: { params: { query: QueryName; params: unknown }; result: unknown };
      steer: {
        params: { name: SteeringName; params: Readonly<Record<string, unknown>> };
        result: SteerOutcome;
      };
    };
    events: {
      subscribe: { subscription: number; view: ViewName; params: unknown };
      unsubscribe: { subscription: number };
      ack: { subscription: number; version: number };
      retryNow: null;
      /** The job was ended by a person here: it is not waited for. */
      rest: null;
      retarget: Target;
    };
  };
  toHost: {
    requests: NoRequests;
    events: {
      report: SessionReport;
      /** `data` null: nothing to show yet. */
      view: { subscription: number; version: number; data: unknown };
      /** The view cannot be worked out, and what is shown of it stands still; null: it can again. */
      viewProblem: { subscription: number; problem: string | null };
      log: { level: 'error' | 'warn' | 'info' | 'debug'; message: string };
    };
  };
}
