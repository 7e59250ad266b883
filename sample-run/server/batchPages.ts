import type { Batch } from '../../protocol/wire/batch';
import type { ReadParams, ReadResult } from '../../protocol/wire/reads';
import { joinBatches, runLevelBefore, withoutTextPlaces } from './batchShaping';
import { listSegments, readBatches, readHead, readIndex } from './journalFolder';
import type { JournalWriter } from './journalWriter';
import type { Publisher } from './publisher';
import { RpcError } from './rpcError';

/** Bytes of batches in an answer; well under a frame, so that an answer never keeps the loop busy for long. */
const PAGE_BYTES = 512 * 1024;
/** Strings in a batch that only hands over a piece of the string table. */
const STRINGS_PIECE = 8192;

export interface PageSources {
  readonly publisher: Publisher;
  readonly journal: JournalWriter | null;
  readonly folder: string | null;
  readonly incarnation: number;
  /** Bytes of batches in an answer. */
  readonly pageBytes?: number;
}

/** Batches without events that hand over a table from `from` on; `seq` is the first seq that follows. */
export function stringBatches(strings: readonly string[], from: number, to: number, seq: number): Batch[] {
  const batches: Batch[] = [];
  for (let at = from; at < to; at += STRINGS_PIECE) {
    const values = strings.slice(at, Math.min(to, at + STRINGS_PIECE));
    batches.push({ from: seq, to: seq - 1, now: 0, strings: { from: at, values }, events: {} });
  }
  return batches;
}

type Wire = ReadResult<'snapshot'>['batches'][number];

/** As an answer carries it: mutable copies of the outer shape only. */
const toWire = ({ from, to, now, strings, events }: Batch): Wire => ({
  from,
  to,
  now,
  ...(strings ? { strings: { from: strings.from, values: [...strings.values] } } : {}),
  events: Object.fromEntries(
    Object.entries(events).map(([kind, columns]) => [
      kind,
      Object.fromEntries(Object.entries(columns).map(([name, cells]) => [name, [...cells]])),
    ]),
  ),
});

interface SnapshotPlace {
  /** Next seq to hand over. */
  next: number;
  /** Seq where the stream goes on. */
  readonly until: number;
  /** Events before it are left out unless they concern the whole run. */
  readonly from: number;
  strings: number;
  segment: number;
  offset: number;
}

const writePlace = (p: SnapshotPlace): string =>
  [p.next, p.until, p.from, p.strings, p.segment, p.offset].join('.');

function readPlace(cursor: string): SnapshotPlace {
  const parts = cursor.split('.').map(Number);
  const [next, until, from, strings, segment, offset] = parts;
  if (
    parts.length !== 6 ||
    !parts.every((part) => Number.isSafeInteger(part) && part >= 0) ||
    next === undefined ||
    until === undefined ||
    from === undefined ||
    strings === undefined ||
    segment === undefined ||
    offset === undefined
  ) {
    throw new RpcError(
      'invalidParams',
      'snapshot: this cursor was not given by this server. Start again without one.',
    );
  }
  return { next, until, from, strings, segment, offset };
}

/**
 * A page of the run so far. What memory no longer holds comes from the journal; without a journal the snapshot
 * begins with the oldest batch in memory.
 */
export async function snapshotPage(
  params: ReadParams<'snapshot'>,
  { publisher, journal, folder, incarnation, pageBytes = PAGE_BYTES }: PageSources,
): Promise<ReadResult<'snapshot'>> {
  publisher.flush();
  const { held } = publisher;
  const place =
    params.cursor === undefined
      ? {
          next: 1,
          until: held.head,
          from: params.fromStep === undefined ? 0 : (publisher.seqOfStep(params.fromStep) ?? held.head + 1),
          strings: 0,
          segment: 1,
          offset: 0,
        }
      : readPlace(params.cursor);
  const page: Batch[] = [];
  let bytes = 0;
  const take = (batch: Batch, size: number): void => {
    const shaped = runLevelBefore(withoutTextPlaces(batch), place.from);
    const last = page[page.length - 1];
    const bare = last && (Object.keys(last.events).length === 0 || Object.keys(shaped.events).length === 0);
    // Stretches that were left out are one batch, not thousands of empty ones.
    if (bare && last.to >= last.from && last.to < place.from)
      page[page.length - 1] = joinBatches([last, shaped]);
    else page.push(shaped);
    bytes += shaped === batch ? size : JSON.stringify(shaped).length;
    place.next = batch.to + 1;
    if (batch.strings) place.strings = batch.strings.from + batch.strings.values.length;
  };

  if (place.next < held.firstSeq && journal && folder !== null) {
    await journal.flush();
    const segments = await listSegments(folder, incarnation);
    for (const segment of segments.filter((number) => number >= place.segment)) {
      const start = segment === place.segment ? place.offset : 0;
      for await (const line of readBatches(folder, incarnation, segment, start)) {
        if (line.batch.from > place.next || place.next >= held.firstSeq || bytes >= pageBytes) break;
        place.segment = segment;
        place.offset = line.next;
        if (line.batch.to >= place.next) take(line.batch, line.bytes);
      }
      if (place.next >= held.firstSeq || bytes >= pageBytes) break;
    }
  }
  if (place.next < held.firstSeq && bytes === 0) {
    page.push(
      ...stringBatches(
        publisher.strings,
        place.strings,
        held.at(held.firstSeq)?.stringsBefore ?? 0,
        held.firstSeq,
      ),
    );
    place.next = held.firstSeq;
  }
  while (bytes < pageBytes && place.next <= place.until) {
    const entry = held.at(place.next);
    if (!entry) break;
    take(entry.batch, entry.bytes);
  }
  const more = place.next <= place.until;
  return {
    batches: page.map(toWire),
    seq: Math.max(place.until, place.next - 1),
    next: more ? writePlace(place) : null,
    stringsSoFar: place.strings,
    done: place.until === 0 ? 1 : Math.min(1, (place.next - 1) / place.until),
  };
}

