import type { Batch } from '../../protocol/wire/batch';
import { EVENTS, isEventName } from '../../protocol/wire/events';

/**
 * Batches cut, filtered, joined and thinned for one reader. A shaped batch keeps its `from..to`: those say what
 * the batch speaks of, not what is in it.
 */
type Cells = readonly unknown[];
type Columns = Readonly<Record<string, Cells>>;
type Events = Readonly<Record<string, Columns>>;

const rowsOf = (columns: Columns): number => columns['seq']?.length ?? 0;
const numberAt = (columns: Columns, name: string, row: number): number => {
  const cell = columns[name]?.[row];
  return typeof cell === 'number' ? cell : -1;
};

function pick(columns: Columns, rows: readonly number[]): Columns {
  const picked: Record<string, unknown[]> = {};
  for (const name in columns) {
    const cells = columns[name]!;
    picked[name] = rows.map((row) => cells[row]);
  }
  return picked;
}

/** Keeps the rows for which `keep` holds; kinds without rows are left out. */
function filterEvents(
  events: Events,
  keep: (kind: string, columns: Columns, row: number) => boolean,
): Events {
  const kept: Record<string, Columns> = {};
  for (const kind in events) {
    const columns = events[kind]!;
    const count = rowsOf(columns);
    const rows: number[] = [];
    for (let row = 0; row < count; row++) if (keep(kind, columns, row)) rows.push(row);
    if (rows.length === count) kept[kind] = columns;
    else if (rows.length > 0) kept[kind] = pick(columns, rows);
  }
  return kept;
}

export const countEvents = (batch: Batch): number =>
  Object.values(batch.events).reduce((sum, columns) => sum + rowsOf(columns), 0);

/** What lies after `seq`. Strings stay whole: a reader may be told again what it knows. */
export function afterSeq(batch: Batch, seq: number): Batch {
  if (batch.from > seq) return batch;
  return {
    ...batch,
    from: seq + 1,
    events: filterEvents(batch.events, (_, columns, row) => numberAt(columns, 'seq', row) > seq),
  };
}

export const onlyKinds = (batch: Batch, kinds: ReadonlySet<string>): Batch => ({
  ...batch,
  events: filterEvents(batch.events, (kind) => kinds.has(kind) || kind === 'dropped'),
});

/** What a reader needs of the run even when it leaves out a step. */
const RUN_LEVEL: ReadonlySet<string> = new Set([
  'runState',
  'promptDeclared',
  'promptStatistics',
  'evaluation',
  'steering',
  'breakpoint',
  'finding',
]);

/** Before `seq` only what concerns the whole run. */
export function runLevelBefore(batch: Batch, seq: number): Batch {
  if (batch.from >= seq) return batch;
  return {
    ...batch,
    events: filterEvents(
      batch.events,
      (kind, columns, row) => RUN_LEVEL.has(kind) || numberAt(columns, 'seq', row) >= seq,
    ),
  };
}

/** The columns `textOffset` and `textBytes` belong to the journal and are taken off what goes over the wire. */
export function withoutTextPlaces(batch: Batch): Batch {
  const closed = batch.events['nodeClosed'];
  if (!closed || !('textOffset' in closed)) return batch;
  const columns = Object.fromEntries(
    Object.entries(closed).filter(([name]) => name !== 'textOffset' && name !== 'textBytes'),
  );
  return { ...batch, events: { ...batch.events, nodeClosed: columns } };
}

/** One batch of several that follow each other. @throws RangeError when they leave a gap or there is none. */
export function joinBatches(batches: readonly Batch[]): Batch {
  const first = batches[0];
  const last = batches[batches.length - 1];
  if (!first || !last) throw new RangeError('joinBatches: nothing to join');
  if (batches.length === 1) return first;
  const events: Record<string, Record<string, unknown[]>> = {};
  const lengths: Record<string, number> = {};
  const values: string[] = [];
  let stringsFrom = -1;
  let next = first.from;
  for (const batch of batches) {
    if (batch.from !== next) throw new RangeError(`joinBatches: ${next} is followed by ${batch.from}`);
    next = batch.to + 1;
    if (batch.strings) {
      if (stringsFrom < 0) stringsFrom = batch.strings.from;
      // A piece may repeat what an earlier one said.
      values.push(...batch.strings.values.slice(stringsFrom + values.length - batch.strings.from));
    }
    for (const kind in batch.events) {
      const columns = batch.events[kind]!;
      const before = lengths[kind] ?? 0;
      const into = (events[kind] ??= {});
      for (const name in columns) {
        const cells = (into[name] ??= new Array<unknown>(before).fill(null));
        for (const cell of columns[name]!) cells.push(cell);
      }
      lengths[kind] = before + rowsOf(columns);
      for (const name in into) {
        const cells = into[name]!;
        while (cells.length < lengths[kind]) cells.push(null);
      }
    }
  }
  return {
    from: first.from,
    to: last.to,
    now: last.now,
    ...(stringsFrom >= 0 ? { strings: { from: stringsFrom, values } } : {}),
    events,
  };
}

