import { open, stat, type FileHandle } from 'node:fs/promises';
import { sourcesName, type ByteSource } from '../../run-store/dumps/byteSource';
import { DumpError } from '../../run-store/dumps/dumpError';
import { loadDumps } from '../../run-store/dumps/loadDumps';
import type { SuccessChoice } from '../../run-store/dumps/success';
import { stepsPage } from '../../run-store/queries/steps';
import { RunStore } from '../../run-store/runStore';
import { messageOf } from '../lifecycle';
import type { ModelHost, RunModel } from './runModel';
import { StepHistory } from './stepHistory';
import { StoreModel } from './storeModel';
import { nothing } from './textSource';

const REPORT_SHARE = 0.01;

/**
 * Files of results as a run that was recorded: the same store, views and exports. The reading goes on after this has
 * answered; a person who detaches ends it with the worker. What was read, or what has to be said before, is told by
 * `onResults`; a file that cannot be read is a problem of the run.
 */
export async function openResults(
  files: readonly string[],
  choice: SuccessChoice,
  host: ModelHost,
): Promise<RunModel> {
  const store = new RunStore();
  const model = new StoreModel(
    store,
    {
      text: (_store, params) =>
        Promise.resolve(nothing(params, 'Texts are not read from files of results. Open the file itself.')),
    },
    new StepHistory(
      () => Promise.resolve(null),
      () => host.onChanged(),
      host.log,
    ),
    () => host.onChanged(),
  );
  void read(files, choice, store, model, host);
  return model;
}

async function read(
  files: readonly string[],
  choice: SuccessChoice,
  store: RunStore,
  model: StoreModel,
  host: ModelHost,
): Promise<void> {
  const handles: FileHandle[] = [];
  try {
    const sources: ByteSource[] = [];
    let date = 0;
    for (const file of files) {
      date = Math.max(date, (await stat(file)).mtimeMs);
      const handle = await open(file, 'r');
      handles.push(handle);
      sources.push(await fileSource(file, handle));
    }
    let told = -1;
    const incarnation = { number: 1, id: `results of ${files.join(', ')}`.slice(0, 200), startedAt: date };
    host.onRead(0, null);
    const loaded = await loadDumps(sources, store, incarnation, choice, {
      onProgress: (share) => {
        if (share - told < REPORT_SHARE) return;
        told = share;
        host.onRead(Math.min(0.99, share), null);
      },
    });
    if ('results' in loaded) {
      const { results } = loaded;
      for (const { place, why } of results.named) host.log.warn(`results: ${place}: ${why}`);
      model.describe({
        run: {
          id: incarnation.id,
          name: sourcesName(files),
          framework: results.formats.join(', ').slice(0, 64),
          startedAt: date,
        },
        incarnation,
        successThreshold: store.current?.start.successThreshold ?? 0.5,
        sampling: {},
        methods: [],
      });
    }
    host.onResults(loaded);
    host.onRead(1, { date, steps: stepsPage(store, { limit: 0 }).total, fromFiles: true });
    host.onChanged();
  } catch (error) {
    host.onProblem({
      kind: 'results',
      detail: (error instanceof DumpError ? error.message : messageOf(error)).replace(/\.$/, ''),
    });
  } finally {
    for (const handle of handles) await handle.close();
  }
}

async function fileSource(path: string, handle: FileHandle): Promise<ByteSource> {
  const { size } = await handle.stat();
  return {
    path,
    byteLength: size,
    slice: async (start, end = size) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
        if (bytesRead === 0)
          throw new DumpError('The file became shorter while it was read.', 'Open it again.');
        filled += bytesRead;
      }
      return bytes.buffer;
    },
  };
}
