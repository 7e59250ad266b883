import type { ViewName, Views } from '../../protocol/panels/views';
import { decodeBatch } from '../../protocol/wire/batch';
import { StringTable } from '../../protocol/wire/stringTable';
import { historyStore } from '../../run-store/historyStore';
import { groupFor } from '../../run-store/queries/tree';
import type { RunStore } from '../../run-store/runStore';
import { messageOf, type Log } from '../lifecycle';
import type { ModelHost } from './runModel';

/** Reads the trees of one step again, into a store of their own; null: there is nothing to read them from. */
export type ReadStep = (store: RunStore, incarnation: number, step: number) => Promise<RunStore | null>;

/** Steps that are kept after they were read again. */
const KEPT = 3;

interface Kept {
  readonly key: string;
  store: RunStore | null;
}

/** Steps whose trees the run’s store has given up, read again when somebody looks at them. */
export class StepHistory {
  private readonly kept: Kept[] = [];
  /** Rises when a step was read. */
  revision = 0;

  constructor(
    private readonly readStep: ReadStep,
    private readonly onRead: () => void,
    private readonly log: Log,
  ) {}

  /** The store in which the subject of a view stands; starts to read it when it is not there yet. */
  storeFor<V extends ViewName>(run: RunStore, name: V, params: Views[V]['params']): RunStore {
    if (name !== 'tree' || !('group' in params)) return run;
    const found = groupFor(run, params);
    const step = found ? found.incarnation.steps[found.incarnation.groups.step[found.group]!] : undefined;
    if (!found || !step?.released) return run;
    return this.take(run, found.incarnation.start.number, step.number) ?? run;
  }

  /** The stores that may hold the subject of a query, the run’s own first. */
  storesFor(run: RunStore): RunStore[] {
    return [run, ...this.kept.flatMap(({ store }) => (store ? [store] : []))];
  }

  private take(run: RunStore, incarnation: number, step: number): RunStore | null {
    const key = `${incarnation} ${step}`;
    const known = this.kept.find((one) => one.key === key);
    if (known) return known.store;
    const one: Kept = { key, store: null };
    this.kept.push(one);
    if (this.kept.length > KEPT) this.kept.shift();
    void this.read(run, one, incarnation, step);
    return null;
  }

  private async read(run: RunStore, one: Kept, incarnation: number, step: number): Promise<void> {
    try {
      one.store = await this.readStep(run, incarnation, step);
      this.revision++;
      this.onRead();
    } catch (error) {
      this.log.warn(`step ${step} could not be read again: ${messageOf(error)}`);
      // It is tried again when it is looked at again.
      const place = this.kept.indexOf(one);
      if (place >= 0) this.kept.splice(place, 1);
    }
  }
}

/** Reads a step again from the job’s own journal. */
export const readFromJob =
  (read: ModelHost['read']): ReadStep =>
  async (run, incarnation, step) => {
    const strings = new StringTable();
    const history = historyStore(run, incarnation, strings);
    if (!history) return null;
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof read<'readSteps'>>> = await read('readSteps', {
        incarnation,
        from: step,
        to: step,
        ...(cursor === null ? {} : { cursor }),
      });
      // Each page brings the table that its batches need, from the first handle on.
      strings.add(0, page.strings);
      for (const raw of page.batches) history.apply(decodeBatch(raw, strings));
      cursor = page.next;
    } while (cursor !== null);
    return history;
  };
