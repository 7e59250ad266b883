import { WireError } from './wireError';

/** Strings of one block are kept together; small enough that a query decodes little, large enough to cost little. */
const BLOCK_BITS = 10;
const BLOCK = 1 << BLOCK_BITS;
/** Room for the letters of a block at the beginning. */
const FIRST_BYTES = 32 * BLOCK;

/** Strings by place: as Latin-1 bytes after each other, or as they are when one of them has other letters. */
interface Block {
  readonly bytes: Uint8Array;
  /** End of string i in `bytes`. */
  readonly ends: Uint16Array | Uint32Array;
  readonly wide: readonly string[] | null;
  /** 1: forgotten. */
  gone: Uint8Array | null;
  live: number;
}

/** The block that is being filled. */
class OpenBlock {
  count = 0;
  gone: Uint8Array | null = null;
  private bytes = new Uint8Array(FIRST_BYTES);
  private readonly ends = new Uint32Array(BLOCK);
  private used = 0;
  private wide: string[] | null = null;

  add(value: string): void {
    if (this.wide === null && !this.pack(value)) {
      this.wide = Array.from({ length: this.count }, (_, i) => this.get(i));
    }
    if (this.wide !== null) this.wide.push(value);
    this.ends[this.count++] = this.used;
  }

  get(i: number): string {
    return this.wide ? this.wide[i]! : textOf(this.bytes, i === 0 ? 0 : this.ends[i - 1]!, this.ends[i]!);
  }

  /** The block as it is kept, and an empty one in its place. */
  seal(): Block {
    const { used, wide, gone } = this;
    const ends = used < 65_536 ? Uint16Array.from(this.ends) : this.ends.slice();
    const bytes = wide ? new Uint8Array(0) : this.bytes.slice(0, used);
    const live = gone ? BLOCK - gone.reduce((sum, x) => sum + x, 0) : BLOCK;
    this.count = 0;
    this.used = 0;
    this.wide = null;
    this.gone = null;
    return { bytes, ends: wide ? ends.slice(0, 0) : ends, wide, gone, live };
  }

  get heldBytes(): number {
    return this.bytes.length + this.ends.byteLength + 64 * (this.wide?.length ?? 0);
  }

  /** Appends the letters; false, and nothing appended, when one does not fit a byte. */
  private pack(value: string): boolean {
    const { length } = value;
    if (this.used + length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.used + length));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    const { bytes, used } = this;
    for (let j = 0; j < length; j++) {
      const unit = value.charCodeAt(j);
      if (unit > 255) return false;
      bytes[used + j] = unit;
    }
    this.used = used + length;
    return true;
  }
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}

function read({ bytes, ends, wide }: Block, i: number): string {
  return wide ? wide[i]! : textOf(bytes, i === 0 ? 0 : ends[i - 1]!, ends[i]!);
}

/** The same block without the letters of what was forgotten. */
function compacted(block: Block, gone: Uint8Array): Block {
  const smaller = new OpenBlock();
  for (let i = 0; i < BLOCK; i++) smaller.add(gone[i] === 1 ? '' : read(block, i));
  return { ...smaller.seal(), gone, live: block.live };
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
  private readonly tail = new OpenBlock();

  get size(): number {
    return this.blocks.length * BLOCK + this.tail.count;
  }

  /** All strings by handle, forgotten ones as empty texts. A copy: for tests and for writing a table out. */
  get values(): string[] {
    return Array.from({ length: this.size }, (_, handle) => this.get(handle) ?? '');
  }

  /** Bytes held, nearly. */
  get bytes(): number {
    let total = this.tail.heldBytes;
    for (const block of this.blocks) {
      if (!block) continue;
      total += 200 + (block.gone?.length ?? 0) + block.ends.byteLength + block.bytes.length;
      if (block.wide) for (const value of block.wide) total += 24 + 2 * value.length;
    }
    return total;
  }

  /** @throws WireError `malformed` when the piece leaves a gap, holds something else than text, or contradicts the table. */
  add(from: number, values: readonly unknown[]): void {
    const { size, tail } = this;
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
        tail.add(value);
        if (tail.count === BLOCK) this.blocks.push(tail.seal());
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
    if (handle < 0 || handle >= this.size) return null;
    const at = handle & (BLOCK - 1);
    const index = handle >>> BLOCK_BITS;
    if (index === this.blocks.length) return this.tail.gone?.[at] === 1 ? null : this.tail.get(at);
    const block = this.blocks[index];
    return !block || block.gone?.[at] === 1 ? null : read(block, at);
  }

  /** The handle of a string, −1 when the table does not hold it. Looks through all of them: for a person's questions. */
  find(value: string): number {
    for (let at = this.tail.count - 1; at >= 0; at--) {
      if (this.tail.gone?.[at] !== 1 && this.tail.get(at) === value) return this.blocks.length * BLOCK + at;
    }
    for (let index = this.blocks.length - 1; index >= 0; index--) {
      const block = this.blocks[index];
      const at = block ? findIn(block, value) : -1;
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
      (this.tail.gone ??= new Uint8Array(BLOCK))[at] = 1;
      return;
    }
    const block = this.blocks[index];
    if (!block) return;
    const gone = (block.gone ??= new Uint8Array(BLOCK));
    if (gone[at] === 1) return;
    gone[at] = 1;
    block.live -= 1;
    if (block.live === 0) {
      this.blocks[index] = null;
    } else if ((block.live & (block.live - 1)) === 0 && block.live <= BLOCK / 2) {
      this.blocks[index] = compacted(block, gone);
    }
  }
}

function findIn({ bytes, ends, wide, gone }: Block, value: string): number {
  for (let i = BLOCK - 1; i >= 0; i--) {
    if (gone?.[i] === 1) continue;
    if (wide) {
      if (wide[i] === value) return i;
      continue;
    }
    const start = i === 0 ? 0 : ends[i - 1]!;
    if (ends[i]! - start !== value.length) continue;
    let j = value.length - 1;
    while (j >= 0 && bytes[start + j] === value.charCodeAt(j)) j -= 1;
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
