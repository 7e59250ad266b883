/**
 * The ledger of a group, prompt, step or run, in rollouts; a rollout is counted once, in the group that launched it.
 * Probes, duplicates, replayed and external rollouts stand outside.
 */
export interface LedgerCounts {
  /** The current plan, over-provisioning included. */
  readonly planned: number;
  readonly launched: number;
  readonly neverLaunched: number;
  readonly running: number;
  /** Ended by itself, truncated included, and kept for training. */
  readonly finished: number;
  /** Ended by itself, then taken out by a rule. */
  readonly discarded: number;
  /** Pruned, stopped, aborted or failed. */
  readonly killed: number;
  /** Running past the close of its step. */
  readonly carriedOver: number;
  /** Finished, in a closed group with a gradient. */
  readonly used: number;
}

export type LedgerColumn = keyof LedgerCounts;

const COLUMNS: readonly LedgerColumn[] = [
  'planned',
  'launched',
  'neverLaunched',
  'running',
  'finished',
  'discarded',
  'killed',
  'carriedOver',
  'used',
];

export const EMPTY_LEDGER: LedgerCounts = {
  planned: 0,
  launched: 0,
  neverLaunched: 0,
  running: 0,
  finished: 0,
  discarded: 0,
  killed: 0,
  carriedOver: 0,
  used: 0,
};

/** The ledger of a whole from those of its parts. */
export function sumLedgers(parts: Iterable<LedgerCounts>): LedgerCounts {
  const total = { ...EMPTY_LEDGER };
  for (const part of parts) for (const column of COLUMNS) total[column] += part[column];
  return total;
}

/** launched = running + finished + discarded + killed + carried over: the whole of every share of launched rollouts. */
export function accountedFor({ running, finished, discarded, killed, carriedOver }: LedgerCounts): number {
  return running + finished + discarded + killed + carriedOver;
}

export type LedgerIdentity = 'launched-sum' | 'planned-sum' | 'used-within-finished' | 'whole-numbers';

export interface LedgerViolation {
  readonly identity: LedgerIdentity;
  /** The two sides that should agree; for 'used-within-finished' used and finished; for 'whole-numbers' the count, twice. */
  readonly left: number;
  readonly right: number;
  /** The identity with the numbers put in. */
  readonly sentence: string;
}

const WORDS: Readonly<Record<LedgerColumn, string>> = {
  planned: 'planned',
  launched: 'launched',
  neverLaunched: 'never launched',
  running: 'running',
  finished: 'finished',
  discarded: 'discarded',
  killed: 'killed',
  carriedOver: 'carried over',
  used: 'used',
};

/** The identities of the ledger that do not hold, none if it balances. */
export function checkLedger(counts: LedgerCounts): LedgerViolation[] {
  const violations: LedgerViolation[] = [];
  for (const column of COLUMNS) {
    const value = counts[column];
    if (!Number.isInteger(value) || value < 0) {
      violations.push({
        identity: 'whole-numbers',
        left: value,
        right: value,
        sentence: `${value} ${WORDS[column]} is no count of rollouts.`,
      });
    }
  }
  const { planned, launched, neverLaunched, running, finished, discarded, killed, carriedOver, used } =
    counts;
  const sum = accountedFor(counts);
  if (launched !== sum) {
    violations.push({
      identity: 'launched-sum',
      left: launched,
      right: sum,
      sentence:
        `${launched} launched, but ${running} running + ${finished} finished + ${discarded} discarded + ` +
        `${killed} killed + ${carriedOver} carried over = ${sum}.`,
    });
  }
  if (planned !== launched + neverLaunched) {
    violations.push({
      identity: 'planned-sum',
      left: planned,
      right: launched + neverLaunched,
      sentence: `${planned} planned, but ${launched} launched + ${neverLaunched} never launched = ${launched + neverLaunched}.`,
    });
  }
  if (used > finished) {
    violations.push({
      identity: 'used-within-finished',
      left: used,
      right: finished,
      sentence: `${used} used for a gradient, but only ${finished} finished.`,
    });
  }
  return violations;
}

export interface LedgerDifference {
  readonly column: LedgerColumn;
  readonly job: number;
  readonly recount: number;
  readonly sentence: string;
}

/** Where the job's own counts differ from a recount of its rollouts; columns that the job does not send are left out. */
export function ledgerDifferences(job: Partial<LedgerCounts>, recount: LedgerCounts): LedgerDifference[] {
  return COLUMNS.flatMap((column) => {
    const said = job[column];
    const counted = recount[column];
    return said === undefined || said === counted
      ? []
      : [
          {
            column,
            job: said,
            recount: counted,
            sentence: `The job says ${said} ${WORDS[column]}; its events show ${counted}.`,
          },
        ];
  });
}
