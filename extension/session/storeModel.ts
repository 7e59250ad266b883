import type { Queries, QueryName, ViewName, Views } from '../../protocol/panels/views';
import type { DecodedBatch } from '../../protocol/wire/batch';
import type { StringTable } from '../../protocol/wire/stringTable';
import { queryOf, viewOf, viewRevision } from '../../run-store/queries/answer';
import { runSummary, type RunSummary } from '../../run-store/queries/runSummary';
import { RunStore } from '../../run-store/runStore';
import type { IncarnationStart, RunModel } from './runModel';
import type { TextSource } from './textSource';

/** The run-store behind the interface that sessions know. */
export class StoreModel implements RunModel {
  readonly store = new RunStore();
  private started: IncarnationStart | null = null;

  constructor(
    private readonly texts: TextSource,
    private readonly onChanged: () => void,
  ) {}

  begin(start: IncarnationStart, strings: StringTable): void {
    this.started = start;
    const { incarnation, successThreshold, sampling, methods } = start;
    this.store.beginIncarnation({ ...incarnation, successThreshold, sampling, methods }, strings);
    this.onChanged();
  }

  /** @param segment of the journal in which the batch stands; 0: a live stream. */
  apply(batch: DecodedBatch, segment = 0): void {
    this.store.apply(batch, segment);
    this.onChanged();
  }

  start(): IncarnationStart | null {
    return this.started;
  }

  summary(): RunSummary {
    return runSummary(this.store);
  }

  revision<V extends ViewName>(name: V, params: Views[V]['params']): number {
    return viewRevision(this.store, name, params);
  }

  view<V extends ViewName>(name: V, params: Views[V]['params']): Views[V]['data'] | null {
    return viewOf(this.store, name, params);
  }

  async query<Q extends QueryName>(name: Q, params: Queries[Q]['params']): Promise<Queries[Q]['result']> {
    if (name === 'text') return this.texts.text(this.store, params as Queries['text']['params']);
    return queryOf(this.store, name, params as never);
  }
}
