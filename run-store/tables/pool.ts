import { NONE, grown } from './chunks';

/**
 * Short runs of numbers that rows of a chunk own (bins of a series, policy versions, spans): one growing array,
 * pieces of a row linked newest first. It goes when its chunk goes.
 */
export class Pool {
  private numbers = new Float64Array(64);
  private used = 0;
  private heads: Int32Array;

  constructor(rows: number) {
    this.heads = new Int32Array(rows).fill(NONE);
  }

  get bytes(): number {
    return this.numbers.byteLength + this.heads.byteLength;
  }

  /** Appends a piece to a row. */
  add(row: number, piece: ArrayLike<number>): void {
    const at = this.used;
    const end = at + 2 + piece.length;
    if (end > this.numbers.length) {
      this.numbers = grown(this.numbers, Math.max(end, Math.ceil(1.5 * this.numbers.length)), 0);
    }
    this.numbers[at] = this.heads[row]!;
    this.numbers[at + 1] = piece.length;
    this.numbers.set(piece, at + 2);
    this.heads[row] = at;
    this.used = end;
  }

  has(row: number): boolean {
    return this.heads[row] !== NONE;
  }

  /** Pieces of a row, oldest first. Views: do not keep them. */
  pieces(row: number): Float64Array[] {
    const found: Float64Array[] = [];
    for (let at = this.heads[row]!; at !== NONE; at = this.numbers[at]!) {
      found.push(this.numbers.subarray(at + 2, at + 2 + this.numbers[at + 1]!));
    }
    return found.reverse();
  }
}
