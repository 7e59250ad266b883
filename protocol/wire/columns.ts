import type { TSchema } from '@sinclair/typebox';

/**
 * What a column of an event may hold. On the wire every column is a JSON array, one cell an event.
 *
 * - `int`: integer, 0 ≤ x < 2^53
 * - `num`: finite number, or one of the texts `NaN`, `Infinity`, `-Infinity` (JSON has no such numbers)
 * - `ref`: handle of a string of the incarnation's string table (ids and every word that repeats)
 * - `flag`: 0 or 1
 * - `text`: a string that is sent once (a sentence, a reason)
 * - `json`: a structured value with its own schema
 *
 * An optional column may be left out of the batch; a cell of it may be null.
 */
export type ColumnType = 'int' | 'num' | 'ref' | 'flag' | 'text' | 'json';

export interface Column {
  readonly type: ColumnType;
  readonly optional: boolean;
  readonly doc: string;
  readonly unit?: string;
  /** For `ref`: the words it may take; unknown ones are read as `other`. */
  readonly words?: readonly string[];
  /** For `json`: the schema of a cell. */
  readonly schema?: TSchema;
}

const unitOf = (unit: string | undefined) => (unit === undefined ? {} : { unit });
const wordsOf = <W extends readonly string[]>(words: W | undefined) =>
  (words === undefined ? {} : { words }) as { readonly words: W };

const make = <O extends boolean>(optional: O) => ({
  int: (doc: string, unit?: string) => ({ type: 'int' as const, optional, doc, ...unitOf(unit) }),
  num: (doc: string, unit?: string) => ({ type: 'num' as const, optional, doc, ...unitOf(unit) }),
  /** With `words`, the cell is one of them. */
  ref: <const W extends readonly string[] = readonly string[]>(doc: string, words?: W) => ({
    type: 'ref' as const,
    optional,
    doc,
    ...wordsOf(words),
  }),
  flag: (doc: string) => ({ type: 'flag' as const, optional, doc }),
  text: (doc: string) => ({ type: 'text' as const, optional, doc }),
  json: <S extends TSchema>(doc: string, schema: S) => ({ type: 'json' as const, optional, doc, schema }),
});

export const maybe = make(true);
export const { int, num, ref, flag, text, json } = make(false);
