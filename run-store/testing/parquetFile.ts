/** A column of a Parquet file for tests: one page, plain encoding, no compression, no missing cells. */
export type ParquetTestColumn =
  | { readonly name: string; readonly texts: readonly string[] }
  | { readonly name: string; readonly doubles: readonly number[] }
  | { readonly name: string; readonly longs: readonly number[] };

/** Thrift's compact protocol, as far as Parquet's headers need it. */
class Compact {
  readonly bytes: number[] = [];
  private last = 0;

  private varint(value: number): void {
    let left = value;
    while (left >= 128) {
      this.bytes.push((left % 128) + 128);
      left = Math.floor(left / 128);
    }
    this.bytes.push(left);
  }

  private field(id: number, type: number): void {
    this.bytes.push(((id - this.last) << 4) | type);
    this.last = id;
  }

  int(id: number, value: number, type: 5 | 6 = 5): this {
    this.field(id, type);
    this.varint(2 * value);
    return this;
  }

  text(id: number, value: string): this {
    this.field(id, 8);
    this.rawText(value);
    return this;
  }

  private rawText(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.varint(bytes.length);
    this.bytes.push(...bytes);
  }

  struct(id: number, fields: Compact): this {
    this.field(id, 12);
    this.bytes.push(...fields.bytes, 0);
    return this;
  }

  private list(id: number, type: number, size: number): void {
    this.field(id, 9);
    if (size < 15) this.bytes.push((size << 4) | type);
    else {
      this.bytes.push(0xf0 | type);
      this.varint(size);
    }
  }

  structs(id: number, items: readonly Compact[]): this {
    this.list(id, 12, items.length);
    for (const item of items) this.bytes.push(...item.bytes, 0);
    return this;
  }

  texts(id: number, items: readonly string[]): this {
    this.list(id, 8, items.length);
    for (const item of items) this.rawText(item);
    return this;
  }

  ints(id: number, items: readonly number[]): this {
    this.list(id, 5, items.length);
    for (const item of items) this.varint(2 * item);
    return this;
  }
}

const INT64 = 2;
const DOUBLE = 5;
const BYTE_ARRAY = 6;

function cells(column: ParquetTestColumn): { type: number; count: number; bytes: Uint8Array } {
  if ('texts' in column) {
    const parts = column.texts.map((text) => new TextEncoder().encode(text));
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const part of parts) {
      view.setUint32(at, part.length, true);
      bytes.set(part, at + 4);
      at += 4 + part.length;
    }
    return { type: BYTE_ARRAY, count: parts.length, bytes };
  }
  const values = 'doubles' in column ? column.doubles : column.longs;
  const bytes = new Uint8Array(8 * values.length);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => {
    if ('doubles' in column) view.setFloat64(8 * i, value, true);
    else view.setBigInt64(8 * i, BigInt(value), true);
  });
  return { type: 'doubles' in column ? DOUBLE : INT64, count: values.length, bytes };
}

/** Bytes of a Parquet file with these columns, one row group. */
export function parquetFile(columns: readonly ParquetTestColumn[]): Uint8Array {
  const body: number[] = [...new TextEncoder().encode('PAR1')];
  let rows = 0;
  const chunks = columns.map((column) => {
    const { type, count, bytes } = cells(column);
    rows = count;
    const at = body.length;
    const page = new Compact()
      .int(1, 0)
      .int(2, bytes.length)
      .int(3, bytes.length)
      .struct(5, new Compact().int(1, count).int(2, 0).int(3, 3).int(4, 3));
    body.push(...page.bytes, 0, ...bytes);
    const size = body.length - at;
    const meta = new Compact()
      .int(1, type)
      .ints(2, [0])
      .texts(3, [column.name])
      .int(4, 0)
      .int(5, count, 6)
      .int(6, size, 6)
      .int(7, size, 6)
      .int(9, at, 6);
    return new Compact().int(2, at, 6).struct(3, meta);
  });
  const schema = [
    new Compact().text(4, 'schema').int(5, columns.length),
    ...columns.map((column) => {
      const element = new Compact().int(1, cells(column).type).int(3, 0).text(4, column.name);
      return 'texts' in column ? element.int(6, 0) : element;
    }),
  ];
  const group = new Compact().structs(1, chunks).int(2, body.length, 6).int(3, rows, 6);
  const footer = new Compact().int(1, 1).structs(2, schema).int(3, rows, 6).structs(4, [group]);
  const end = [...footer.bytes, 0];
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, end.length, true);
  return new Uint8Array([...body, ...end, ...length, ...new TextEncoder().encode('PAR1')]);
}
