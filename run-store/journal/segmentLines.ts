import { open } from 'node:fs/promises';
import { JournalError, fileError } from './journalError';

/** Bytes read at a time: what is parsed in one go stays short, and between two pieces other work gets its turn. */
const PIECE_BYTES = 256 * 1024;
/** Four times the largest segment: no writer makes such a line. */
const LONGEST_LINE = 256 * 1024 * 1024;
const NEWLINE = 10;

export interface SegmentLine {
  /** Byte offset of its first byte. */
  readonly offset: number;
  /** Bytes of the line without its end. */
  readonly bytes: number;
  readonly text: string;
  /** False: the file ends in it, without an end of line. */
  readonly whole: boolean;
}

/**
 * The lines of a file from a byte offset on, which must be the beginning of a line. Reads in pieces, so that
 * others get their turn between them.
 *
 * @param from byte offset to begin at; `until`: no line that begins at or after it is read.
 * @throws JournalError when the file cannot be read, and the signal's reason when it was aborted.
 */
export async function* segmentLines(
  path: string,
  from = 0,
  until = Infinity,
  signal?: AbortSignal,
): AsyncGenerator<SegmentLine> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw fileError(error, path);
  });
  try {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    let pieces: Buffer[] = [];
    let waiting = 0;
    let offset = from;
    let position = from;
    while (offset < until) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES, position).catch((error: unknown) => {
        throw fileError(error, path);
      });
      if (bytesRead === 0) break;
      position += bytesRead;
      let begin = 0;
      for (
        let end = buffer.indexOf(NEWLINE);
        end >= 0 && end < bytesRead;
        end = buffer.indexOf(NEWLINE, begin)
      ) {
        const bytes = waiting + end - begin;
        const text =
          waiting === 0
            ? buffer.toString('utf8', begin, end)
            : Buffer.concat([...pieces, buffer.subarray(begin, end)]).toString('utf8');
        pieces = [];
        waiting = 0;
        begin = end + 1;
        if (offset >= until) return;
        yield { offset, bytes, text, whole: true };
        offset += bytes + 1;
      }
      if (begin < bytesRead) {
        pieces.push(Buffer.from(buffer.subarray(begin, bytesRead)));
        waiting += bytesRead - begin;
      }
      if (waiting > LONGEST_LINE) {
        throw new JournalError(
          'lineTooLong',
          `${path} has a line of more than ${LONGEST_LINE / 1024 / 1024} MB.`,
          'No writer of journals makes such a line; the file is something else, or damaged.',
          'Choose another journal.',
        );
      }
    }
    if (waiting > 0 && offset < until) {
      yield { offset, bytes: waiting, text: Buffer.concat(pieces).toString('utf8'), whole: false };
    }
  } finally {
    await file.close();
  }
}
