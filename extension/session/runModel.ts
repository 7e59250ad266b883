import type { RunHeader } from '../../protocol/panels/selection';
import type { Queries, QueryName, ViewName, Views } from '../../protocol/panels/views';
import type { RunSummary } from '../../run-store/queries/runSummary';
import type { LoadedDumps } from '../../run-store/dumps/loadDumps';
import type { DecodedBatch } from '../../protocol/wire/batch';
import type { InitializeResult } from '../../protocol/wire/handshake';
import type { ReadName, ReadParams, ReadResult } from '../../protocol/wire/reads';
import type { StringTable } from '../../protocol/wire/stringTable';
import type { Log } from '../lifecycle';
import type { Problem } from './problems';
import type { OpenParams } from './workerMessages';

/** What a session knows of a life of the run before its first event. */
export type IncarnationStart = Pick<
  InitializeResult,
  'run' | 'incarnation' | 'successThreshold' | 'sampling' | 'methods'
>;

/** What a model asks of the session that owns it, and tells it. */
export interface ModelHost {
  /** Asks the job. Rejects when there is none, or no connection to it. */
  read<N extends ReadName>(name: N, params: ReadParams<N>): Promise<ReadResult<N>>;
  /** Something was applied. */
  onChanged(): void;
  /** A recorded run: share that was read, 0 to 1, and what it is when that is known. Date in Unix ms. */
  onRead(share: number, recorded: RunHeader['recorded']): void;
  /** Files of results were read, or a person has to say what a success is. */
  onResults(loaded: LoadedDumps): void;
  /** A recorded run cannot be read, or not to its end. */
  onProblem(problem: Problem): void;
  readonly log: Log;
}

/** Opens the store of a run. Of a recorded one the reading goes on after the model is there. */
export type OpenModel = (params: OpenParams, host: ModelHost) => Promise<RunModel>;

/** The store of one run as the session needs it: batches in, views and answers out. */
export interface RunModel {
  /**
   * A life of the run begins. Earlier lives stay; what was held of this one is forgotten.
   *
   * @param strings the table that fills with the batches of this life.
   */
  begin(start: IncarnationStart, strings: StringTable): void;
  apply(batch: DecodedBatch): void;
  /** The stream of this life runs: what else the job can tell is read in the background. */
  connected(info: InitializeResult): void;
  /** The present life; null before the first. */
  start(): IncarnationStart | null;
  summary(): RunSummary;
  /** Changes whenever something that the view shows may have changed. */
  revision<V extends ViewName>(name: V, params: Views[V]['params']): number;
  /** null: there is nothing to show yet. Arrays of the result are its own: they are given away. */
  view<V extends ViewName>(name: V, params: Views[V]['params']): Views[V]['data'] | null;
  /** Nobody looks at the view any more: what is worked out for it may stop. */
  left<V extends ViewName>(name: V, params: Views[V]['params']): void;
  query<Q extends QueryName>(name: Q, params: Queries[Q]['params']): Promise<Queries[Q]['result']>;
}
