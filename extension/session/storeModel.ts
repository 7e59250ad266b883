import type { Queries, QueryName, ViewName, Views } from '../../protocol/panels/views';
import type { WhatIfParams } from '../../protocol/panels/whatIf';
import type { DecodedBatch } from '../../protocol/wire/batch';
import type { InitializeResult } from '../../protocol/wire/handshake';
import type { StringTable } from '../../protocol/wire/stringTable';
import { queryOf, viewOf, viewRevision, type StoreView } from '../../run-store/queries/answer';
import { findRollout } from '../../run-store/queries/find';
import { runSummary, type RunSummary } from '../../run-store/queries/runSummary';
import type { RunStore } from '../../run-store/runStore';
import type { EarlierStarts } from './earlierStarts';
import type { IncarnationStart, RunModel } from './runModel';
import type { StepHistory } from './stepHistory';
import type { TextSource } from './textSource';
import { WhatIfDesk } from './whatIfDesk';

/** The run-store behind the interface that sessions know. */
export class StoreModel implements RunModel {
  private started: IncarnationStart | null = null;
  private readonly desk: WhatIfDesk;

  constructor(
    readonly store: RunStore,
    private readonly texts: TextSource,
    private readonly history: StepHistory,
    private readonly onChanged: () => void,
    private readonly earlier: EarlierStarts | null = null,
  ) {
    this.desk = new WhatIfDesk(store, onChanged);
  }

  begin(start: IncarnationStart, strings: StringTable): void {
    this.started = start;
    const { incarnation, successThreshold, sampling, methods } = start;
    this.store.beginIncarnation({ ...incarnation, successThreshold, sampling, methods }, strings);
    this.onChanged();
  }

  apply(batch: DecodedBatch): void {
    this.store.apply(batch);
    this.onChanged();
  }

  connected(info: InitializeResult): void {
    this.earlier?.connected(info);
  }

  start(): IncarnationStart | null {
    return this.started;
  }

  /** A recorded run: what its journal says of a life. */
  describe(start: IncarnationStart): void {
    this.started = start;
  }

  summary(): RunSummary {
    return runSummary(this.store);
  }

  revision<V extends ViewName>(name: V, params: Views[V]['params']): number {
    if (!isStoreView(name)) return this.desk.revisionOf();
    // Both only rise: their sum changes whenever one of them does.
    return viewRevision(this.store, name, params) + this.history.revision;
  }

  view<V extends ViewName>(name: V, params: Views[V]['params']): Views[V]['data'] | null {
    if (!isStoreView(name)) return this.desk.view(params as WhatIfParams);
    return viewOf(this.history.storeFor(this.store, name, params), name, params);
  }

  left<V extends ViewName>(name: V, params: Views[V]['params']): void {
    if (!isStoreView(name)) this.desk.left(params as WhatIfParams);
  }

  async query<Q extends QueryName>(name: Q, params: Queries[Q]['params']): Promise<Queries[Q]['result']> {
    const stores = this.history.storesFor(this.store);
    if (name === 'text') {
      const wanted = params as Queries['text']['params'];
      const store = stores.find((one) => findRollout(one, wanted.rollout) !== null) ?? this.store;
      return this.texts.text(store, wanted);
    }
    if (name === 'locate') {
      const wanted = params as Queries['locate']['params'];
      for (const store of stores) {
        const found = queryOf(store, 'locate', wanted);
        if (found) return found;
      }
      return null;
    }
    return queryOf(this.store, name as Exclude<QueryName, 'text'>, params as never);
  }
}

const isStoreView = (name: ViewName): name is StoreView => name !== 'whatIf';
