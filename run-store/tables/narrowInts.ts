import { CHUNK_ROWS, NONE, atMost, noCodes, zeroInts } from './chunks';

const WIDEST = 65_535;
/** How far below the first value of a chunk others are expected: rows and handles rise as a stream goes on. */
const REACH = 8_192;

/**
 * A column of integers in a chunk, 16 bits a row as long as they fit and 32 bits from then on. Rows and handles that
 * a chunk speaks of lie close together (`near`: counted from a base beside the first one), lengths are short (`small`:
 * counted from 0).
 */
export class NarrowInts {
  private narrow: Uint16Array | null = noCodes();
  private wide: Int32Array | null = null;
  /** Code c > 0 stands for the value `offset` + c; code 0 for `missing`. */
  private offset = -1;
  private isFixed: boolean;

  /** @param missing what a row holds that was not set. */
  constructor(
    kind: 'near' | 'small',
    private readonly missing: number = NONE,
  ) {
    this.isFixed = kind === 'small';
  }

  get(i: number): number {
    const { narrow } = this;
    if (narrow === null) return this.wide![i]!;
    const code = narrow[i]!;
    return code === 0 ? this.missing : code + this.offset;
  }

  set(i: number, value: number): void {
    const { narrow } = this;
    if (narrow === null) {
      this.wide![i] = atMost(value);
      return;
    }
    if (value === this.missing) {
      narrow[i] = 0;
      return;
    }
    if (!this.isFixed) {
      this.isFixed = true;
      if (value > REACH) this.offset = value - REACH;
    }
    const code = value - this.offset;
    if (code >= 1 && code <= WIDEST) narrow[i] = code;
    else this.widen()[i] = atMost(value);
  }

  get bytes(): number {
    return this.narrow?.byteLength ?? this.wide!.byteLength;
  }

  private widen(): Int32Array {
    const wide = zeroInts();
    for (let i = 0; i < CHUNK_ROWS; i++) wide[i] = this.get(i);
    this.narrow = null;
    this.wide = wide;
    return wide;
  }
}
