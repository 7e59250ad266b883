import { gunzipSync } from 'fflate';
import { parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import type { FileMetaData } from 'hyparquet';
import type { ByteSource } from '../byteSource';
import { DumpError } from '../dumpError';
import { isFields } from '../fields';
import type { Row, RowPiece, Unusable } from '../measured';

/** Long texts that nothing here needs. */
const LEFT_OUT = new Set(['completion', 'images', 'image']);

export async function parquetColumns(source: ByteSource): Promise<string[]> {
  return columnsOf(await metadataOf(source));
}

async function metadataOf(source: ByteSource): Promise<FileMetaData> {
  try {
    return await parquetMetadataAsync(source);
  } catch (error) {
    throw new DumpError(
      `The Parquet file cannot be read: ${messageOf(error)}.`,
      'It may not have been written to its end; open it when the job has closed it.',
    );
  }
}

const columnsOf = (metadata: FileMetaData): string[] =>
  parquetSchema(metadata).children.map(({ element }) => element.name);

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '').slice(0, 200);

/** Rows of a Parquet file, without the columns of long texts. Uncompressed, Snappy or gzip. */
export async function* parquetRows(source: ByteSource, signal?: AbortSignal): AsyncGenerator<RowPiece> {
  const metadata = await metadataOf(source);
  const columns = columnsOf(metadata).filter((name) => !LEFT_OUT.has(name));
  const total = Number(metadata.num_rows);
  let to = 0;
  for (const group of metadata.row_groups) {
    signal?.throwIfAborted();
    const from = to;
    to += Number(group.num_rows);
    const rows: Row[] = [];
    const unusable: Unusable[] = [];
    let found: readonly unknown[];
    try {
      found = await parquetReadObjects({
        file: source,
        metadata,
        columns,
        rowStart: from,
        rowEnd: to,
        compressors: { GZIP: (input) => gunzipSync(input) },
      });
    } catch (error) {
      throw new DumpError(
        `Rows ${from + 1} to ${to} of the Parquet file cannot be read: ${messageOf(error)}.`,
        'Write it again with Snappy compression, the default of pandas.',
      );
    }
    found.forEach((fields, i) => {
      const place = `row ${from + i + 1}`;
      if (isFields(fields)) rows.push({ place, fields });
      else unusable.push({ place, why: 'not a row' });
    });
    yield { rows, unusable, share: to / total };
  }
}
