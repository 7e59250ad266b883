import type { Batch, BatchKey } from '../batch';

/** What is wrong with the batch numbers. */
export interface Violation {
  /** `refused`: TRL stops when it reads the file; `late`: it stops later; `depends`: on the number of processes. */
  readonly kind: 'refused' | 'late' | 'depends';
  /** With the numbers put in. */
  readonly message: string;
  /** Keys to mark; of these, the first that the file sets. */
  readonly marks: readonly BatchKey[];
  /** For `depends`: whether one process would do. `trl grpo` checks with one. */
  readonly validAlone: boolean;
}

/** A cross-field rule of TRL's GRPO. */
export interface BatchRule {
  readonly id: string;
  /**
   * @param processes number of training processes; null: not known
   * @returns undefined where the rule holds or a number it needs is not to be known
   */
  check(batch: Batch, processes: number | null): Violation | undefined;
}

export function refused(message: string, ...marks: BatchKey[]): Violation {
  return { kind: 'refused', message, marks, validAlone: false };
}
