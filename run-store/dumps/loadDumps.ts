import { decodeBatch } from '../../protocol/wire/batch';
import { StringTable } from '../../protocol/wire/stringTable';
import type { IncarnationStart } from '../incarnation';
import type { RunStore } from '../runStore';
import type { ByteSource } from './byteSource';
import { dumpBatches } from './dumpEvents';
import { readDumps, type DumpsRead, type ReadDumpsOptions } from './readDumps';
import { countSet, judgeSets, type JudgedSet, type SuccessChoice, type SuccessQuestion } from './success';

/** One set of problems as it was read, over all its steps. */
export interface SetRead {
  readonly name: string;
  readonly use: 'evaluation' | 'training';
  readonly steps: readonly number[];
  /** Prompts and samples at all steps; ungraded samples are not among them. */
  readonly prompts: number;
  readonly samples: number;
  readonly ungraded: number;
  /** Score and threshold that tell success; null: the file gives counts. */
  readonly score: string | null;
  readonly threshold: number | null;
}

/** What was read of files of results: everything that a person must know to trust the numbers. */
export interface ResultsRead extends Omit<DumpsRead, 'measurements'> {
  readonly sets: readonly SetRead[];
}

export type LoadedDumps =
  | { readonly results: ResultsRead }
  /** Nothing was put into the store: a person has to say what a success is. */
  | { readonly question: SuccessQuestion; readonly read: Omit<DumpsRead, 'measurements'> };

/** Time after which others get their turn. */
const SLICE_MS = 16;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Reads files of results into a store, as a run that was recorded and has ended: see dumpBatches.
 *
 * Throws as readDumps; then, and where a question is left, the store is as it was.
 */
export async function loadDumps(
  sources: readonly ByteSource[],
  store: RunStore,
  start: Omit<IncarnationStart, 'successThreshold'>,
  choice: SuccessChoice = {},
  options: ReadDumpsOptions = {},
): Promise<LoadedDumps> {
  const { measurements, ...read } = await readDumps(sources, options);
  const answer = judgeSets(measurements.sets, choice);
  if ('question' in answer) return { question: answer.question, read };
  const { judged } = answer;
  const strings = new StringTable();
  const successThreshold = judged.find(({ rule }) => rule !== null)?.rule?.threshold ?? 0.5;
  store.beginIncarnation({ ...start, successThreshold }, strings);
  let since = performance.now();
  for (const batch of dumpBatches(measurements, judged)) {
    options.signal?.throwIfAborted();
    store.apply(decodeBatch(batch, strings));
    if (performance.now() - since > SLICE_MS) {
      await nextTurn();
      since = performance.now();
    }
  }
  return { results: { ...read, sets: setsRead(judged) } };
}

function setsRead(judged: readonly JudgedSet[]): SetRead[] {
  const sets = new Map<string, SetRead>();
  for (const { set, rule } of judged) {
    const key = `${set.use} ${set.name}`;
    const { counts, ungraded } = countSet(set, rule);
    const counted = [...counts.values()].filter(({ n }) => n > 0);
    const known = sets.get(key);
    sets.set(key, {
      name: set.name,
      use: set.use,
      steps: [...(known?.steps ?? []), set.step].sort((a, b) => a - b),
      prompts: (known?.prompts ?? 0) + counted.length,
      samples: counted.reduce((sum, { n }) => sum + n, known?.samples ?? 0),
      ungraded: (known?.ungraded ?? 0) + ungraded,
      score: rule?.score ?? null,
      threshold: rule?.threshold ?? null,
    });
  }
  return [...sets.values()];
}
