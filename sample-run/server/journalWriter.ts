import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  JOURNAL_VERSION,
  JournalManifest,
  MANIFEST_NAME,
  SEGMENT_BYTES,
  incarnationFolder,
  segmentName,
  type IndexLine,
  type SegmentHead,
  type TextRecord,
} from '../../protocol/journal/format';
import type { Batch } from '../../protocol/wire/batch';
import { check } from '../../protocol/wire/rpc';
import { AppendQueue, realDisk, type AppendDisk, type AppendTarget } from './appendFiles';
import type { BatchSink } from './publisher';

export type SegmentContext = Pick<SegmentHead, 'incarnation' | 'successThreshold' | 'sampling'>;

export interface JournalOptions {
  readonly folder: string;
  readonly context: SegmentContext;
  readonly segmentBytes?: number;
  readonly queueBytes?: number;
  readonly disk?: AppendDisk;
  /** The journal cannot go on; the run does. */
  readonly onStopped: (reason: string) => void;
}

/** Place of a text record: file of its segment, first byte, length. */
export interface TextPlace {
  readonly segment: number;
  readonly offset: number;
  readonly bytes: number;
}

const FIRST_INCARNATION = 1;
/** Nodes whose place is kept in memory, newest last. */
const REMEMBERED_PLACES = 100_000;

/**
 * Makes the folder and its manifest, or reads the manifest that is there.
 *
 * @throws WireError or SyntaxError when a manifest is there that is not one.
 */
export async function openJournalFolder(
  folder: string,
  run: JournalManifest['run'],
): Promise<{ manifest: JournalManifest; nextIncarnation: number }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  const numbers = names.map((name) => Number(/^incarnation-(\d+)$/.exec(name)?.[1] ?? 0));
  const nextIncarnation = Math.max(FIRST_INCARNATION - 1, ...numbers) + 1;
  const path = join(folder, MANIFEST_NAME);
  if (names.includes(MANIFEST_NAME)) {
    const manifest = check(JournalManifest, JSON.parse(await readFile(path, 'utf8')), MANIFEST_NAME);
    return { manifest, nextIncarnation };
  }
  const manifest: JournalManifest = { format: 'rolloutscope-journal', version: JOURNAL_VERSION, run };
  await writeFile(`${path}.new`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return { manifest, nextIncarnation };
}

interface Segment {
  readonly number: number;
  readonly files: Promise<readonly [jsonl: AppendTarget, texts: AppendTarget, index: AppendTarget]>;
  jsonlBytes: number;
  textBytes: number;
}

/**
 * Writes the batches of one incarnation. Texts are written before the batch that points at them, the batch before
 * the index line that points at it, so that whatever a crash leaves can be read.
 */
export class JournalWriter implements BatchSink {
  private readonly queue: AppendQueue;
  private readonly folder: string;
  private readonly context: SegmentContext;
  private readonly segmentBytes: number;
  private readonly disk: AppendDisk;
  private readonly places = new Map<string, TextPlace>();
  private segment: Segment | null = null;
  private closed = false;
  private written = 0;

