import { Value } from '@sinclair/typebox/value';
import type { Column } from './columns';
import { QUICK_CHECKS } from './quickChecks';
import { WireError } from './wireError';

const bad = (message: string): WireError => new WireError('malformed', message);

const SPECIAL: Readonly<Record<string, number>> = { NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity };

/**
 * Room for the numeric columns of a batch. A reader that is done with each batch before it decodes the next one gives
 * `decodeBatch` an arena of its own: the columns of all its batches then stand in the same memory, one batch after
 * the other. Without one every batch has memory of its own.
 */
export class DecodeArena {
  private numbers = new Float64Array(0);
  private used = 0;

  /** Forgets the last batch and makes room for `count` numbers. */
  begin(count: number): void {
    if (this.numbers.length < count) this.numbers = new Float64Array(count);
    this.used = 0;
  }

  take(count: number): Float64Array {
    const from = this.used;
    this.used = from + count;
    return this.numbers.subarray(from, this.used);
  }
}

/**
 * Cells of an `int`, `ref` or `flag` column; −1 where one is missing.
 *
 * @param limit greatest value.
 * @throws WireError with the place.
 */
export function decodeInts(
  out: Float64Array,
  cells: readonly unknown[],
  column: Column,
  limit: number,
  path: () => string,
): Float64Array {
  for (let i = 0; i < out.length; i++) {
    const cell = cells[i];
    // Nearly all are small: these need no arithmetic with fractions.
    if (typeof cell === 'number' && (cell | 0) === cell && cell >= 0 && cell <= limit) {
      out[i] = cell;
    } else if (cell === null && column.optional) {
      out[i] = -1;
    } else if (typeof cell === 'number' && cell >= 0 && cell <= limit && Math.floor(cell) === cell) {
      out[i] = cell;
    } else if (column.type === 'ref' && typeof cell === 'number' && cell > limit) {
      throw new WireError('unknownHandle', `${path()}[${i}]: handle ${cell} was never introduced`);
    } else {
      throw bad(`${path()}[${i}]: expected ${column.type === 'flag' ? '0 or 1' : 'an integer ≥ 0'}`);
    }
  }
  return out;
}

/** Cells of a `num` column; NaN where one is missing. `onNonFinite`: rows where the wire said NaN or an infinity. */
export function decodeNumbers(
  out: Float64Array,
  cells: readonly unknown[],
  column: Column,
  path: () => string,
  onNonFinite: (row: number) => void,
): Float64Array {
  for (let i = 0; i < out.length; i++) {
    const cell = cells[i];
    if (typeof cell === 'number') {
      out[i] = cell;
    } else if (cell === null && column.optional) {
      out[i] = NaN;
    } else {
      const special = typeof cell === 'string' ? SPECIAL[cell] : undefined;
      if (special === undefined) throw bad(`${path()}[${i}]: expected a number`);
      out[i] = special;
      onNonFinite(i);
    }
  }
  return out;
}

/** Cells of a `text` or `json` column, as they are. */
export function checkValues(
  cells: readonly unknown[],
  column: Column,
  path: () => string,
): readonly unknown[] {
  const quick = column.schema === undefined ? undefined : QUICK_CHECKS.get(column.schema);
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i];
    if (cell === null && column.optional) continue;
    if (column.type === 'text') {
      if (typeof cell !== 'string') throw bad(`${path()}[${i}]: expected text`);
    } else if (column.schema !== undefined && quick?.(cell) !== true && !Value.Check(column.schema, cell)) {
      const first = Value.Errors(column.schema, cell).First();
      throw bad(`${path()}[${i}]${first?.path ?? ''}: ${first?.message ?? 'not as declared'}`);
    }
  }
  return cells;
}
