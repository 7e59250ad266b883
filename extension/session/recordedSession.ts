import type { TextParams, TextView } from '../../protocol/panels/text';
import { JournalError } from '../../run-store/journal/journalError';
import { JournalReader } from '../../run-store/journal/journalReader';
import { loadJournal, loadSteps } from '../../run-store/journal/loadJournal';
import { stepsPage } from '../../run-store/queries/steps';
import { textPath, textView, type NodeTokens, type PathPiece } from '../../run-store/queries/text';
import { RunStore } from '../../run-store/runStore';
import { messageOf } from '../lifecycle';
import type { IncarnationStart, ModelHost, RunModel } from './runModel';
import { StepHistory, type ReadStep } from './stepHistory';
import { StoreModel } from './storeModel';
import { nothing, type TextSource } from './textSource';

const REPORT_SHARE = 0.01;

/**
 * A recorded run: the same store and views as a live one, filled from its journal. The reading goes on after this
 * has answered, so that the first steps are shown while the rest is read. A folder that cannot be read is told as
 * a problem of the run, not thrown.
 */
export async function openRecorded(folder: string, host: ModelHost): Promise<RunModel> {
  const store = new RunStore();
  const onChanged = () => host.onChanged();
  try {
    const reader = await JournalReader.open(folder);
    const readStep: ReadStep = (run, incarnation, step) =>
      loadSteps(reader, run, { incarnation, from: step, to: step });
    const history = new StepHistory(readStep, onChanged, host.log);
    const model = new StoreModel(store, new JournalTexts(reader), history, onChanged);
    void read(reader, store, model, host);
    return model;
  } catch (error) {
    host.onProblem({ kind: 'journal', detail: detailOf(error) });
    const texts: TextSource = {
      text: (_store, params) => Promise.resolve(nothing(params, messageOf(error))),
    };
    return new StoreModel(
      store,
      texts,
      new StepHistory(() => Promise.resolve(null), onChanged, host.log),
      onChanged,
    );
  }
}

async function read(
  reader: JournalReader,
  store: RunStore,
  model: StoreModel,
  host: ModelHost,
): Promise<void> {
  const date = reader.manifest.run.startedAt;
  let told = -1;
  const tell = (share: number) => {
    told = share;
    const start = startOf(reader, store);
    if (start) model.describe(start);
    host.onRead(share, { date, steps: stepsPage(store, { limit: 0 }).total });
    host.onChanged();
  };
  try {
    await loadJournal(reader, store, {
      onProgress: (share) => {
        if (share - told >= REPORT_SHARE) tell(share);
      },
    });
  } catch (error) {
    host.onProblem({ kind: 'journal', detail: detailOf(error) });
  }
  for (const { sentence } of reader.problems) host.log.warn(`journal: ${sentence}`);
  tell(1);
}

function startOf(reader: JournalReader, store: RunStore): IncarnationStart | null {
  const life = store.current?.start;
  if (!life) return null;
  const { number, id, startedAt, successThreshold, sampling } = life;
  return {
    run: reader.manifest.run,
    incarnation: { number, id, startedAt },
    successThreshold,
    sampling: sampling ?? {},
    methods: [],
  };
}

/** What to tell of a journal that cannot be read: the meaning and the way out are in the error. */
export const detailOf = (error: unknown): string =>
  error instanceof JournalError ? `${error.what} ${error.whatToDo}`.replace(/\.$/, '') : messageOf(error);

/** Texts of a recorded run: the records that the journal keeps beside its segments. */
class JournalTexts implements TextSource {
  constructor(private readonly reader: JournalReader) {}

  async text(store: RunStore, params: TextParams): Promise<TextView> {
    const path = textPath(store, params);
    if (!path)
      return nothing(params, 'This rollout is no longer in memory. Open the tree of its step first.');
    const tokens = new Map<string, NodeTokens>();
    let unreachable: string | null = null;
    for (const piece of path.pieces) {
      try {
        await this.tokens(piece, tokens);
      } catch (error) {
        unreachable ??= detailOf(error);
      }
    }
    const row = store.prompts.find(path.prompt);
    const excerpt = row < 0 ? null : (store.prompts.facts[row]?.excerpt ?? null);
    return textView(path, excerpt ?? '', tokens, tokens.size > 0 ? null : unreachable);
  }

  private async tokens({ node, record }: PathPiece, into: Map<string, NodeTokens>): Promise<void> {
    if (!record || into.has(node)) return;
    const { incarnation, segment, offset, bytes } = record;
    const text = await this.reader.readText(incarnation, segment, offset, bytes);
    into.set(node, { ...text, from: 0, to: text.offsets.length });
  }
}
