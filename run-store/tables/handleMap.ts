import { CHUNK_BITS, CHUNK_MASK, NONE } from './chunks';
import { NarrowInts } from './narrowInts';

/** Handle → row of one table of an incarnation, dense: 2 bytes a handle while rows follow handles. */
export class HandleMap {
  private readonly chunks: (NarrowInts | undefined)[] = [];

  /** −1: none. */
  get(handle: number): number {
    const chunk = this.chunks[handle >>> CHUNK_BITS];
    return chunk === undefined ? NONE : chunk.get(handle & CHUNK_MASK);
  }

  set(handle: number, row: number): void {
    const index = handle >>> CHUNK_BITS;
    const chunk = (this.chunks[index] ??= new NarrowInts('near'));
    chunk.set(handle & CHUNK_MASK, row);
  }

  get bytes(): number {
    return this.chunks.reduce((sum, chunk) => sum + (chunk?.bytes ?? 8), 0);
  }
}

/** Integer ≥ 0 → row, sparse: open addressing with linear steps, at most half full. For groups, prompts, decisions. */
export class IntMap {
  private keys = new Int32Array(64).fill(NONE);
  private rows = new Int32Array(64);
  private count = 0;

  /** −1: none. */
  get(key: number): number {
    const { keys } = this;
    const mask = keys.length - 1;
    for (let at = Math.imul(key, 0x9e3779b1) & mask; ; at = (at + 1) & mask) {
      const found = keys[at]!;
      if (found === key) return this.rows[at]!;
      if (found === NONE) return NONE;
    }
  }

  set(key: number, row: number): void {
    if (2 * (this.count + 1) > this.keys.length) this.double();
    if (this.put(key, row)) this.count += 1;
  }

  get bytes(): number {
    return 8 * this.keys.length;
  }

  private put(key: number, row: number): boolean {
    const { keys } = this;
    const mask = keys.length - 1;
    let at = Math.imul(key, 0x9e3779b1) & mask;
    while (keys[at] !== NONE && keys[at] !== key) at = (at + 1) & mask;
    const fresh = keys[at] === NONE;
    keys[at] = key;
    this.rows[at] = row;
    return fresh;
  }

  private double(): void {
    const { keys, rows } = this;
    this.keys = new Int32Array(2 * keys.length).fill(NONE);
    this.rows = new Int32Array(2 * keys.length);
    for (let i = 0; i < keys.length; i++) if (keys[i] !== NONE) this.put(keys[i]!, rows[i]!);
  }
}
