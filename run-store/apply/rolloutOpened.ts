import { CARRIED_OVER, ORIGIN_RESUMED, USE_PROBE } from '../ledger/categories';
import { CHUNK_MASK, NONE, noCodes } from '../tables/chunks';
import { NarrowInts } from '../tables/narrowInts';
import type { RolloutChunk } from '../tables/rolloutTable';
import {
  ROLLOUT_BASELINE,
  ROLLOUT_CARRIED,
  ROLLOUT_CLOSED,
  ROLLOUT_OPENED,
  ROLLOUT_SUPERSEDED,
} from '../tables/rolloutTable';
import type { Cells } from './cells';
import { EventApplier, type ApplyContext } from './eventApplier';

/** A rollout was launched, or one that was carried over goes on. */
export class RolloutOpened extends EventApplier<'rolloutOpened'> {
  private cells: Cells<'rolloutOpened'> | null = null;
  private rollout: Float64Array = new Float64Array(0);
  private group = this.rollout;
  private fromNode = this.rollout;
  private at = this.rollout;
  private origin = this.rollout;
  private use = this.rollout;
  private baseline = this.rollout;
  private decision = this.rollout;
  private worker = this.rollout;
  private agent = this.rollout;
  private contextOf = this.rollout;

  constructor(context: ApplyContext) {
    super('rolloutOpened', context);
  }

  protected take(cells: Cells<'rolloutOpened'>): void {
    this.cells = cells;
    this.rollout = cells.ints('rollout');
    this.group = cells.ints('group');
    this.fromNode = cells.ints('fromNode');
    this.at = cells.ints('at');
    this.origin = cells.ints('origin');
    this.use = cells.ints('use');
    this.baseline = cells.ints('baseline');
    this.decision = cells.ints('decision');
    this.worker = cells.ints('worker');
    this.agent = cells.ints('agent');
    this.contextOf = cells.ints('context');
  }

  protected apply(e: number): void {
    const { incarnation, ledger } = this.context;
    const t = this.cells!.t[e]!;
    const row = incarnation.rolloutRow(this.rollout[e]!, t);
    const chunk = incarnation.rollouts.chunk(row);
    if (!chunk) {
      this.note(e, 'afterRelease', 'was opened');
      return;
    }
    const i = row & CHUNK_MASK;
    const group = incarnation.groupRow(this.group[e]!);
    if ((chunk.flags[i]! & ROLLOUT_OPENED) !== 0) {
      this.openAgain(e, row, chunk, i, group);
      return;
    }
    ledger.retract(row);
    chunk.flags[i]! |= ROLLOUT_OPENED;
    incarnation.openedRollouts += 1;
    chunk.opened[i] = t - chunk.base;
    chunk.origin[i] = incarnation.originCodes.get(this.origin[e]!, 0);
    const use = incarnation.useCodes.get(this.use[e]!, 0);
    chunk.use[i] = use;
    const baseline = this.baseline[e]!;
    if (baseline === 1 || (baseline < 0 && use !== USE_PROBE)) chunk.flags[i]! |= ROLLOUT_BASELINE;
    this.details(e, chunk, i);
    this.join(row, chunk, i, group);
    const from = this.fromNode[e]!;
    if (this.at[e]! >= 0) (chunk.at ??= new NarrowInts('small')).set(i, this.at[e]!);
    if (from >= 0) {
      const node = incarnation.nodeRow(from, t);
      (chunk.fromNode ??= new NarrowInts('near')).set(i, node);
      if (chunk.origin[i] === ORIGIN_RESUMED) this.supersede(chunk, i, node);
    }
    ledger.file(row);
  }

  private details(e: number, chunk: RolloutChunk, i: number): void {
    const { incarnation } = this.context;
    if (this.decision[e]! >= 0) (chunk.decision ??= new NarrowInts('near')).set(i, this.decision[e]!);
    if (this.worker[e]! >= 0) (chunk.worker ??= noCodes())[i] = incarnation.codes.get(this.worker[e]!, 0);
    if (this.agent[e]! >= 0) (chunk.agent ??= noCodes())[i] = incarnation.codes.get(this.agent[e]!, 0);
    if (this.contextOf[e]! >= 0)
      (chunk.context ??= noCodes())[i] = incarnation.codes.get(this.contextOf[e]!, 0);
    const rows = this.cells!.values('rows')[e];
    if (rows && rows.length > 0) (chunk.rows ??= new Map()).set(i, rows);
  }

  /** Puts the rollout at the end of its group's list. */
  private join(row: number, chunk: RolloutChunk, i: number, group: number): void {
    const { groups, rollouts } = this.context.incarnation;
    chunk.group.set(i, group);
    const last = groups.lastRollout[group]!;
    const before = last >= 0 ? rollouts.chunk(last) : null;
    if (before) before.nextInGroup.set(last & CHUNK_MASK, row);
    else groups.firstRollout[group] = row;
    groups.lastRollout[group] = row;
  }

  /** A carried-over rollout goes on under a new id: that is no new launch, so the new one is counted in its place. */
  private supersede(chunk: RolloutChunk, i: number, node: number): void {
    const { incarnation, ledger } = this.context;
    const from = incarnation.nodes.chunk(node);
    const before = from ? from.rollout.get(node & CHUNK_MASK) : NONE;
    const old = before >= 0 ? incarnation.rollouts.chunk(before) : null;
    const o = before & CHUNK_MASK;
    if (!old || old.category[o] !== CARRIED_OVER) return;
    ledger.retract(before);
    old.flags[o]! |= ROLLOUT_SUPERSEDED;
    ledger.file(before);
    chunk.flags[i]! |= ROLLOUT_CARRIED;
    const counted = old.countedIn?.get(o) ?? NONE;
    (chunk.countedIn ??= new NarrowInts('near')).set(i, counted >= 0 ? counted : old.group.get(o));
  }

  private openAgain(e: number, row: number, chunk: RolloutChunk, i: number, group: number): void {
    const { incarnation, ledger } = this.context;
    if (chunk.category[i] === CARRIED_OVER) {
      ledger.retract(row);
      chunk.flags[i] = (chunk.flags[i]! | ROLLOUT_CARRIED) & ~ROLLOUT_CLOSED;
      chunk.ending[i] = NONE;
      chunk.closed[i] = NaN;
      ledger.file(row);
    } else if (group === chunk.group.get(i)) {
      this.note(e, 'openedTwice', '');
    } else {
      const first = chunk.group.get(i);
      incarnation.disorder.note(
        'twoOwners',
        this.cells!.t[e]!,
        () =>
          `Rollout ${incarnation.text(this.rollout[e]!)} was opened for group ${incarnation.text(this.group[e]!)} as well; it stays in group ${incarnation.text(incarnation.groups.handle[first]!)}.`,
      );
    }
  }

  private note(e: number, code: 'openedTwice' | 'afterRelease', what: string): void {
    const { incarnation } = this.context;
    const id = this.rollout[e]!;
    incarnation.disorder.note(
      code,
      this.cells!.t[e]!,
      () => `Rollout ${incarnation.text(id)} ${what}`.trim() + '.',
    );
  }
}
