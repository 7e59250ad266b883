import type { ByteSource } from '../byteSource';

const CHUNK = 1 << 20;
/** A longer line is not read: it would not fit into memory with its neighbours. */
export const MOST_LINE_BYTES = 64 << 20;

export interface Lines {
  /** Number of the first line, from 1. */
  readonly first: number;
  /** null: longer than MOST_LINE_BYTES. Without line ends. */
  readonly texts: readonly (string | null)[];
  /** Bytes read so far over all bytes. */
  readonly share: number;
}

/** Lines of a text in UTF-8, in pieces, without ever holding the whole. A byte order mark is left out. */
export async function* readLines(
  source: ByteSource,
  signal?: AbortSignal,
  chunk = CHUNK,
): AsyncGenerator<Lines> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let number = 1;
  let pieces: Uint8Array[] = [];
  let held = 0;
  let tooLong = false;
  const hold = (bytes: Uint8Array): void => {
    held += bytes.byteLength;
    if (held > MOST_LINE_BYTES) tooLong = true;
    if (tooLong) pieces = [];
    else if (bytes.byteLength > 0) pieces.push(bytes);
  };
  const take = (): string | null => {
    const text = tooLong ? null : decoder.decode(joined(pieces, held)).replace(/\r$/, '');
    pieces = [];
    held = 0;
    tooLong = false;
    return text;
  };
  for (let at = 0; at < source.byteLength; at += chunk) {
    signal?.throwIfAborted();
    const end = Math.min(at + chunk, source.byteLength);
    const bytes = new Uint8Array(await source.slice(at, end));
    let from = at === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    const texts: (string | null)[] = [];
    for (let to = bytes.indexOf(10, from); to >= 0; to = bytes.indexOf(10, from)) {
      hold(bytes.subarray(from, to));
      texts.push(take());
      from = to + 1;
    }
    hold(bytes.subarray(from));
    if (end === source.byteLength && held > 0) texts.push(take());
    if (texts.length > 0) yield { first: number, texts, share: end / source.byteLength };
    number += texts.length;
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
