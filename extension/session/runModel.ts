import type { Queries, QueryName, ViewName, Views } from '../../protocol/panels/views';
import type { DecodedBatch } from '../../protocol/wire/batch';
import type { InitializeResult } from '../../protocol/wire/handshake';
import type { StringTable } from '../../protocol/wire/stringTable';

/** What a session knows of a life of the run before its first event. */
export type IncarnationStart = Pick<
  InitializeResult,
  'run' | 'incarnation' | 'successThreshold' | 'sampling' | 'methods'
>;

/** The store's summary that headers and the status bar are made of. */
export interface RunSummary {
  readonly state: 'starting' | 'running' | 'paused' | 'ended' | 'failed' | 'other';
  /** `since`: Unix ms. */
  readonly paused: { readonly mode: string; readonly by: string; readonly since: number } | null;
  readonly step: number | null;
  readonly firstStep: number | null;
  readonly lastStep: number | null;
  readonly phase: string | null;
  readonly policyVersion: number | null;
  /** Active method by kind, as far as the stream said. */
  readonly methods: Readonly<Record<string, string>>;
  readonly openFindings: number;
}

/** The store of one run as the session needs it: batches in, views and answers out. */
export interface RunModel {
  /** A life of the run begins. Earlier lives stay; what was held of this one is forgotten. */
  begin(start: IncarnationStart): void;
  /** @throws WireError when the batch contradicts itself; the batch is then not applied. */
  apply(batch: DecodedBatch, strings: StringTable): void;
  summary(): RunSummary;
  /** null: there is nothing to show yet. Arrays of the result are its own: they are given away. */
  view<V extends ViewName>(name: V, params: Views[V]['params']): Views[V]['data'] | null;
  query<Q extends QueryName>(name: Q, params: Queries[Q]['params']): Promise<Queries[Q]['result']>;
}
