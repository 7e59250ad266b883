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
  /** Id of the group that each of `mismatches` is about. */
  readonly mismatchGroups: readonly string[];
  /** Seq up to which it was recounted. */
  readonly seq: number;
}

/**
 * Tokens by what became of their rollouts, each where it was generated: a shared prefix counts once. A rollout that
 * runs counts with what it has so far. The parts add up to `total`.
 */
export interface TokenLedger {
  readonly used: number;
  /** Finished, in closed groups without a gradient. */
  readonly noGradient: number;
  /** Finished, in groups that are open or cannot be judged. */
  readonly undecided: number;
  readonly running: number;
  readonly discarded: number;
  readonly pruned: number;
  /** Stopped by a person, aborted, failed. */
  readonly aborted: number;
  readonly carriedOver: number;
  readonly probes: number;
  /** Duplicates, replayed and external rollouts. */
  readonly outside: number;
  /** Of rollouts that are no longer in memory: what became of each is not known any more. */
  readonly released: number;
  readonly total: number;
}
