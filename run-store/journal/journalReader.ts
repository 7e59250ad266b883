import { open } from 'node:fs/promises';
import { Value } from '@sinclair/typebox/value';
import {
  type IndexLine,
  type JournalManifest,
  type SegmentHead,
  TextRecord,
} from '../../protocol/journal/format';
import type { DecodedBatch } from '../../protocol/wire/batch';
import { StringTable } from '../../protocol/wire/stringTable';
import { JournalError, type JournalProblem, fileError } from './journalError';
import { type JournalFolder, type SegmentFile, openFolder, pathOf } from './journalFolder';
import { parseJson } from './json';
import { Problems, segmentBatches } from './segmentBatches';
import { stepIndex } from './stepIndex';

export interface JournalBatch {
  /** Head of the segment: incarnation, success threshold, sampling settings. */
  readonly head: SegmentHead;
  /** The incarnation's table, as far as this batch; one object for all batches of an incarnation in a reading. */
  readonly strings: StringTable;
  readonly segment: number;
  readonly batch: DecodedBatch;
}

export interface StepRange {
  readonly incarnation: number;
  readonly from: number;
  readonly to: number;
}

export interface ReadOptions {
  readonly signal?: AbortSignal;
  /** Share of the bytes that was read, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/**
 * A journal on disk, opened for reading. Nothing is written: an index that is missing or short is rebuilt in
 * memory. What had to be cut or left out stands in `problems`.
 */
export class JournalReader {
  private readonly found = new Problems();
  private readonly indices = new Map<SegmentFile, Promise<readonly IndexLine[]>>();

  private constructor(private readonly journal: JournalFolder) {}

  /** @throws JournalError when the folder is no journal, cannot be read, or is of another version. */
  static async open(folder: string): Promise<JournalReader> {
    return new JournalReader(await openFolder(folder));
  }

  get manifest(): JournalManifest {
    return this.journal.manifest;
  }

  /** What was cut or left out so far. */
  get problems(): readonly JournalProblem[] {
    return this.found.list;
  }

  /** Bytes of all segments. */
  get bytes(): number {
    return this.journal.segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * All batches of all incarnations in order. A torn last line is cut; after damage the next segment goes on.
   *
   * @throws JournalError when a file cannot be read, and the signal's reason when it was aborted.
   */
  async *batches({ signal, onProgress }: ReadOptions = {}): AsyncGenerator<JournalBatch> {
    const all = this.bytes;
    let before = 0;
    let strings = new StringTable();
    let last: SegmentFile | null = null;
    for (const file of this.journal.segments) {
      if (last?.incarnation !== file.incarnation) strings = new StringTable();
      this.noteGap(last, file);
      last = file;
      const { folder } = this.journal;
      for await (const one of segmentBatches(folder, file, strings, this.found, 0, signal)) {
        onProgress?.((before + one.line.offset + one.line.bytes) / all);
        yield { head: one.head, strings, segment: file.segment, batch: one.batch };
      }
      before += file.bytes;
    }
    onProgress?.(1);
  }

  /**
   * The batches of the steps from..to of an incarnation, found by the index: from the batch that opens the first of
   * them to the one that opens the first step after them, that one included.
   *
   * @param strings a new table for these batches.
   */
  async *readSteps(
    { incarnation, from, to }: StepRange,
    strings: StringTable,
    signal?: AbortSignal,
  ): AsyncGenerator<JournalBatch> {
    let started = false;
    for (const file of this.journal.segments) {
      if (file.incarnation !== incarnation) continue;
      const index = await this.indexOf(file, signal);
      const first = index.find(({ step }) => step >= from && step <= to);
      if (!started && !first) continue;
      const begin = started ? 0 : first!.offset;
      started = true;
      const after = index.find(({ step, offset }) => step > to && offset >= begin);
      const { folder } = this.journal;
      for await (const one of segmentBatches(folder, file, strings, this.found, begin, signal)) {
        yield { head: one.head, strings, segment: file.segment, batch: one.batch };
        if (after && one.line.offset >= after.offset) return;
      }
    }
  }

  /** Steps of an incarnation in the order in which they opened. */
  async steps(incarnation: number, signal?: AbortSignal): Promise<number[]> {
    const steps: number[] = [];
    for (const file of this.journal.segments) {
      if (file.incarnation !== incarnation) continue;
      for (const { step } of await this.indexOf(file, signal)) steps.push(step);
    }
    return steps;
  }

  /**
   * A node's text, by the place that its nodeClosed names.
   *
   * @throws JournalError `noText` when there is no such record.
   */
  async readText(incarnation: number, segment: number, offset: number, bytes: number): Promise<TextRecord> {
    const path = pathOf(this.journal.folder, { incarnation, segment }, 'texts');
    const file = await open(path, 'r').catch((error: unknown) => {
      throw fileError(error, path);
    });
    try {
      const { size } = await file.stat();
      if (offset + bytes > size) throw noText(path, `it ends at byte ${size}, the text at ${offset + bytes}`);
      const buffer = Buffer.alloc(bytes);
      await file.read(buffer, 0, bytes, offset);
      const record = parseJson(buffer.toString('utf8'));
      if (!Value.Check(TextRecord, record)) throw noText(path, `at byte ${offset} stands something else`);
      return record;
    } finally {
      await file.close();
    }
  }

  private indexOf(file: SegmentFile, signal: AbortSignal | undefined): Promise<readonly IndexLine[]> {
    const known = this.indices.get(file);
    if (known) return known;
    const reading = stepIndex(this.journal.folder, file, signal);
    this.indices.set(file, reading);
    // One that was aborted is read again when somebody asks again.
    reading.catch(() => this.indices.delete(file));
    return reading;
  }

  private noteGap(last: SegmentFile | null, file: SegmentFile): void {
    const expected = last?.incarnation === file.incarnation ? last.segment + 1 : 1;
    if (file.segment === expected) return;
    const { incarnation } = file;
    this.found.note(
      'missingSegment',
      { incarnation, segment: expected },
      0,
      null,
      'is missing, and what it held.',
    );
  }
}

function noText(path: string, why: string): JournalError {
  return new JournalError(
    'noText',
    `The text is not in ${path}: ${why}.`,
    'The journal was cut, or copied without its texts.',
    'Copy the journal again with all files of the segment.',
  );
}
