import { Value } from '@sinclair/typebox/value';
import { SegmentHead } from '../../protocol/journal/format';
import { type DecodedBatch, decodeBatch } from '../../protocol/wire/batch';
import type { StringTable } from '../../protocol/wire/stringTable';
import type { JournalProblem } from './journalError';
import { type SegmentFile, pathOf } from './journalFolder';
import { fieldOf, parseJson } from './json';
import { type SegmentLine, segmentLines } from './segmentLines';

/** What had to be cut or left out, once a segment and kind. */
export class Problems {
  readonly list: JournalProblem[] = [];

  note(
    kind: JournalProblem['kind'],
    { incarnation, segment }: Pick<SegmentFile, 'incarnation' | 'segment'>,
    offset: number,
    bytes: number | null,
    text: string,
  ): void {
    const known = this.list.some(
      (one) => one.incarnation === incarnation && one.segment === segment && one.kind === kind,
    );
    if (known) return;
    const where = offset > 0 ? `, byte ${offset},` : '';
    const sentence = `Segment ${segment} of start ${incarnation}${where} ${text}`;
    this.list.push({ kind, incarnation, segment, offset, bytes, sentence });
  }
}

export interface SegmentBatch {
  readonly head: SegmentHead;
  readonly batch: DecodedBatch;
  readonly line: SegmentLine;
}

/**
 * The batches of one segment. Ends before a line that is torn or damaged and notes it: the handles of a lost line
 * are missing, so that only the next segment, whose head has the whole table, can go on.
 *
 * @param strings the incarnation's table so far; the head fills in what it lacks.
 * @param from byte offset of the first batch to decode; of those before it only the strings are taken.
 */
export async function* segmentBatches(
  folder: string,
  file: SegmentFile,
  strings: StringTable,
  problems: Problems,
  from = 0,
  signal?: AbortSignal,
): AsyncGenerator<SegmentBatch> {
  if (file.bytes === 0) {
    problems.note('emptySegment', file, 0, 0, 'has no bytes: the process ended as it began the file.');
    return;
  }
  let head: SegmentHead | null = null;
  for await (const line of segmentLines(pathOf(folder, file, 'jsonl'), 0, Infinity, signal)) {
    const raw = line.whole ? parseJson(line.text) : undefined;
    if (raw === undefined) {
      noteCut(file, line, problems);
      return;
    }
    if (head === null) {
      if (!Value.Check(SegmentHead, raw)) {
        problems.note('damaged', file, 0, file.bytes, 'does not begin with a head; it was left out.');
        return;
      }
      head = raw;
      strings.add(strings.size, head.strings.slice(strings.size));
      continue;
    }
    let batch: DecodedBatch;
    try {
      if (line.offset < from) {
        takeStrings(raw, strings);
        continue;
      }
      batch = decodeBatch(raw, strings);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const lost = file.bytes - line.offset;
      problems.note('damaged', file, line.offset, lost, `is damaged from there on (${why}).`);
      return;
    }
    yield { head, batch, line };
  }
}

/** @throws WireError when the strings of the line do not fit the table. */
function takeStrings(raw: unknown, strings: StringTable): void {
  const piece = fieldOf(raw, 'strings');
  const from = fieldOf(piece, 'from');
  const values = fieldOf(piece, 'values');
  if (typeof from === 'number' && Array.isArray(values)) strings.add(from, values);
}

/** A line that is no JSON: torn when nothing comes after it, else damage. */
function noteCut(file: SegmentFile, line: SegmentLine, problems: Problems): void {
  const end = line.offset + line.bytes + (line.whole ? 1 : 0);
  if (end >= file.bytes) {
    const text = `ends in an unfinished line of ${line.bytes} bytes; it was cut. The process ended while it wrote.`;
    problems.note('torn', file, line.offset, line.bytes, text);
  } else {
    problems.note('damaged', file, line.offset, file.bytes - line.offset, 'is damaged from there on.');
  }
}
