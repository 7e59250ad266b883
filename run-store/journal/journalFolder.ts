import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  JOURNAL_VERSION,
  JournalManifest,
  MANIFEST_NAME,
  incarnationFolder,
  segmentName,
} from '../../protocol/journal/format';
import { check } from '../../protocol/wire/rpc';
import { JournalError, fileError } from './journalError';
import { fieldOf, parseJson } from './json';

export interface SegmentFile {
  readonly incarnation: number;
  readonly segment: number;
  /** Bytes of its lines when the journal was opened. */
  readonly bytes: number;
}

export interface JournalFolder {
  readonly folder: string;
  readonly manifest: JournalManifest;
  /** In the order in which they are read. */
  readonly segments: readonly SegmentFile[];
}

export function pathOf(
  folder: string,
  { incarnation, segment }: Pick<SegmentFile, 'incarnation' | 'segment'>,
  part: 'jsonl' | 'texts' | 'index',
): string {
  return join(folder, incarnationFolder(incarnation), segmentName(segment, part));
}

/** @throws JournalError when the folder is no journal, cannot be read, or is of another version. */
export async function openFolder(folder: string): Promise<JournalFolder> {
  const manifest = await readManifest(folder);
  const segments: SegmentFile[] = [];
  for (const incarnation of await numbered(folder, /^incarnation-(\d+)$/u)) {
    const path = join(folder, incarnationFolder(incarnation));
    for (const segment of await numbered(path, /^segment-(\d+)\.jsonl$/u)) {
      const { size } = await stat(join(path, segmentName(segment, 'jsonl'))).catch((error: unknown) => {
        throw fileError(error, path);
      });
      segments.push({ incarnation, segment, bytes: size });
    }
  }
  if (segments.every(({ bytes }) => bytes === 0)) {
    throw new JournalError(
      'empty',
      `The journal of ${manifest.run.name} in ${folder} holds no events.`,
      'The run ended, or was stopped, before it wrote anything.',
      'Choose another journal, or start the run again.',
    );
  }
  return { folder, manifest, segments };
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw fileError(error, folder);
  }
}

async function numbered(folder: string, pattern: RegExp): Promise<number[]> {
  const names = await listNames(folder);
  const numbers = names.flatMap((name) => {
    const match = pattern.exec(name);
    return match ? [Number(match[1])] : [];
  });
  return numbers.sort((a, b) => a - b);
}

async function readManifest(folder: string): Promise<JournalManifest> {
  const path = join(folder, MANIFEST_NAME);
  const names = await listNames(folder);
  const notAJournal = (what: string, cause?: unknown): JournalError =>
    new JournalError(
      'notAJournal',
      what,
      'It is not the journal of a run.',
      'Choose the folder that holds journal.json and the folders incarnation-0001, ….',
      { cause },
    );
  if (!names.includes(MANIFEST_NAME)) throw notAJournal(`${folder} has no ${MANIFEST_NAME}.`);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw fileError(error, path);
  });
  if (text.trim() === '') throw notAJournal(`${path} is empty.`);
  const raw = parseJson(text);
  if (fieldOf(raw, 'format') !== 'rolloutscope-journal') throw notAJournal(`${path} names no such format.`);
  const version = fieldOf(raw, 'version');
  if (version !== JOURNAL_VERSION) {
    throw new JournalError(
      'otherVersion',
      `${path} is of version ${String(version)}.`,
      `This Rolloutscope reads version ${JOURNAL_VERSION}.`,
      typeof version === 'number' && version > JOURNAL_VERSION
        ? 'Update Rolloutscope, then open it again.'
        : 'Open it with the Rolloutscope that it was recorded with.',
    );
  }
  try {
    return check(JournalManifest, raw, MANIFEST_NAME);
  } catch (error) {
    throw notAJournal(
      error instanceof Error ? `In ${path}: ${error.message}.` : `${path} is damaged.`,
      error,
    );
  }
}
