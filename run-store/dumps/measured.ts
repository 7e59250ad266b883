/** What a file says of a prompt. */
export interface NamedPrompt {
  /** Stable over files of one kind, at most 256 characters. */
  readonly id: string;
  /** Its beginning, at most 200 characters. */
  readonly excerpt: string | null;
  readonly difficulty: string | null;
  readonly domain: string | null;
}

/** One line of a file, or one sample of a log, in the terms of all formats. */
export interface Measured {
  readonly use: 'evaluation' | 'training';
  /** Set of problems; 'training' for training groups. */
  readonly set: string;
  /** null: the line does not say. */
  readonly step: number | null;
  readonly prompt: NamedPrompt;
  /** Counts of a prompt, or the scores of one sample by name; NaN: this one was not graded. */
  readonly result:
    { readonly n: number; readonly c: number } | { readonly scores: Readonly<Record<string, number>> };
  /** Something that a person should know of every line like this one. */
  readonly note?: string;
}

/** A line that could not be used, by its place in the file. */
export interface Unusable {
  readonly place: string;
  readonly why: string;
}

/** One object of a file. */
export interface Row {
  readonly place: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Rows in the order of the file, as they come in. `share`: how much of the file was read by then. */
export interface RowPiece {
  readonly rows: readonly Row[];
  readonly unusable: readonly Unusable[];
  readonly share: number;
}

/** What one row of a format says; a text: why it says nothing. */
export interface RowFormat {
  readonly name: string;
  /** Names of scores that tell success, the surest first. */
  readonly success: readonly string[];
  /** Name of the score that is the reward; null: the one that tells success. */
  readonly reward: string | null;
  matches(fields: Row['fields']): boolean;
  read(fields: Row['fields'], path: string): readonly Measured[] | string;
}
