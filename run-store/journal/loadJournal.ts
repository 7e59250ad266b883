import { StringTable } from '../../protocol/wire/stringTable';
import { historyStore } from '../historyStore';
import type { RunStore } from '../runStore';
import type { JournalBatch, JournalReader, ReadOptions, StepRange } from './journalReader';

/** Time after which others get their turn: a bar that moves, an abort that is heard. */
const SLICE_MS = 16;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Applies batches in slices, beginning an incarnation in the store where one begins in the journal. */
async function applyAll(store: RunStore, batches: AsyncIterable<JournalBatch>): Promise<void> {
  let since = performance.now();
  for await (const { head, strings, segment, batch } of batches) {
    if (store.current?.strings !== strings) {
      store.beginIncarnation(
        { ...head.incarnation, successThreshold: head.successThreshold, sampling: head.sampling },
        strings,
      );
    }
    store.apply(batch, segment);
    if (performance.now() - since > SLICE_MS) {
      await nextTurn();
      since = performance.now();
    }
  }
}

/**
 * Reads a whole journal into a store. The store may be looked at meanwhile.
 *
 * @throws JournalError when a file cannot be read, and the signal's reason when it was aborted.
 */
export async function loadJournal(
  reader: JournalReader,
  store: RunStore,
  options: ReadOptions = {},
): Promise<void> {
  await applyAll(store, reader.batches(options));
}

/**
 * Reads steps whose trees the run's store has given up into a store of their own (see historyStore). null: the
 * run's store does not know the incarnation.
 */
export async function loadSteps(
  reader: JournalReader,
  run: RunStore,
  steps: StepRange,
  signal?: AbortSignal,
): Promise<RunStore | null> {
  const strings = new StringTable();
  const history = historyStore(run, steps.incarnation, strings);
  if (!history) return null;
  await applyAll(history, reader.readSteps(steps, strings, signal));
  if (run.incarnations.find(({ start }) => start.number === steps.incarnation)?.isOver)
    history.endIncarnation();
  return history;
}
