import type { ByteSource } from './byteSource';
import { formatOf, rowsDump, unknownFields, type Dump } from './dump';
import { DumpError, EXPECTED } from './dumpError';
import { isFields } from './fields';
import { inspectArchive } from './inspectArchive';
import { jsonDocument } from './jsonDocument';
import { csvRows, headerOf } from './rows/csvRows';
import { jsonLines } from './rows/jsonLines';
import { parseLenient } from './rows/lenientJson';
import { readLines } from './rows/lines';
import { parquetColumns, parquetRows } from './rows/parquetRows';

const HEAD = 64 << 10;
const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, i) => bytes[i] === byte);

/**
 * Finds out by its content what a file is. Its name is used for nothing but to tell steps, tasks and validation.
 * Throws a DumpError that says what was found and what is expected.
 */
export async function recognise(source: ByteSource): Promise<Dump> {
  const head = new Uint8Array(await source.slice(0, Math.min(HEAD, source.byteLength)));
  if (head.byteLength === 0) throw new DumpError('The file is empty.', EXPECTED);
  if (startsWith(head, [0x50, 0x41, 0x52, 0x31])) return parquetDump(source);
  if (startsWith(head, [0x50, 0x4b, 0x03, 0x04])) return inspectArchive(source);
  if (startsWith(head, [0x1f, 0x8b])) {
    throw new DumpError('The file is compressed with gzip.', 'Unpack it first: gunzip FILE.');
  }
  if (head.includes(0))
    throw new DumpError('The file is binary, of a kind that is not known here.', EXPECTED);
  const text = new TextDecoder()
    .decode(head)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text.startsWith('[')) return jsonDocument(source);
  if (text.startsWith('{')) return jsonDump(source);
  return csvDump(source);
}

async function parquetDump(source: ByteSource): Promise<Dump> {
  const columns = await parquetColumns(source);
  const format = formatOf(Object.fromEntries(columns.map((name) => [name, null])));
  if (format === null) throw unknownFields('Parquet file', columns);
  return rowsDump(format, source.path, (signal) => parquetRows(source, signal));
}

/** One object a line, or one document over many. The first lines that are whole objects say which. */
async function jsonDump(source: ByteSource): Promise<Dump> {
  let looked = 0;
  let names: string[] = [];
  for await (const { texts } of readLines(source)) {
    for (const text of texts) {
      if (text === null || text.trim() === '') continue;
      const fields = parseLenient(text);
      if (isFields(fields)) {
        const format = formatOf(fields);
        if (format !== null) return rowsDump(format, source.path, (signal) => jsonLines(source, signal));
        names = Object.keys(fields);
      }
      looked += 1;
      if (looked === 1 && !isFields(fields)) return jsonDocument(source);
      if (looked >= 20) throw unknownFields('file of JSON lines', names);
    }
  }
  if (looked > 1) throw unknownFields('file of JSON lines', names);
  return jsonDocument(source);
}

async function csvDump(source: ByteSource): Promise<Dump> {
  for await (const { texts } of readLines(source)) {
    const header = texts.find((text) => text !== null && text.trim() !== '');
    if (header === undefined || header === null) break;
    const names = headerOf(header);
    const format = formatOf(Object.fromEntries(names.map((name) => [name, null])));
    if (format === null) throw unknownFields('text file', names);
    return rowsDump(format, source.path, (signal) => csvRows(source, signal));
  }
  throw new DumpError('The file has no line of text.', EXPECTED);
}
