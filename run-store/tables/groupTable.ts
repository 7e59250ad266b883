import { CATEGORY_COUNT } from '../ledger/categories';
import { NONE, columnBytes, grown } from './chunks';

/** Bits of `flags`. */
export const GROUP_OPENED = 1;
export const GROUP_CLOSED = 2;
/** The job's counts have agreed with ours since it closed the group. */
export const GROUP_MATCHED = 4;
/** A node of it is in the loss, or may be. */
export const GROUP_TRAINED = 8;
/** A node of it is not in the loss. */
export const GROUP_UNTRAINED = 16;
/** The job took the whole group out. */
export const GROUP_DROPPED = 32;

/** Counts that the job sends with `groupClosed`, in this order. */
export const JOB_COUNTS = 5;

/** The groups of one incarnation, a row each. They stay when their rollouts are released. About 200 bytes a group. */
export class GroupTable {
  count = 0;
  private room = 256;
  handle = this.ints();
  prompt = this.ints();
  /** Index in Incarnation.steps. */
  step = this.ints();
  nextInStep = this.ints();
  planned = this.zeros();
  /** Rollouts by category, CATEGORY_COUNT a group. */
  counts = new Int32Array(this.room * CATEGORY_COUNT);
  /** What the job counted: launched, finished, discarded, killed, carried over; −1: it has not said. */
  job = new Int32Array(this.room * JOB_COUNTS).fill(NONE);
  /** Results: rollouts with a known one, successes, and the same of those that began at the root. */
  n = this.zeros();
  c = this.zeros();
  rootN = this.zeros();
  rootC = this.zeros();
  sumReward = this.numbers(0);
  sumReward2 = this.numbers(0);
  /** Rollouts in the baseline whose reward is published, and the least and greatest of these. */
  baseline = this.zeros();
  least = this.numbers(NaN);
  greatest = this.numbers(NaN);
  /** 1 gradient, 0 none, −1 open or too small. */
  gradient = new Int8Array(this.room).fill(NONE);
  tokens = this.numbers(0);
  firstRollout = this.ints();
  lastRollout = this.ints();
  firstStat = this.ints();
  decision = this.ints();
  usedInStep = this.ints();
  dropDecision = this.ints();
  matched = this.ints();
  reason = new Uint16Array(this.room);
  arm = new Uint16Array(this.room);
  flags = new Uint8Array(this.room);
  opened = this.numbers(NaN);
  closed = this.numbers(NaN);
  /** Revision of the store at the last change. */
  touched = new Uint32Array(this.room);

  add(handle: number): number {
    if (this.count === this.room) this.grow();
    const row = this.count++;
    this.handle[row] = handle;
    return row;
  }

  get bytes(): number {
    return columnBytes(this);
  }

  private ints(): Int32Array {
    return new Int32Array(this.room).fill(NONE);
  }

  private zeros(): Int32Array {
    return new Int32Array(this.room);
  }

  private numbers(fill: number): Float64Array {
    return new Float64Array(this.room).fill(fill);
  }

  private grow(): void {
    const rows = Math.ceil(1.5 * this.room);
    this.room = rows;
    this.handle = grown(this.handle, rows, NONE);
    this.prompt = grown(this.prompt, rows, NONE);
    this.step = grown(this.step, rows, NONE);
    this.nextInStep = grown(this.nextInStep, rows, NONE);
    this.planned = grown(this.planned, rows, 0);
    this.counts = grown(this.counts, rows * CATEGORY_COUNT, 0);
    this.job = grown(this.job, rows * JOB_COUNTS, NONE);
    this.n = grown(this.n, rows, 0);
    this.c = grown(this.c, rows, 0);
    this.rootN = grown(this.rootN, rows, 0);
    this.rootC = grown(this.rootC, rows, 0);
    this.sumReward = grown(this.sumReward, rows, 0);
    this.sumReward2 = grown(this.sumReward2, rows, 0);
    this.baseline = grown(this.baseline, rows, 0);
    this.least = grown(this.least, rows, NaN);
    this.greatest = grown(this.greatest, rows, NaN);
    this.gradient = grown(this.gradient, rows, NONE);
    this.tokens = grown(this.tokens, rows, 0);
    this.firstRollout = grown(this.firstRollout, rows, NONE);
    this.lastRollout = grown(this.lastRollout, rows, NONE);
    this.firstStat = grown(this.firstStat, rows, NONE);
    this.decision = grown(this.decision, rows, NONE);
    this.usedInStep = grown(this.usedInStep, rows, NONE);
    this.dropDecision = grown(this.dropDecision, rows, NONE);
    this.matched = grown(this.matched, rows, NONE);
    this.reason = grown(this.reason, rows, 0);
    this.arm = grown(this.arm, rows, 0);
    this.flags = grown(this.flags, rows, 0);
    this.opened = grown(this.opened, rows, NaN);
    this.closed = grown(this.closed, rows, NaN);
    this.touched = grown(this.touched, rows, 0);
  }
}
