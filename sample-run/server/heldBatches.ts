import type { Batch } from '../../protocol/wire/batch';

/** A batch kept for readers that come back. */
export interface HeldBatch {
  readonly batch: Batch;
  /** Strings of the incarnation that a reader needs before this batch. */
  readonly stringsBefore: number;
  /** Length of its line. */
  readonly bytes: number;
}

/** The newest batches of the stream, bounded by bytes; the newest one always stays. */
export class HeldBatches {
  private held: HeldBatch[] = [];
  private bytes = 0;

  constructor(
    private readonly limitBytes: number,
    private next: number,
  ) {}

  /** Oldest seq held; head + 1 when there is none. */
  get firstSeq(): number {
    return this.held[0]?.batch.from ?? this.next;
  }

  /** Newest seq held; a reader at `head` has everything. */
  get head(): number {
    return this.next - 1;
  }

  add(held: HeldBatch): void {
    this.held.push(held);
    this.next = held.batch.to + 1;
    this.bytes += held.bytes;
    let drop = 0;
    while (this.bytes > this.limitBytes && drop < this.held.length - 1) {
      this.bytes -= this.held[drop]!.bytes;
      drop++;
    }
    if (drop > 0) this.held = this.held.slice(drop);
  }

  /** The batch that speaks of `seq`; null when it is no longer, or not yet, held. Binary search. */
  at(seq: number): HeldBatch | null {
    let low = 0;
    let high = this.held.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const held = this.held[middle]!;
      if (seq < held.batch.from) high = middle - 1;
      else if (seq > held.batch.to) low = middle + 1;
      else return held;
    }
    return null;
  }
}
