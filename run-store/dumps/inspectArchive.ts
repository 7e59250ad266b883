import type { ByteSource } from './byteSource';
import type { Dump } from './dump';
import { DumpError, EXPECTED } from './dumpError';
import { inspectHeader } from './formats/inspect';
import { inspectDump } from './inspectDump';
import type { Unusable } from './measured';
import { parseLenient } from './rows/lenientJson';
import { zipBytes, zipEntries, type ZipEntry } from './rows/zip';

const SUMMARIES = 'summaries.json';
const JOURNALED = /^_journal\/summaries\/\d+\.json$/;
const SAMPLES = /^samples\/.+\.json$/;

/**
 * An Inspect log as a zip archive. Only the summaries of its samples are unpacked: they hold the scores, and a log of
 * a gigabyte has them in a few megabytes. A log that still runs has them in its journal; an old one has samples only.
 */
export async function inspectArchive(source: ByteSource): Promise<Dump> {
  const entries = await zipEntries(source);
  const named = new Map(entries.map((entry) => [entry.name, entry]));
  const read = async (entry: ZipEntry): Promise<unknown> =>
    parseLenient(new TextDecoder().decode(await zipBytes(source, entry)));
  const head = named.get('header.json') ?? named.get('_journal/start.json');
  const header = head === undefined ? null : inspectHeader(await read(head));
  if (header === null) {
    const found = entries.slice(0, 5).map(({ name }) => name.slice(0, 60));
    throw new DumpError(
      `The archive is no Inspect log: it holds ${found.join(', ') || 'nothing'}.`,
      EXPECTED,
    );
  }
  const summaries = named.get(SUMMARIES);
  const parts = summaries === undefined ? entries.filter(({ name }) => JOURNALED.test(name)) : [summaries];
  const places = parts.length > 0 ? parts : entries.filter(({ name }) => SAMPLES.test(name));
  const samples: unknown[] = [];
  const unreadable: Unusable[] = [];
  for (const entry of places) {
    const value = await read(entry);
    if (value === undefined) unreadable.push({ place: entry.name, why: 'not JSON' });
    else
      for (const sample of Array.isArray(value) ? (value as readonly unknown[]) : [value])
        samples.push(sample);
  }
  if (samples.length === 0) {
    throw new DumpError(
      `The Inspect log of ${header.task} holds no samples yet.`,
      'Open it when some have ended.',
    );
  }
  const dump = inspectDump(header, samples, unreadable);
  const running = named.has('header.json') ? [] : ['the log is not finished: these are the samples so far'];
  return { ...dump, notes: [...dump.notes, ...running] };
}
