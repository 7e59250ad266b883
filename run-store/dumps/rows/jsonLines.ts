import type { ByteSource } from '../byteSource';
import { isFields } from '../fields';
import type { Row, RowPiece, Unusable } from '../measured';
import { parseLenient } from './lenientJson';
import { readLines } from './lines';

/** Objects of a file with one a line. Empty lines are none. */
export async function* jsonLines(source: ByteSource, signal?: AbortSignal): AsyncGenerator<RowPiece> {
  for await (const { first, texts, share } of readLines(source, signal)) {
    const rows: Row[] = [];
    const unusable: Unusable[] = [];
    texts.forEach((text, i) => {
      const place = `line ${first + i}`;
      if (text === null) {
        unusable.push({ place, why: 'longer than 64 MB' });
        return;
      }
      if (text.trim() === '') return;
      const fields = parseLenient(text);
      if (isFields(fields)) rows.push({ place, fields });
      else unusable.push({ place, why: fields === undefined ? 'not JSON' : 'not an object' });
    });
    yield { rows, unusable, share };
  }
}
