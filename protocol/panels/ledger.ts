/**
 * The ledger of a group, prompt, step or run, in rollouts. Probes, duplicates, replayed and external rollouts
 * stand outside and are counted in `outside`.
 *
 * launched = running + finished + discarded + killed + carriedOver; planned = launched + neverLaunched.
 */
export interface Ledger {
  readonly planned: number;
  readonly launched: number;
  readonly neverLaunched: number;
  readonly running: number;
  readonly finished: number;
  readonly discarded: number;
  readonly killed: number;
  readonly carriedOver: number;
  /** Finished, in a closed group with a gradient. */
  readonly used: number;
  /** Finished, in a closed group without a gradient. */
  readonly noGradient: number;
  /** Finished, in a group that is still open. */
  readonly undecided: number;
  readonly discardedBy: Readonly<Record<string, number>>;
  readonly killedBy: Readonly<Record<string, number>>;
  readonly outside: {
    readonly probes: number;
    readonly duplicates: number;
    readonly replayed: number;
    readonly external: number;
  };
  /** The job's own counts differ from the recount: one sentence each, with the numbers. */
  readonly mismatches: readonly string[];
  /** Seq up to which it was recounted. */
  readonly seq: number;
}
