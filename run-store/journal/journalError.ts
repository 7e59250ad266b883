/** Why a journal cannot be read, for a person: what happened, what it means, what to do. */
export class JournalError extends Error {
  override readonly name = 'JournalError';

  constructor(
    readonly code: JournalErrorCode,
    readonly what: string,
    readonly meaning: string,
    readonly whatToDo: string,
    options?: ErrorOptions,
  ) {
    super(`${what} ${meaning} ${whatToDo}`, options);
  }
}

export type JournalErrorCode =
  | 'missing'
  | 'notAFolder'
  | 'notReadable'
  | 'notAJournal'
  | 'otherVersion'
  | 'empty'
  | 'lineTooLong'
  | 'noText'
  | 'damaged';

/** Something that was cut or left out while the journal was read; the rest of it was read. */
export interface JournalProblem {
  readonly kind: 'torn' | 'damaged' | 'missingSegment' | 'emptySegment';
  readonly incarnation: number;
  readonly segment: number;
  /** Byte at which it begins, and how many bytes were left out; null: not known. */
  readonly offset: number;
  readonly bytes: number | null;
  /** For a person. */
  readonly sentence: string;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** A file system's error about a path that a person chose. */
export function fileError(error: unknown, path: string): JournalError {
  switch (codeOf(error)) {
    case 'ENOENT':
      return new JournalError(
        'missing',
        `There is no ${path}.`,
        'The journal was moved or removed, or the path is another one.',
        'Choose the folder that holds journal.json.',
        { cause: error },
      );
    case 'ENOTDIR':
      return new JournalError(
        'notAFolder',
        `${path} is a file.`,
        'A journal is a folder.',
        'Choose the folder that holds journal.json.',
        { cause: error },
      );
    case 'EACCES':
    case 'EPERM':
      return new JournalError(
        'notReadable',
        `${path} may not be read.`,
        'Its owner lets only others read it; journals are written for their owner alone.',
        'Ask the owner for a copy, or for the right to read it.',
        { cause: error },
      );
    default:
      return new JournalError(
        'notReadable',
        `${path} could not be read.`,
        `The system said: ${error instanceof Error ? error.message : String(error)}.`,
        'Try again; if it stays so, copy the journal to another disk.',
        { cause: error },
      );
  }
}