/** A page of the journal’s batches for a range of steps of any incarnation that the journal has; what it was on the first. */
export async function stepsPage(
  params: ReadParams<'readSteps'>,
  { publisher, journal, folder, incarnation, pageBytes = PAGE_BYTES }: PageSources,
): Promise<ReadResult<'readSteps'>> {
  if (folder === null)
    throw new RpcError('unsupported', 'This run keeps no journal, so older steps cannot be read.');
  if (params.incarnation === incarnation) {
    publisher.flush();
    await journal?.flush();
  }
  const segments = await listSegments(folder, params.incarnation);
  if (segments.length === 0) {
    throw new RpcError('notFound', `The journal has no start ${params.incarnation} of this run.`);
  }
  const indexes = await Promise.all(
    segments.map((segment) => readIndex(folder, params.incarnation, segment)),
  );
  const opened = indexes.flatMap((lines, i) => lines.map((line) => ({ ...line, segment: segments[i]! })));
  const found = opened.find((line) => line.step >= params.from && line.step <= params.to);
  if (!found && opened.length > 0) return { strings: [], batches: [], next: null };
  // What comes before the first step is told with it.
  const isFirst = found === undefined || found === opened[0];
  const first = isFirst ? { segment: segments[0]!, offset: 0, seq: 1 } : found;
  const end = opened.find((line) => line.step > params.to)?.seq ?? Infinity;

  const cursor = params.cursor?.split('.').map(Number);
  const startSegment = cursor?.[0] ?? first.segment;
  const startOffset = cursor?.[1] ?? first.offset;
  if (!Number.isSafeInteger(startSegment) || !Number.isSafeInteger(startOffset) || startOffset < 0) {
    throw new RpcError(
      'invalidParams',
      'readSteps: this cursor was not given by this server. Start again without one.',
    );
  }
  const batches: Batch[] = [];
  let start: ReadResult<'readSteps'>['start'];
  if (cursor === undefined) {
    const strings = await stringsBefore(folder, params.incarnation, first.segment, first.offset);
    batches.push(...stringBatches(strings, 0, strings.length, first.seq));
    const head = await readHead(folder, params.incarnation, first.segment);
    const { successThreshold, sampling } = head;
    start = { incarnation: head.incarnation, successThreshold, sampling };
  }
  const answer = (next: string | null): ReadResult<'readSteps'> => ({
    strings: [],
    batches: batches.map(toWire),
    next,
    ...(start ? { start } : {}),
  });
  let bytes = 0;
  for (const segment of segments.filter((number) => number >= startSegment)) {
    const start = segment === startSegment ? startOffset : 0;
    for await (const line of readBatches(folder, params.incarnation, segment, start)) {
      if (line.batch.from >= end) return answer(null);
      batches.push(withoutTextPlaces(line.batch));
      bytes += line.bytes;
      if (bytes >= pageBytes) return answer(`${segment}.${line.next}`);
    }
  }
  return answer(null);
}

/** The string table as it stands at a byte offset of a segment. */
async function stringsBefore(
  folder: string,
  incarnation: number,
  segment: number,
  offset: number,
): Promise<string[]> {
  const strings = (await readHead(folder, incarnation, segment)).strings;
  for await (const { batch, next } of readBatches(folder, incarnation, segment, 0)) {
    if (next > offset) break;
    if (batch.strings) strings.push(...batch.strings.values.slice(strings.length - batch.strings.from));
  }
  return strings;
}