/** An event that was left out. */
interface Left {
  readonly seq: number;
  readonly t: number;
  readonly kind: string;
}

/** Columns that say which sample a later one replaces. */
const REPLACED_BY: Readonly<Record<string, readonly string[]>> = {
  rolloutSpan: ['rollout'],
  nodeUpdated: ['node'],
  credit: ['node', 'rollout', 'rule'],
  metric: ['name', 'step', 'worker'],
  worker: ['worker'],
};

/**
 * Thins the samples of a batch for a reader that fell behind: of several samples about one thing the newest
 * stays; series pieces that follow each other become one. A `dropped` event takes the seq of the last event
 * that was left out. Structural events are never touched.
 */
export function coalesce(batch: Batch): Batch {
  const events: Record<string, Columns> = {};
  const left: Left[] = [];
  for (const kind in batch.events) {
    const columns = batch.events[kind]!;
    const key = REPLACED_BY[kind];
    if (kind === 'nodeSeries') events[kind] = joinSeries(columns);
    else if (key === undefined || !isEventName(kind) || EVENTS[kind].structural) events[kind] = columns;
    else events[kind] = newest(kind, columns, key, left);
  }
  if (left.length === 0) return { ...batch, events };
  left.sort((a, b) => a.seq - b.seq);
  const last = left[left.length - 1]!;
  const kinds = [...new Set(left.map((event) => event.kind))].sort();
  const dropped = { seq: [last.seq], t: [last.t], from: [left[0]!.seq], to: [last.seq], kinds: [kinds] };
  return { ...batch, events: { ...events, dropped: { ...dropped, count: [left.length] } } };
}

function newest(kind: string, columns: Columns, key: readonly string[], left: Left[]): Columns {
  const rows = new Map<string, number>();
  const count = rowsOf(columns);
  for (let row = 0; row < count; row++) {
    const name = key.map((column) => numberAt(columns, column, row)).join(' ');
    const earlier = rows.get(name);
    if (earlier !== undefined) {
      left.push({ seq: numberAt(columns, 'seq', earlier), t: numberAt(columns, 't', earlier), kind });
    }
    rows.set(name, row);
  }
  return rows.size === count
    ? columns
    : pick(
        columns,
        [...rows.values()].sort((a, b) => a - b),
      );
}

/** Pieces of one node, field and bin that follow each other, as one piece with the last one’s place. */
function joinSeries(columns: Columns): Columns {
  const open = new Map<string, { rows: number[]; end: number }>();
  const pieces: { rows: number[]; end: number }[] = [];
  const lengthAt = (row: number): number => {
    const mean = columns['mean']?.[row];
    return Array.isArray(mean) ? mean.length : 0;
  };
  const count = rowsOf(columns);
  for (let row = 0; row < count; row++) {
    const name = ['node', 'field', 'bin'].map((column) => numberAt(columns, column, row)).join(' ');
    const from = numberAt(columns, 'from', row);
    const earlier = open.get(name);
    if (earlier?.end === from) {
      earlier.rows.push(row);
      earlier.end += lengthAt(row);
    } else {
      const piece = { rows: [row], end: from + lengthAt(row) };
      open.set(name, piece);
      pieces.push(piece);
    }
  }
  if (pieces.length === count) return columns;
  pieces.sort((a, b) => a.rows[a.rows.length - 1]! - b.rows[b.rows.length - 1]!);
  const joined: Record<string, unknown[]> = {};
  for (const name in columns) {
    const cells = columns[name]!;
    joined[name] = pieces.map(({ rows }) => {
      if (name === 'mean' || name === 'greatest') return rows.flatMap((row) => cells[row]);
      return cells[name === 'from' ? rows[0]! : rows[rows.length - 1]!];
    });
  }
  return joined;
}
