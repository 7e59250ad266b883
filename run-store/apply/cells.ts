import type { DecodedKind } from '../../protocol/wire/batch';
import type { EventFields } from '../../protocol/wire/event';
import type { EVENTS, EventName } from '../../protocol/wire/events';

type Columns<K extends EventName> = (typeof EVENTS)[K]['columns'];
type NamesOf<K extends EventName, T extends string> = {
  [N in keyof Columns<K> & string]: Columns<K>[N] extends { type: T } ? N : never;
}[keyof Columns<K> & string];
type Filled<K extends EventName, N extends keyof EventFields<K>> = Exclude<EventFields<K>[N], undefined>;

let noInts = new Float64Array(0);
let noNumbers = new Float64Array(0);
let noValues: null[] = [];

/** The columns of one kind of event in one batch, by name. A column that the batch lacks reads as missing in every row. */
export class Cells<K extends EventName> {
  readonly seq: Float64Array;
  readonly t: Float64Array;

  constructor(private readonly kind: DecodedKind & { readonly kind: K }) {
    this.seq = kind.seq;
    this.t = kind.t;
  }

  /** Integers, flags and handles; −1 is missing. */
  ints(name: NamesOf<K, 'int' | 'ref' | 'flag'>): Float64Array {
    const column = this.kind.columns[name];
    if (column?.type === 'ints') return column.ints;
    if (noInts.length < this.kind.count) noInts = new Float64Array(this.kind.count).fill(-1);
    return noInts;
  }

  /** Numbers; NaN is missing or was said to be none. */
  numbers(name: NamesOf<K, 'num'>): Float64Array {
    const column = this.kind.columns[name];
    if (column?.type === 'numbers') return column.numbers;
    if (noNumbers.length < this.kind.count) noNumbers = new Float64Array(this.kind.count).fill(NaN);
    return noNumbers;
  }

  /** Texts and structured values; null is missing. */
  values<N extends NamesOf<K, 'text' | 'json'> & keyof EventFields<K>>(
    name: N,
  ): readonly (Filled<K, N> | null)[] {
    const column = this.kind.columns[name];
    // decodeBatch has checked every cell of the column against the schema that the type is made from.
    if (column?.type === 'values') return column.values as readonly (Filled<K, N> | null)[];
    if (noValues.length < this.kind.count) noValues = new Array<null>(this.kind.count).fill(null);
    return noValues;
  }

  has(name: keyof Columns<K> & string): boolean {
    return this.kind.columns[name] !== undefined;
  }

  /** Rows in which the wire said NaN, Infinity or −Infinity. */
  nonFinite(name: NamesOf<K, 'num'>): readonly number[] {
    return this.kind.nonFinite.get(name) ?? [];
  }
}
