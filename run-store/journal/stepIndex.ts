import { readFile } from 'node:fs/promises';
import { Value } from '@sinclair/typebox/value';
import { IndexLine } from '../../protocol/journal/format';
import { type SegmentFile, pathOf } from './journalFolder';
import { fieldOf, parseJson } from './json';
import { segmentLines } from './segmentLines';

/** Steps that open in a batch as it stands in the journal. */
export function stepsOpenedBy(raw: unknown, offset: number): IndexLine[] {
  const opened = fieldOf(fieldOf(raw, 'events'), 'stepOpened');
  const steps = fieldOf(opened, 'step');
  const seqs = fieldOf(opened, 'seq');
  if (!Array.isArray(steps) || !Array.isArray(seqs)) return [];
  return steps
    .map((step: unknown, row) => ({ step, seq: seqs[row] as unknown, offset }))
    .filter((line): line is IndexLine => Value.Check(IndexLine, line));
}

/**
 * The steps of a segment by the byte offset of the batch that opens them: as its index file has them, and what that
 * lacks (it is missing, torn, or the process was killed between batch and index line) from the segment itself.
 */
export async function stepIndex(
  folder: string,
  file: SegmentFile,
  signal?: AbortSignal,
): Promise<IndexLine[]> {
  const lines = await readIndexFile(pathOf(folder, file, 'index'), file.bytes);
  const from = lines.at(-1)?.offset ?? 0;
  let first = true;
  for await (const line of segmentLines(pathOf(folder, file, 'jsonl'), from, Infinity, signal)) {
    // The line at `from` is the head, or the batch that the last index line is about.
    const isKnown = first;
    first = false;
    if (isKnown || !line.whole) continue;
    lines.push(...stepsOpenedBy(parseJson(line.text), line.offset));
  }
  return lines;
}

async function readIndexFile(path: string, bytes: number): Promise<IndexLine[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    return [];
  }
  const lines: IndexLine[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const raw = parseJson(line);
    // What comes after an unreadable line is found again in the segment.
    if (!Value.Check(IndexLine, raw) || raw.offset >= bytes) break;
    lines.push(raw);
  }
  return lines;
}
