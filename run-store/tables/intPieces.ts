import { grown } from './chunks';

/** Row and length of a piece stand before its numbers. */
const HEAD = 2;

/**
 * Short runs of integers that a few rows of a chunk own (policy versions of those that had several). Without an
 * index: a piece is found by looking through all of them, for a person who looks at one text.
 */
export class IntPieces {
  private numbers = new Int32Array(64);
  private used = 0;

  get bytes(): number {
    return this.numbers.byteLength;
  }

  /** Appends the pairs of a row as one piece. */
  add(row: number, pairs: readonly (readonly [number, number])[]): void {
    let at = this.used;
    const end = at + HEAD + 2 * pairs.length;
    if (end > this.numbers.length) {
      this.numbers = grown(this.numbers, Math.max(end, Math.ceil(1.5 * this.numbers.length)), 0);
    }
    const { numbers } = this;
    numbers[at++] = row;
    numbers[at++] = 2 * pairs.length;
    for (let k = 0; k < pairs.length; k++) {
      const pair = pairs[k]!;
      numbers[at++] = pair[0];
      numbers[at++] = pair[1];
    }
    this.used = end;
  }

  /** The newest piece of a row; null when it has none. */
  last(row: number): Int32Array | null {
    let found: Int32Array | null = null;
    for (let at = 0; at < this.used;) {
      const begin = at + HEAD;
      const end = begin + this.numbers[at + 1]!;
      if (this.numbers[at] === row) found = this.numbers.slice(begin, end);
      at = end;
    }
    return found;
  }
}
