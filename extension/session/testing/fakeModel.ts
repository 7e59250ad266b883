import type { QueryName, Queries, ViewName, Views } from '../../../protocol/panels/views';
import { forEachInOrder, type DecodedBatch } from '../../../protocol/wire/batch';
import { StringTable } from '../../../protocol/wire/stringTable';
import type { RunSummary } from '../../../run-store/queries/runSummary';
import type { IncarnationStart, RunModel } from '../runModel';

/** Keeps what was applied as lines, life by life, so that a test can compare it with what the job sent. */
export class FakeModel implements RunModel {
  readonly lives = new Map<string, string[]>();
  connections = 0;
  private present: string[] = [];
  private strings = new StringTable();
  private state: RunSummary['state'] = 'running';
  views: (name: ViewName, params: unknown) => unknown = () => null;

  private started: IncarnationStart | null = null;

  start(): IncarnationStart | null {
    return this.started;
  }

  begin(start: IncarnationStart, strings: StringTable): void {
    this.strings = strings;
    this.started = start;
    this.present = [];
    this.lives.set(start.incarnation.id, this.present);
  }

  connected(): void {
    this.connections++;
  }

  apply(batch: DecodedBatch): void {
    forEachInOrder(batch, (kind, row) => {
      const step = kind.columns['step'];
      this.present.push(
        `${kind.seq[row]} ${kind.kind} ${step?.type === 'ints' ? step.ints[row] : ''}`.trim(),
      );
      const state = kind.kind === 'runState' ? kind.columns['state'] : undefined;
      if (state?.type === 'ints')
        this.state = this.strings.get(state.ints[row]!) === 'ended' ? 'ended' : 'running';
    });
  }

  summary(): RunSummary {
    return {
      state: this.state,
      paused: null,
      step: null,
      firstStep: null,
      lastStep: null,
      phase: null,
      policyVersion: null,
      methods: {},
      openFindings: 0,
    };
  }

  private readonly revisions = new Map<ViewName, number>();

  revision(name: ViewName): number {
    return this.revisions.get(name) ?? 0;
  }

  bump(name: ViewName): void {
    this.revisions.set(name, this.revision(name) + 1);
  }

  view<V extends ViewName>(name: V, params: Views[V]['params']): Views[V]['data'] | null {
    return this.views(name, params) as Views[V]['data'] | null;
  }

  readonly leftViews: ViewName[] = [];

  left(name: ViewName): void {
    this.leftViews.push(name);
  }

  query<Q extends QueryName>(name: Q): Promise<Queries[Q]['result']> {
    return Promise.reject(new Error(`${name}: not here`));
  }
}
