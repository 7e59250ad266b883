/**
 * Rows of the big tables live in chunks: growing never copies, and a chunk is given back as a whole. 16,384 rows
 * are 1 MB: making one takes about a millisecond, so that nothing has to be made ahead.
 */
export const CHUNK_BITS = 14;
export const CHUNK_ROWS = 1 << CHUNK_BITS;
export const CHUNK_MASK = CHUNK_ROWS - 1;

/** Counts on the wire go to 2^53; columns hold them to here, which no real one reaches. */
export const MOST = 2_147_483_647;
export const atMost = (count: number): number => (count < MOST ? count : MOST);

/** No row, no handle, no value. */
export const NONE = -1;
/** The row was in a chunk that was released. */
export const RELEASED = -2;

/**
 * Memory of a chunk's columns. Shared memory is not counted as pressure by the garbage collector: with plain buffers
 * it collects everything again and again while a stream fills the store, which costs a fifth of the rate and frees
 * nothing. The memory still goes when the chunk does.
 */
const memory = (bytes: number): ArrayBufferLike =>
  typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);

/** Columns of a chunk, filled with what "missing" is: 0, −1 or NaN. */
export const zeroBytes = (): Uint8Array => new Uint8Array(memory(CHUNK_ROWS));
export const missingBytes = (): Int8Array => new Int8Array(memory(CHUNK_ROWS)).fill(NONE);
/** Codes of the dictionary; 0 is none. */
export const noCodes = (): Uint16Array => new Uint16Array(memory(2 * CHUNK_ROWS));
export const zeroInts = (): Int32Array => new Int32Array(memory(4 * CHUNK_ROWS));
export const missingNumbers = (): Float32Array => new Float32Array(memory(4 * CHUNK_ROWS)).fill(NaN);
export const missingDoubles = (): Float64Array => new Float64Array(memory(8 * CHUNK_ROWS)).fill(NaN);

/** Sum of the bytes of all columns among an object's own fields. */
export function columnBytes(columns: object): number {
  let total = 0;
  for (const value of Object.values(columns) as unknown[]) {
    if (ArrayBuffer.isView(value)) total += value.byteLength;
    else if (typeof value === 'object' && value !== null && 'bytes' in value) {
      total += typeof value.bytes === 'number' ? value.bytes : 0;
    }
  }
  return total;
}

type Numbers = Int8Array | Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** The same column with room for `rows`, new rows filled. For small tables, whose columns are one array each. */
export function grown<T extends Numbers>(column: T, rows: number, fill: number): T {
  const next = new (column.constructor as new (length: number) => T)(rows);
  next.fill(fill, column.length);
  next.set(column);
  return next;
}
