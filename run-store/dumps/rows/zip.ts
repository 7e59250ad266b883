import { inflateSync } from 'fflate';
import type { ByteSource } from '../byteSource';
import { DumpError } from '../dumpError';

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  /** Where its local header stands. */
  readonly at: number;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
/** The end record and the longest comment. */
const TAIL = 22 + 65_535;
/** An entry that unpacks to more is not read. */
export const MOST_ENTRY_BYTES = 512 << 20;

const unfinished = (what: string): DumpError =>
  new DumpError(
    `The archive has no table of contents (${what}).`,
    'It was not written to its end, or is cut off: open it when the evaluation has ended, or copy it again.',
  );

async function viewOf(source: ByteSource, from: number, to: number): Promise<DataView> {
  if (from < 0 || to > source.byteLength) throw unfinished('it points outside the file');
  return new DataView(await source.slice(from, to));
}

const big = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

/** Table of contents of a zip file, 64-bit sizes included; only it is read. Throws a DumpError where there is none. */
export async function zipEntries(source: ByteSource): Promise<ZipEntry[]> {
  const from = Math.max(0, source.byteLength - TAIL);
  const tail = await viewOf(source, from, source.byteLength);
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1;
  if (end < 0) throw unfinished('its end is missing');
  let size = tail.getUint32(end + 12, true);
  let at = tail.getUint32(end + 16, true);
  if (end >= 20 && tail.getUint32(end - 20, true) === LOCATOR_64) {
    const place = big(tail, end - 12);
    const record = await viewOf(source, place, place + 56);
    if (record.getUint32(0, true) !== END_64) throw unfinished('its 64-bit end is missing');
    size = big(record, 40);
    at = big(record, 48);
  }
  return entriesOf(await viewOf(source, at, at + size));
}

function entriesOf(view: DataView): ZipEntry[] {
  const decoder = new TextDecoder();
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 46 <= view.byteLength && view.getUint32(at, true) === CENTRAL;) {
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const next = at + 46 + nameLength + extraLength + view.getUint16(at + 32, true);
    if (next > view.byteLength) throw unfinished('it is cut off');
    const name = decoder.decode(new Uint8Array(view.buffer, view.byteOffset + at + 46, nameLength));
    const sizes = sizesOf(view, at, at + 46 + nameLength, extraLength);
    entries.push({ name, method: view.getUint16(at + 10, true), ...sizes });
    at = next;
  }
  return entries;
}

/** Sizes and place; those that do not fit into 32 bits stand in the extra field 1. */
function sizesOf(
  view: DataView,
  at: number,
  extra: number,
  extraLength: number,
): Pick<ZipEntry, 'packed' | 'size' | 'at'> {
  const found = {
    size: view.getUint32(at + 24, true),
    packed: view.getUint32(at + 20, true),
    at: view.getUint32(at + 42, true),
  };
  for (let e = extra; e + 4 <= extra + extraLength; e += 4 + view.getUint16(e + 2, true)) {
    if (view.getUint16(e, true) !== 1) continue;
    const end = Math.min(e + 4 + view.getUint16(e + 2, true), extra + extraLength);
    let next = e + 4;
    for (const name of ['size', 'packed', 'at'] as const) {
      if (found[name] !== 0xffffffff || next + 8 > end) continue;
      found[name] = big(view, next);
      next += 8;
    }
  }
  return found;
}

/** Bytes of an entry. Throws a DumpError for a method other than stored and deflate, and for what is cut off. */
export async function zipBytes(source: ByteSource, entry: ZipEntry): Promise<Uint8Array> {
  if (entry.size > MOST_ENTRY_BYTES || entry.packed > MOST_ENTRY_BYTES) {
    throw new DumpError(
      `${entry.name} in the archive is larger than 512 MB.`,
      'Convert the log to JSON lines.',
    );
  }
  const local = await viewOf(source, entry.at, entry.at + 30);
  if (local.getUint32(0, true) !== LOCAL) throw unfinished(`${entry.name} is not where it should be`);
  const from = entry.at + 30 + local.getUint16(26, true) + local.getUint16(28, true);
  const view = await viewOf(source, from, from + entry.packed);
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  if (entry.method === 0) return bytes;
  if (entry.method !== 8) {
    throw new DumpError(
      `${entry.name} in the archive is compressed by method ${entry.method}, which is not read here.`,
      'Write the log as .json, or with the default compression.',
    );
  }
  try {
    return inflateSync(bytes, { out: new Uint8Array(entry.size) });
  } catch {
    throw new DumpError(`${entry.name} in the archive is damaged.`, 'Copy the file again.');
  }
}
