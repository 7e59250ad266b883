import { WireError } from './wireError';

/** Strings of one block are kept together; small enough that a query decodes little, large enough to cost little. */
const BLOCK_BITS = 10;
const BLOCK = 1 << BLOCK_BITS;
const NOTHING = '';

/** A full block: all its strings as Latin-1 bytes after each other, or as they are when one of them has other letters. */
interface Block {
  readonly bytes: Uint8Array | null;
  /** End of string i in `bytes`. */
  readonly ends: Uint16Array | Uint32Array;
  readonly wide: readonly string[] | null;
  /** 1: forgotten. */
  gone: Uint8Array | null;
  live: number;
}

function seal(strings: readonly string[], gone: Uint8Array | null, live: number): Block {
  let total = 0;
  for (const value of strings) total += value.length;
  const ends = total < 65_536 ? new Uint16Array(BLOCK) : new Uint32Array(BLOCK);
  const bytes = new Uint8Array(total);
  let at = 0;
  for (let i = 0; i < BLOCK; i++) {
    const value = strings[i]!;
    for (let j = 0; j < value.length; j++) {
      const unit = value.charCodeAt(j);
      if (unit > 255) return { bytes: null, ends: new Uint16Array(0), wide: strings.slice(), gone, live };
      bytes[at++] = unit;
    }
    ends[i] = at;
  }
  return { bytes, ends, wide: null, gone, live };
}

function read(block: Block, i: number): string {
  if (block.wide) return block.wide[i]!;
  let text = '';
  const end = block.ends[i]!;
  for (let at = i === 0 ? 0 : block.ends[i - 1]!; at < end; at++) {
    text += String.fromCharCode(block.bytes![at]!);
  }
  return text;
}

/**
 * Handle → string of one incarnation, as a reader keeps it over reconnects. Handles are dense from 0, given by
 * the job, never reused; a piece may repeat what is known but not contradict it.
 *
 * Ids are most of what a long run leaves in memory, so they are packed: about 2.5 bytes a string beside its
 * letters, where a JavaScript string in an array costs 24 and more.
 */
export class StringTable {
  private readonly blocks: (Block | null)[] = [];
  /** The strings after the last full block. */
  private tail: string[] = [];
  private tailGone: Uint8Array | null = null;

  get size(): number {
    return this.blocks.length * BLOCK + this.tail.length;
  }

  /** All strings by handle, forgotten ones as empty texts. A copy: for tests and for writing a table out. */
  get values(): string[] {
    return Array.from({ length: this.size }, (_, handle) => this.get(handle) ?? NOTHING);
  }

  /** Bytes held, nearly. */
  get bytes(): number {
    let total = this.tail.length * 64;
    for (const block of this.blocks) {
      if (!block) continue;
      total += 200 + (block.gone?.length ?? 0) + block.ends.byteLength + (block.bytes?.length ?? 0);
      if (block.wide) for (const value of block.wide) total += 24 + 2 * value.length;
    }
    return total;
  }

  /** @throws WireError `malformed` when the piece leaves a gap, holds something else than text, or contradicts the table. */
  add(from: number, values: readonly unknown[]): void {
    const size = this.size;
    if (from > size) {
      throw new WireError('malformed', `strings: begins at handle ${from}, the table ends at ${size}`);
    }
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (typeof value !== 'string') {
        throw new WireError('malformed', `strings.values[${i}]: not a string`);
      }
      const handle = from + i;
      if (handle >= size) {
        this.tail.push(value);
        if (this.tail.length === BLOCK) this.sealTail();
      } else {
        const known = this.get(handle);
        if (known !== null && known !== value) {
          throw new WireError('malformed', `strings: handle ${handle} was given twice`);
        }
      }
    }
  }

  /** The string of a handle that a read batch holds; −1, a forgotten or an unknown one gives null. */
  get(handle: number): string | null {
    if (handle < 0) return null;
    const at = handle & (BLOCK - 1);
    const index = handle >>> BLOCK_BITS;
    if (index >= this.blocks.length) {
      if (index > this.blocks.length || this.tailGone?.[at] === 1) return null;
      return this.tail[at] ?? null;
    }
    const block = this.blocks[index];
    return !block || block.gone?.[at] === 1 ? null : read(block, at);
  }

  /** The handle of a string, −1 when the table does not hold it. Looks through all of them: for a person's questions. */
  find(value: string): number {
    for (let index = this.blocks.length; index >= 0; index--) {
      const block = this.blocks[index];
      const at = block ? findIn(block, value) : index === this.blocks.length ? this.findInTail(value) : -1;
      if (at >= 0) return index * BLOCK + at;
    }
    return -1;
  }

  /**
   * Gives up the text of a handle that nobody will ask for again; the handle stays taken. The memory comes back
   * when half of its block is forgotten.
   */
  forget(handle: number): void {
    if (handle < 0 || handle >= this.size) return;
    const at = handle & (BLOCK - 1);
    const index = handle >>> BLOCK_BITS;
    if (index === this.blocks.length) {
      (this.tailGone ??= new Uint8Array(BLOCK))[at] = 1;
      this.tail[at] = NOTHING;
      return;
    }
    const block = this.blocks[index];
    if (!block) return;
    block.gone ??= new Uint8Array(BLOCK);
    if (block.gone[at] === 1) return;
    block.gone[at] = 1;
    block.live -= 1;
    if (block.live === 0) {
      this.blocks[index] = null;
    } else if ((block.live & (block.live - 1)) === 0 && block.live <= BLOCK / 2) {
      const { gone } = block;
      const kept = Array.from({ length: BLOCK }, (_, i) => (gone[i] === 1 ? NOTHING : read(block, i)));
      this.blocks[index] = seal(kept, gone, block.live);
    }
  }

  private sealTail(): void {
    const live = this.tailGone ? BLOCK - this.tailGone.reduce((sum, x) => sum + x, 0) : BLOCK;
    this.blocks.push(live === 0 ? null : seal(this.tail, this.tailGone, live));
    this.tail = [];
    this.tailGone = null;
  }

  private findInTail(value: string): number {
    for (let at = this.tail.length - 1; at >= 0; at--) {
      if (this.tail[at] === value && this.tailGone?.[at] !== 1) return at;
    }
    return -1;
  }
}

function findIn(block: Block, value: string): number {
  const { bytes, ends, wide, gone } = block;
  for (let i = BLOCK - 1; i >= 0; i--) {
    if (gone?.[i] === 1) continue;
    if (wide) {
      if (wide[i] === value) return i;
      continue;
    }
    const start = i === 0 ? 0 : ends[i - 1]!;
    if (ends[i]! - start !== value.length) continue;
    let j = value.length - 1;
    while (j >= 0 && bytes![start + j] === value.charCodeAt(j)) j -= 1;
    if (j < 0) return i;
  }
  return -1;
}

/** String → handle, as a writer keeps it. */
export class StringPool {
  private readonly handles = new Map<string, number>();
  readonly values: string[] = [];

  handle(value: string): number {
    let handle = this.handles.get(value);
    if (handle === undefined) {
      handle = this.values.length;
      this.values.push(value);
      this.handles.set(value, handle);
    }
    return handle;
  }
}
