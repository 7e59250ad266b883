import { DumpError, EXPECTED } from './dumpError';
import type { Fields } from './fields';
import { lmEvalSamples } from './formats/lmEval';
import { countsTable, listTable, samplesTable } from './formats/table';
import { trlCompletions } from './formats/trl';
import { verlDump } from './formats/verl';
import type { Measured, RowFormat, RowPiece, Unusable } from './measured';

/** What was read of a file since the last piece. */
export interface DumpPiece {
  readonly measured: readonly Measured[];
  /** Rows or samples that were used; each gave at least one of `measured`. */
  readonly used: number;
  readonly unusable: readonly Unusable[];
  readonly share: number;
}

/** A file whose kind is known. */
export interface Dump {
  readonly format: Pick<RowFormat, 'name' | 'success' | 'reward'>;
  /** Facts for a person: the model of a log, that it was not finished. */
  readonly notes: readonly string[];
  pieces(signal?: AbortSignal): AsyncIterable<DumpPiece>;
}

/** The most particular first: a table of samples fits nearly everything. */
const ROW_FORMATS: readonly RowFormat[] = [
  lmEvalSamples,
  verlDump,
  trlCompletions,
  listTable,
  countsTable,
  samplesTable,
];

export const formatOf = (fields: Fields): RowFormat | null =>
  ROW_FORMATS.find((format) => format.matches(fields)) ?? null;

/** A file whose rows have one format. */
export function rowsDump(
  format: RowFormat,
  path: string,
  rows: (signal?: AbortSignal) => AsyncIterable<RowPiece>,
): Dump {
  return {
    format,
    notes: [],
    async *pieces(signal) {
      for await (const { rows: found, unusable, share } of rows(signal)) {
        const bad = [...unusable];
        const measured: Measured[] = [];
        let used = 0;
        for (const { place, fields } of found) {
          const read = format.matches(fields) ? format.read(fields, path) : `no row of a ${format.name}`;
          if (typeof read === 'string') {
            bad.push({ place, why: read });
          } else {
            used += 1;
            measured.push(...read);
          }
        }
        yield { measured, used, unusable: bad, share };
      }
    },
  };
}

/** What stands in a file, shortened; control characters do not belong into a message. */
export function unknownFields(kind: string, names: readonly string[]): DumpError {
  const shown = names
    .slice(0, 8)
    .map((name) => name.replace(/\p{Cc}/gu, ' ').slice(0, 40))
    .join(', ');
  const found = names.length > 8 ? `${shown} and ${names.length - 8} more` : shown;
  return new DumpError(
    `A ${kind} with the fields ${found || '(none)'} is of no kind that is known here.`,
    EXPECTED,
  );
}
