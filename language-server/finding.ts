import type { TextRange } from '../protocol/editor/editor';

/**
 * By certainty: `error`, the program refuses the file; `warning`, it fails later or silently does something else;
 * `information`, it depends on what the file does not say; `hint`, worth a look.
 */
export type FindingSeverity = 'error' | 'warning' | 'information' | 'hint';

export interface TextEdit {
  readonly range: TextRange;
  readonly newText: string;
}

/** A change that a person can apply. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** The one to take when there is no reason for another. */
  readonly preferred: boolean;
}

export interface Finding {
  /** Stable name of the check, as in `trl.TRL3`. */
  readonly code: string;
  readonly severity: FindingSeverity;
  /** What is wrong, what it means, what to do. */
  readonly message: string;
  readonly range: TextRange;
  /** The keys it is about; the first is the best place for a mark. */
  readonly about: readonly string[];
  readonly fixes: readonly Fix[];
  readonly tag: 'unnecessary' | 'deprecated' | null;
}
