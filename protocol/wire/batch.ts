import type { Column } from './columns';
import { DecodeArena, checkValues, decodeInts, decodeNumbers } from './decodeColumns';
import { EVENTS, EVENT_NAMES, type EventName } from './events';
import type { StringTable } from './stringTable';
import { WireError } from './wireError';

/** A batch as it stands on the wire and, a line each, in the journal. */
export interface Batch {
  /** First and last seq that the batch speaks of, whatever was filtered or dropped. The next `from` is `to` + 1. */
  readonly from: number;
  readonly to: number;
  /** Milliseconds since the incarnation's start when the batch was sent. */
  readonly now: number;
  /** Strings of first use: handles `from`, `from` + 1, …. */
  readonly strings?: { readonly from: number; readonly values: readonly string[] };
  readonly events: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
}

/**
 * A validated column. Missing cells: −1 in `ints` (int, ref, flag), NaN in `numbers`, null in `values`.
 * An explicit NaN or infinity of the wire is kept as such and its row is listed in `DecodedKind.nonFinite`.
 */
export type DecodedColumn =
  | { readonly type: 'ints'; readonly ints: Float64Array }
  | { readonly type: 'numbers'; readonly numbers: Float64Array }
  | { readonly type: 'values'; readonly values: readonly unknown[] };

export interface DecodedKind {
  readonly kind: EventName;
  /** Index in EVENT_NAMES. */
  readonly index: number;
  readonly count: number;
  readonly seq: Float64Array;
  readonly t: Float64Array;
  /** By column name; a column that the batch lacks is absent. */
  readonly columns: Readonly<Partial<Record<string, DecodedColumn>>>;
  /** Column name → rows where the wire said NaN, Infinity or −Infinity. */
  readonly nonFinite: ReadonlyMap<string, readonly number[]>;
}

