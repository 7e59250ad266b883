import type { DecodedKind } from '../../protocol/wire/batch';
import type { EventName } from '../../protocol/wire/events';
import type { Incarnation } from '../incarnation';
import type { LedgerBook } from '../ledger/ledgerBook';
import { Cells } from './cells';

/** What the appliers of one incarnation work on. */
export interface ApplyContext {
  readonly incarnation: Incarnation;
  /** Lives of the run before it, as far as they are held. */
  readonly earlier: readonly Incarnation[];
  readonly ledger: LedgerBook;
  /** Rises with every batch; groups remember the one of their last change. */
  readonly clock: { readonly revision: number };
}

/** Applies rows of one kind of event to an incarnation. `bind` comes first in each batch, `unbind` last. */
export interface Applier {
  bind(decoded: DecodedKind): void;
  /** Applies rows from..to, `to` excluded. */
  run(from: number, to: number): void;
  /** Lets go of the batch: what is held while the next one is parsed is copied by every garbage collection. */
  unbind(): void;
}

const NO_ROWS = new Float64Array(0);
const NONE_NON_FINITE = new Map<string, number[]>();

const isOf = <K extends EventName>(
  decoded: DecodedKind,
  kind: K,
): decoded is DecodedKind & { readonly kind: K } => decoded.kind === kind;

/** An applier that takes the columns once a batch and then works on one row after the other. */
export abstract class EventApplier<K extends EventName> implements Applier {
  private readonly nothing: Cells<K>;

  constructor(
    private readonly kind: K,
    protected readonly context: ApplyContext,
  ) {
    this.nothing = new Cells<K>({
      kind,
      index: 0,
      count: 0,
      seq: NO_ROWS,
      t: NO_ROWS,
      columns: {},
      nonFinite: NONE_NON_FINITE,
    });
  }

  bind(decoded: DecodedKind): void {
    if (isOf(decoded, this.kind)) this.take(new Cells<K>(decoded));
  }

  run(from: number, to: number): void {
    for (let row = from; row < to; row++) this.apply(row);
  }

  unbind(): void {
    this.take(this.nothing);
  }

  protected abstract take(cells: Cells<K>): void;
  protected abstract apply(row: number): void;
}
