/** A file of results that cannot be used as a whole: what was found, and what a person can do. */
export class DumpError extends Error {
  override readonly name = 'DumpError';

  constructor(
    readonly what: string,
    readonly whatToDo: string,
  ) {
    super(`${what} ${whatToDo}`);
  }
}

/** What any of the readers takes, for messages about files that are none of it. */
export const EXPECTED =
  'Expected: a table (JSON, JSON lines or CSV) of prompt, n and c or of single samples, lm-evaluation-harness ' +
  'samples_*.jsonl, an Inspect log (.eval, .json), a verl dump (STEP.jsonl) or TRL completions (.parquet).';
