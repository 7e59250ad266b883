import { NONE } from './tables/chunks';
import type { Reasons } from './ledger/reasons';
import type { TokenCounts } from './ledger/tokens';
import { Totals } from './ledger/totals';

/** One generation round of one incarnation. Times are ms since the incarnation's start; NaN and −1: not said. */
export class Step {
  /** The job opened it; false: it was only spoken of. */
  known = false;
  isClosed = false;
  openedAt = NaN;
  closedAt = NaN;
  policyVersion = NONE;
  policyAfter = NONE;
  /** Rollouts planned as the step opened, and what decisions on its groups added since. */
  announced = 0;
  planChange = 0;
  pass = NONE;
  phase: string | null = null;
  readonly phases: { readonly at: number; readonly phase: string }[] = [];
  seconds = NaN;
  tokens = NONE;
  updates = NONE;
  /** By the decisions that planned it. */
  allocationMethod: string | null = null;
  readonly totals = new Totals();
  firstGroup = NONE;
  lastGroup = NONE;
  /** Last value of each metric. */
  readonly metrics = new Map<string, number>();
  /** Metrics that workers sent: name → worker → value. */
  readonly workerMetrics = new Map<string, Map<number, number>>();
  /** Rollouts and nodes were given up: reasons as they stood then. */
  released: Reasons | null = null;
  /** Tokens by fate as they stood then. */
  releasedTokens: TokenCounts | null = null;

  constructor(
    /** Place in Incarnation.steps. */
    readonly index: number,
    readonly number: number,
  ) {}

  /** The present plan: what was announced and decided since, or the groups' plans where these are more. */
  get planned(): number {
    return Math.max(this.announced + this.planChange, this.totals.planned);
  }

  /** Opened and not closed. */
  get isOpen(): boolean {
    return this.known && !this.isClosed;
  }
}
