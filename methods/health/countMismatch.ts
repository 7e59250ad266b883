import { checkLedger, ledgerDifferences } from '../ledger';
import type { LedgerCounts } from '../ledger';
import type { Detector, Evidence, FindingSubject } from './finding';

export interface CountMismatchFacts {
  /** Group, step or run that the counts are of, in words: "group g12", "step 214". */
  readonly scope: string;
  readonly subject: FindingSubject;
  /** Counts as the job sends them; columns it does not send are absent. */
  readonly job: Partial<LedgerCounts>;
  /** Counts of the rollouts as the events show them. */
  readonly recount: LedgerCounts;
  /** Both were taken at the same event: a recount that lags behind is no mismatch. */
  readonly complete: boolean;
}

/** The ledger does not balance, or the job's counts differ from a recount of its rollouts. */
export const countMismatch: Detector<CountMismatchFacts> = {
  id: 'count-mismatch',
  title: 'Counts that do not add up',
  doc: 'Speaks when an identity of the ledger fails, or the job’s counts differ from a recount of its rollouts.',
  detect({ scope, subject, job, recount, complete }) {
    if (!complete) return undefined;
    const differences = ledgerDifferences(job, recount);
    const violations = checkLedger(recount);
    const evidence: Evidence[] = [
      ...differences.map((difference) => ({
        text: difference.sentence,
        count: Math.abs(difference.job - difference.recount),
        whole: recount.launched,
        of: 'rollouts launched',
      })),
      ...violations.map((violation) => ({
        text: violation.sentence,
        count: Math.abs(violation.left - violation.right),
        whole: recount.launched,
        of: 'rollouts launched',
      })),
    ];
    if (evidence.length === 0) return undefined;
    return {
      id: 'count-mismatch',
      severity: 'error',
      title: `The rollouts of ${scope} do not add up: ${evidence[0]!.text}`,
      evidence,
      subjects: [subject],
      levers: [
        {
          label: 'Pause at the step boundary and look',
          action: 'pause',
          params: { target: { type: 'run' }, mode: 'step-boundary' },
        },
      ],
    };
  },
};
