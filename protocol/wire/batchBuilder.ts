import type { Batch } from './batch';
import type { Column } from './columns';
import { EVENTS, type EventName } from './events';
import type { EventFields } from './event';
import { StringPool } from './stringTable';

const encodeNumber = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

function encodeCell(value: unknown, column: Column, pool: StringPool): unknown {
  if (value === undefined || value === null) return null;
  switch (column.type) {
    case 'ref':
      return pool.handle(value as string);
    case 'num':
      return encodeNumber(Number(value));
    case 'flag':
      return value === true ? 1 : 0;
    default:
      return value;
  }
}

/**
 * Collects events into a columnar batch: what a job's publisher writes. It numbers the events, so one builder
 * stands for one incarnation.
 */
export class BatchBuilder {
  private readonly pool: StringPool;
  private events: Record<string, Record<string, unknown[]>> = {};
  private from: number;
  private next: number;
  private stringsFrom: number;

  /** @param firstSeq seq of the first event; strings of an earlier life of the same incarnation are given as `known`. */
  constructor(firstSeq = 1, known: readonly string[] = []) {
    this.pool = new StringPool();
    for (const value of known) this.pool.handle(value);
    this.from = firstSeq;
    this.next = firstSeq;
    this.stringsFrom = known.length;
  }

  /** Events waiting. */
  get size(): number {
    return this.next - this.from;
  }

  /** Seq of the last event added; `firstSeq` − 1 before the first. */
  get head(): number {
    return this.next - 1;
  }

  /** All strings so far, by handle. */
  get strings(): readonly string[] {
    return this.pool.values;
  }

  /** Adds an event at `t` milliseconds and returns its seq. */
  add<K extends EventName>(kind: K, t: number, fields: EventFields<K>): number {
    const declared: Readonly<Record<string, Column>> = EVENTS[kind].columns;
    const given: Readonly<Record<string, unknown>> = fields;
    const columns = (this.events[kind] ??= this.emptyColumns(declared));
    columns['seq']!.push(this.next);
    columns['t']!.push(t);
    for (const name in declared) columns[name]!.push(encodeCell(given[name], declared[name]!, this.pool));
    return this.next++;
  }

  /** Takes what was collected as a batch; null when there is nothing. Columns without any value are left out. */
  take(now: number): Batch | null {
    if (this.size === 0) return null;
    for (const columns of Object.values(this.events)) {
      for (const name of Object.keys(columns)) {
        if (columns[name]!.every((cell) => cell === null)) Reflect.deleteProperty(columns, name);
      }
    }
    const values = this.pool.values.slice(this.stringsFrom);
    const batch: Batch = {
      from: this.from,
      to: this.next - 1,
      now,
      ...(values.length > 0 ? { strings: { from: this.stringsFrom, values } } : {}),
      events: this.events,
    };
    this.events = {};
    this.from = this.next;
    this.stringsFrom = this.pool.values.length;
    return batch;
  }

  private emptyColumns(declared: Readonly<Record<string, Column>>): Record<string, unknown[]> {
    const columns: Record<string, unknown[]> = { seq: [], t: [] };
    for (const name in declared) columns[name] = [];
    return columns;
  }
}