  constructor({ folder, context, segmentBytes, queueBytes, disk, onStopped }: JournalOptions) {
    this.folder = join(folder, incarnationFolder(context.incarnation.number));
    this.context = context;
    this.segmentBytes = segmentBytes ?? SEGMENT_BYTES;
    this.disk = disk ?? realDisk;
    this.queue = new AppendQueue(queueBytes ?? 64 * 1024 * 1024, (reason) => {
      this.abandon();
      onStopped(reason);
    });
    this.queue.push(0, async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
    });
  }

  /** Newest seq that is with the system. */
  get lastSeq(): number {
    return this.written;
  }

  get stopped(): boolean {
    return this.closed || this.queue.failure !== null;
  }

  /** Where the text of one of the newest closed nodes of this incarnation stands. */
  placeOf(node: string): TextPlace | null {
    return this.places.get(node) ?? null;
  }

  batch(
    batch: Batch,
    line: string,
    texts: readonly (TextRecord | null)[],
    strings: readonly string[],
    stringsBefore: number,
  ): void {
    if (this.stopped) return;
    const records = texts.map((text) => (text ? Buffer.from(`${JSON.stringify(text)}\n`) : null));
    const recordBytes = records.reduce((sum, record) => sum + (record?.length ?? 0), 0);
    let segment = this.segment;
    if (
      !segment ||
      (segment.textBytes + recordBytes > this.segmentBytes && segment.textBytes > 0) ||
      segment.jsonlBytes + Buffer.byteLength(line) > this.segmentBytes
    ) {
      segment = this.nextSegment(segment, batch.from, strings.slice(0, stringsBefore));
    }
    const nodeIds = texts.map((text) => text?.node ?? null);
    const placed = records.length > 0 ? this.place(segment, batch, records, nodeIds) : null;
    const data = Buffer.from(`${placed ? JSON.stringify(placed) : line}\n`);
    const index = indexLines(batch, segment.jsonlBytes);
    segment.jsonlBytes += data.length;
    const textData = Buffer.concat(records.filter((record) => record !== null));
    const { files } = segment;
    this.queue.push(data.length + textData.length + index.length, async () => {
      const [jsonl, textFile, indexFile] = await files;
      if (textData.length > 0) await textFile.append(textData);
      await jsonl.append(data);
      if (index.length > 0) await indexFile.append(index);
      this.written = batch.to;
    });
  }

  /** Resolves when everything so far is with the system, or the journal has stopped. */
  flush(): Promise<void> {
    return this.queue.idle();
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    const { segment } = this;
    if (segment) this.closeFiles(segment);
    await this.queue.idle();
  }

  private closeFiles(segment: Segment): void {
    this.queue.push(0, async () => {
      for (const file of await segment.files) await file.close();
    });
  }

  /** After a failure nothing more is written; what is open is given back. */
  private abandon(): void {
    void this.segment?.files.then((files) => Promise.allSettled(files.map((file) => file.close())));
  }

  private nextSegment(last: Segment | null, firstSeq: number, strings: readonly string[]): Segment {
    if (last) this.closeFiles(last);
    const number = (last?.number ?? 0) + 1;
    const head: SegmentHead = {
      journal: JOURNAL_VERSION,
      segment: number,
      ...this.context,
      firstSeq,
      strings: [...strings],
    };
    const data = Buffer.from(`${JSON.stringify(head)}\n`);
    let settle: (files: Awaited<Segment['files']>) => void = () => undefined;
    const files = new Promise<Awaited<Segment['files']>>((resolve) => (settle = resolve));
    this.queue.push(data.length, async () => {
      const path = (part: 'jsonl' | 'texts' | 'index') => join(this.folder, segmentName(number, part));
      const texts = await this.disk.open(path('texts'));
      const index = await this.disk.open(path('index'));
      const jsonl = await this.disk.open(path('jsonl'));
      await jsonl.append(data);
      settle([jsonl, texts, index]);
    });
    this.segment = { number, files, jsonlBytes: data.length, textBytes: 0 };
    return this.segment;
  }

  private remember(node: string, place: TextPlace): void {
    this.places.set(node, place);
    if (this.places.size <= REMEMBERED_PLACES) return;
    for (const oldest of this.places.keys()) {
      this.places.delete(oldest);
      break;
    }
  }

  /** The batch with the places of its nodes’ texts. */
  private place(
    segment: Segment,
    batch: Batch,
    records: readonly (Buffer | null)[],
    nodes: readonly (string | null)[],
  ): Batch {
    const textOffset: (number | null)[] = [];
    const textBytes: (number | null)[] = [];
    records.forEach((record, row) => {
      textOffset.push(record ? segment.textBytes : null);
      textBytes.push(record ? record.length : null);
      const node = nodes[row];
      if (!record) return;
      if (node) {
        this.remember(node, { segment: segment.number, offset: segment.textBytes, bytes: record.length });
      }
      segment.textBytes += record.length;
    });
    const nodeClosed = { ...batch.events['nodeClosed'], textOffset, textBytes };
    return { ...batch, events: { ...batch.events, nodeClosed } };
  }
}

/** Steps that open in the batch whose line begins at `offset`. */
function indexLines(batch: Batch, offset: number): Buffer {
  const opened = batch.events['stepOpened'];
  const lines = (opened?.['step'] ?? []).map((step, row) => {
    const seq = opened?.['seq']?.[row];
    const line: IndexLine = { step: Number(step), seq: Number(seq), offset };
    return `${JSON.stringify(line)}\n`;
  });
  return Buffer.from(lines.join(''));
}
