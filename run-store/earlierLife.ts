import type { DecodedBatch } from '../protocol/wire/batch';
import type { StringTable } from '../protocol/wire/stringTable';
import type { BatchApplier } from './apply/applyBatch';
import type { Incarnation } from './incarnation';
import { NONE } from './tables/chunks';

/** What the store does with a life that is read again. */
interface EarlierLifeStore {
  makeRoom(): void;
  finish(): void;
  abandon(): void;
}

/**
 * A life before the present one while it is read again. Batches come in the order of seq; what is held is left
 * out. Either `finish` or `abandon` is the last call.
 */
export class EarlierLife {
  /** Steps before it were settled: nothing more comes of them. */
  private settled = 0;

  constructor(
    private readonly incarnation: Incarnation,
    private readonly applier: BatchApplier,
    private readonly store: EarlierLifeStore,
  ) {
    this.settled = Math.max(0, incarnation.steps.length - 1);
  }

  /** The table that its batches are decoded with. */
  get strings(): StringTable {
    return this.incarnation.strings;
  }

  /** Seq of the last event that is held. */
  get head(): number {
    return this.incarnation.head;
  }

  apply(batch: DecodedBatch): void {
    const { incarnation } = this;
    if (batch.to <= incarnation.head) return;
    this.applier.apply(batch, incarnation.head, 0);
    incarnation.head = batch.to;
    this.dropPriors(this.settled);
    const { steps } = incarnation;
    while (this.settled < steps.length && steps[this.settled]!.isClosed) this.settled += 1;
    this.store.makeRoom();
  }

  /** All of it was read: it shows from now on. */
  finish(): void {
    // Results may have come after their step was closed.
    this.dropPriors(0);
    this.store.finish();
  }

  /** It could not be read to its end: what was read of an unknown life is forgotten. */
  abandon(): void {
    this.store.abandon();
  }

  /** Results that the present life has told in short are here in full: they count once. */
  private dropPriors(from: number): void {
    const { groups, prompts, steps } = this.incarnation;
    for (let index = from; index < steps.length; index++) {
      const { number, firstGroup } = steps[index]!;
      for (let group = firstGroup; group !== NONE; group = groups.nextInStep[group]!) {
        const prompt = groups.prompt[group]!;
        if (prompt >= 0 && groups.n[group]! > 0) prompts.dropPriors(prompt, number);
      }
    }
  }
}