export interface DecodedBatch {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly kinds: readonly DecodedKind[];
  /** Events in all kinds. */
  readonly count: number;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const bad = (message: string): WireError => new WireError('malformed', message);

const SEQ: Column = { type: 'int', optional: false, doc: '' };
const NONE_NON_FINITE: ReadonlyMap<string, readonly number[]> = new Map();

/** Numbers that the columns of a raw kind hold, seq and t included; at least as many as will be taken. */
function numbersOf(kind: EventName, raw: unknown): number {
  if (!isObject(raw)) return 0;
  const seq: unknown = raw['seq'];
  if (!Array.isArray(seq)) return 0;
  const declared: Readonly<Record<string, Column>> = EVENTS[kind].columns;
  let columns = 2;
  for (const name in declared) {
    const { type } = declared[name]!;
    if (type !== 'text' && type !== 'json' && raw[name] !== undefined) columns += 1;
  }
  return columns * seq.length;
}

function decodeKind(
  index: number,
  raw: unknown,
  from: number,
  to: number,
  strings: number,
  arena: DecodeArena,
): DecodedKind {
  const kind = EVENT_NAMES[index]!;
  if (!isObject(raw)) throw bad(`events.${kind}: expected columns`);
  const seqCells: unknown = raw['seq'];
  const tCells: unknown = raw['t'];
  if (!Array.isArray(seqCells) || !Array.isArray(tCells)) throw bad(`events.${kind}: lacks seq or t`);
  const count = seqCells.length;
  if (tCells.length !== count) throw bad(`events.${kind}.t: ${tCells.length} cells, seq has ${count}`);
  const declared: Readonly<Record<string, Column>> = EVENTS[kind].columns;
  const seq = decodeInts(
    arena.take(count),
    seqCells,
    SEQ,
    Number.MAX_SAFE_INTEGER,
    () => `events.${kind}.seq`,
  );
  let last = from - 1;
  for (let i = 0; i < count; i++) {
    const s = seq[i]!;
    if (s <= last || s > to) {
      throw new WireError('outOfOrder', `events.${kind}.seq[${i}]: ${s} after ${last} in ${from}..${to}`);
    }
    last = s;
  }
  let nonFinite: Map<string, number[]> | null = null;
  const columns: Partial<Record<string, DecodedColumn>> = {};
  for (const name in declared) {
    const column = declared[name]!;
    const cells: unknown = raw[name];
    if (cells === undefined) {
      if (!column.optional && count > 0) throw bad(`events.${kind}: lacks ${name}`);
      continue;
    }
    if (!Array.isArray(cells) || cells.length !== count) {
      throw bad(`events.${kind}.${name}: expected ${count} cells`);
    }
    const path = (): string => `events.${kind}.${name}`;
    switch (column.type) {
      case 'int':
        columns[name] = {
          type: 'ints',
          ints: decodeInts(arena.take(count), cells, column, Number.MAX_SAFE_INTEGER, path),
        };
        break;
      case 'ref':
        columns[name] = {
          type: 'ints',
          ints: decodeInts(arena.take(count), cells, column, strings - 1, path),
        };
        break;
      case 'flag':
        columns[name] = { type: 'ints', ints: decodeInts(arena.take(count), cells, column, 1, path) };
        break;
      case 'num': {
        const rows: number[] = [];
        const numbers = decodeNumbers(arena.take(count), cells, column, path, (row) => rows.push(row));
        if (rows.length > 0) (nonFinite ??= new Map()).set(name, rows);
        columns[name] = { type: 'numbers', numbers };
        break;
      }
      case 'text':
      case 'json':
        columns[name] = { type: 'values', values: checkValues(cells, column, path) };
    }
  }
  const t = decodeNumbers(
    arena.take(count),
    tCells,
    SEQ,
    () => `events.${kind}.t`,
    () => undefined,
  );
  return { kind, index, count, seq, t, columns, nonFinite: nonFinite ?? NONE_NON_FINITE };
}

const isSeq = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/**
 * Validates a batch and turns its columns into typed arrays. Unknown kinds and columns are ignored.
 * Adds the batch's strings to `strings`, also when a later part is malformed: handles are never reused.
 *
 * @param arena memory of the batch before, to be used again.
 * @throws WireError `malformed`, `outOfOrder` or `unknownHandle`, with the place.
 */
export function decodeBatch(raw: unknown, strings: StringTable, arena = new DecodeArena()): DecodedBatch {
  if (!isObject(raw)) throw bad('batch: expected an object');
  const { from, to, now, events } = raw;
  if (!isSeq(from) || !isSeq(to) || to < from - 1) throw bad('batch: from and to are not seq numbers');
  if (typeof now !== 'number') throw bad('batch.now: expected milliseconds');
  if (!isObject(events)) throw bad('batch.events: expected an object');
  const piece = raw['strings'];
  if (piece !== undefined) {
    if (!isObject(piece) || !isSeq(piece['from']) || !Array.isArray(piece['values'])) {
      throw bad('batch.strings: expected {from, values}');
    }
    strings.add(piece['from'], piece['values']);
  }
  let numbers = 0;
  for (const kind of EVENT_NAMES) numbers += numbersOf(kind, events[kind]);
  arena.begin(numbers);
  const kinds: DecodedKind[] = [];
  let count = 0;
  for (let index = 0; index < EVENT_NAMES.length; index++) {
    const columns = events[EVENT_NAMES[index]!];
    if (columns === undefined) continue;
    const decoded = decodeKind(index, columns, from, to, strings.size, arena);
    if (decoded.count > 0) kinds.push(decoded);
    count += decoded.count;
  }
  if (count > to - from + 1) throw bad(`batch: ${count} events in ${from}..${to}`);
  if (kinds.length > 1) refuseSharedSeq(kinds, from, to);
  return { from, to, now, kinds, count };
}

/** Within a kind seqs rise; here two kinds must not claim one. */
function refuseSharedSeq(kinds: readonly DecodedKind[], from: number, to: number): void {
  if (to - from < MARKED_SPAN) refuseMarked(kinds, from, new Uint8Array(to - from + 1));
  else refuseKnown(kinds, new Set());
}

function refuseMarked(kinds: readonly DecodedKind[], from: number, marks: Uint8Array): void {
  for (const { seq } of kinds) {
    for (let i = 0; i < seq.length; i++) {
      const place = seq[i]! - from;
      if (marks[place] === 1) throw sharedSeq(seq[i]!);
      marks[place] = 1;
    }
  }
}

/** A batch that was filtered may speak of a long stretch with few events in it. */
function refuseKnown(kinds: readonly DecodedKind[], known: Set<number>): void {
  for (const { seq } of kinds) {
    for (const s of seq) {
      if (known.has(s)) throw sharedSeq(s);
      known.add(s);
    }
  }
}

const sharedSeq = (seq: number): WireError => new WireError('outOfOrder', `batch: seq ${seq} stands twice`);

const MARKED_SPAN = 65_536;

/**
 * Calls `visit(kind, row)` for every event of the batch in seq order. Linear in the length of the batch.
 *
 * @throws WireError `outOfOrder` when two events claim one seq.
 */
export function forEachInOrder(batch: DecodedBatch, visit: (kind: DecodedKind, row: number) => void): void {
  const { kinds } = batch;
  if (kinds.length === 1) {
    const only = kinds[0]!;
    for (let row = 0; row < only.count; row++) visit(only, row);
    return;
  }
  const rows = kinds.map(() => 0);
  for (let done = 0; done < batch.count; done++) {
    let best = -1;
    let bestSeq = Infinity;
    for (let k = 0; k < kinds.length; k++) {
      const seq = kinds[k]!.seq[rows[k]!];
      if (seq === undefined) continue;
      if (seq === bestSeq) throw new WireError('outOfOrder', `batch: seq ${seq} stands twice`);
      if (seq < bestSeq) {
        bestSeq = seq;
        best = k;
      }
    }
    const kind = kinds[best]!;
    const row = rows[best]!;
    rows[best] = row + 1;
    visit(kind, row);
  }
}
