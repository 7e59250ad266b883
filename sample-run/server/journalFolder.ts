import { createReadStream } from 'node:fs';
import { open, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  IndexLine,
  SegmentHead,
  TextRecord,
  incarnationFolder,
  segmentName,
} from '../../protocol/journal/format';
import type { Batch } from '../../protocol/wire/batch';
import { RawBatch } from '../../protocol/wire/reads';
import { check } from '../../protocol/wire/rpc';

/**
 * What the server reads back from its own journal: older batches for snapshots and for `readSteps`, texts of
 * nodes that are no longer in memory.
 */
export interface JournalLine {
  readonly segment: number;
  /** Byte offset of the line after this one. */
  readonly next: number;
  readonly batch: Batch;
  readonly bytes: number;
}

/** Numbers of the segments of an incarnation, rising; empty when there are none. */
export async function listSegments(folder: string, incarnation: number): Promise<number[]> {
  let names: string[];
  try {
    names = await readdir(join(folder, incarnationFolder(incarnation)));
  } catch {
    return [];
  }
  const numbers = names.flatMap((name) => {
    const match = /^segment-(\d+)\.jsonl$/.exec(name);
    return match ? [Number(match[1])] : [];
  });
  return numbers.sort((a, b) => a - b);
}

const pathOf = (folder: string, incarnation: number, segment: number, part: 'jsonl' | 'texts' | 'index') =>
  join(folder, incarnationFolder(incarnation), segmentName(segment, part));

/** @throws Error when the head cannot be read. */
export async function readHead(folder: string, incarnation: number, segment: number): Promise<SegmentHead> {
  const stream = createReadStream(pathOf(folder, incarnation, segment, 'jsonl'), { encoding: 'utf8' });
  const lines = createInterface({ input: stream, crlfDelay: Infinity });
  try {
    for await (const line of lines) return check(SegmentHead, JSON.parse(line), 'segment head');
    throw new Error(`Segment ${segment} of start ${incarnation} is empty.`);
  } finally {
    lines.close();
    stream.destroy();
  }
}

/** Steps that a segment's index names. A torn last line is left out. */
export async function readIndex(folder: string, incarnation: number, segment: number): Promise<IndexLine[]> {
  let text: string;
  try {
    text = await readFile(pathOf(folder, incarnation, segment, 'index'), 'utf8');
  } catch {
    return [];
  }
  const lines: IndexLine[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    try {
      lines.push(check(IndexLine, JSON.parse(line), 'index line'));
    } catch {
      return lines;
    }
  }
  return lines;
}

/**
 * Batches of a segment from a byte offset on (0: its beginning), in order. Ends before a torn or unreadable line.
 */
export async function* readBatches(
  folder: string,
  incarnation: number,
  segment: number,
  offset: number,
): AsyncGenerator<JournalLine> {
  const stream = createReadStream(pathOf(folder, incarnation, segment, 'jsonl'), { start: offset });
  let position = offset;
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of stream) {
      rest = Buffer.concat([rest, Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))]);
      let begin = 0;
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, begin)) {
        const line = rest.toString('utf8', begin, end);
        position += end + 1 - begin;
        const bytes = end - begin;
        begin = end + 1;
        const batch = parseBatch(line);
        if (batch === 'head') continue;
        if (batch === null) return;
        yield { segment, next: position, batch, bytes };
      }
      rest = rest.subarray(begin);
    }
  } finally {
    stream.destroy();
  }
}

function parseBatch(line: string): Batch | 'head' | null {
  try {
    const raw: unknown = JSON.parse(line);
    if (typeof raw === 'object' && raw !== null && 'journal' in raw) return 'head';
    const { strings, ...batch } = check(RawBatch, raw, 'journal line');
    return strings ? { ...batch, strings } : batch;
  } catch {
    return null;
  }
}

/** A text record by its place. @throws Error when it cannot be read. */
export async function readText(
  folder: string,
  incarnation: number,
  place: { segment: number; offset: number; bytes: number },
): Promise<TextRecord> {
  const file = await open(pathOf(folder, incarnation, place.segment, 'texts'), 'r');
  try {
    const buffer = Buffer.alloc(place.bytes);
    await file.read(buffer, 0, place.bytes, place.offset);
    return check(TextRecord, JSON.parse(buffer.toString('utf8')), 'text record');
  } finally {
    await file.close();
  }
}
