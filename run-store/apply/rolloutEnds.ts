import { ENDING_CARRIED } from '../ledger/categories';
import { CHUNK_MASK, CHUNK_ROWS, NONE, missingNumbers, noCodes } from '../tables/chunks';
import { IntPieces } from '../tables/intPieces';
import { NarrowInts } from '../tables/narrowInts';
import { Pool } from '../tables/pool';
import { ROLLOUT_CLOSED, ROLLOUT_DISCARDED, type RolloutChunk } from '../tables/rolloutTable';
import type { Cells } from './cells';
import { EventApplier, type ApplyContext } from './eventApplier';

/** A rollout ended: how, with what reward, and why. */
export class RolloutClosed extends EventApplier<'rolloutClosed'> {
  private cells: Cells<'rolloutClosed'> | null = null;
  private rollout: Float64Array = new Float64Array(0);
  private ending = this.rollout;
  private length = this.rollout;
  private success = this.rollout;
  private reward = this.rollout;
  private reason = this.rollout;
  private decision = this.rollout;
  private logProbGap = this.rollout;
  private accepted = this.rollout;
  private nonFinite: readonly number[] = [];

  constructor(context: ApplyContext) {
    super('rolloutClosed', context);
  }

  protected take(cells: Cells<'rolloutClosed'>): void {
    this.cells = cells;
    this.rollout = cells.ints('rollout');
    this.ending = cells.ints('ending');
    this.length = cells.ints('length');
    this.success = cells.ints('success');
    this.reward = cells.numbers('reward');
    this.reason = cells.ints('reason');
    this.decision = cells.ints('decision');
    this.logProbGap = cells.numbers('logProbGap');
    this.accepted = cells.ints('acceptedPrefix');
    this.nonFinite = cells.nonFinite('reward');
  }

  protected apply(e: number): void {
    const { incarnation, ledger } = this.context;
    const t = this.cells!.t[e]!;
    const row = incarnation.rolloutRow(this.rollout[e]!, t);
    const chunk = incarnation.rollouts.chunk(row);
    if (!chunk) {
      this.note(e, 'afterRelease');
      return;
    }
    const i = row & CHUNK_MASK;
    const wasClosed = (chunk.flags[i]! & ROLLOUT_CLOSED) !== 0;
    if (wasClosed && chunk.ending[i] !== ENDING_CARRIED) this.note(e, 'closedTwice');
    ledger.retract(row);
    const group = chunk.group.get(i);
    if (group >= 0) {
      ledger.leave(group);
      incarnation.groups.tokens[group]! += this.length[e]! - (wasClosed ? chunk.length.get(i) : 0);
      ledger.enter(group);
    }
    chunk.flags[i]! |= ROLLOUT_CLOSED;
    chunk.ending[i] = incarnation.endingCodes.get(this.ending[e]!, NONE);
    chunk.length.set(i, this.length[e]!);
    chunk.success[i] = this.success[e]!;
    chunk.reward[i] = this.reward[e]!;
    chunk.closed[i] = t - chunk.base;
    if (this.nonFinite.length > 0 && this.nonFinite.includes(e)) this.noteReward(e);
    this.details(e, chunk, i, t);
    ledger.file(row);
  }

  private noteReward(e: number): void {
    const { incarnation } = this.context;
    const id = this.rollout[e]!;
    const reward = this.reward[e]!;
    incarnation.disorder.note(
      'rewardNotFinite',
      this.cells!.t[e]!,
      () => `Rollout ${incarnation.text(id)} has the reward ${reward}.`,
    );
  }

  private details(e: number, chunk: RolloutChunk, i: number, t: number): void {
    const { incarnation } = this.context;
    if (this.reason[e]! >= 0) (chunk.reason ??= noCodes())[i] = incarnation.codes.get(this.reason[e]!, 0);
    if (this.decision[e]! >= 0) (chunk.endDecision ??= new NarrowInts('near')).set(i, this.decision[e]!);
    if (!Number.isNaN(this.logProbGap[e]!)) (chunk.logProbGap ??= missingNumbers())[i] = this.logProbGap[e]!;
    if (this.accepted[e]! >= 0) (chunk.acceptedPrefix ??= new NarrowInts('near')).set(i, this.accepted[e]!);
    const versions = this.cells!.values('versions')[e];
    if (versions && versions.length > 0) {
      (chunk.versions ??= new IntPieces()).add(i, versions);
      for (const [, version] of versions) {
        incarnation.sawVersion(version, t);
        if (chunk.version.get(i) === NONE || version < chunk.version.get(i)) chunk.version.set(i, version);
      }
    }
    const parts = this.cells!.values('rewardParts')[e];
    if (parts) {
      const piece = Object.entries(parts).flatMap(([name, value]) => [
        incarnation.dictionary.code(name),
        Number(value),
      ]);
      if (piece.length > 0) (chunk.parts ??= new Pool(CHUNK_ROWS)).add(i, piece);
    }
  }

  private note(e: number, code: 'afterRelease' | 'closedTwice'): void {
    const { incarnation } = this.context;
    const id = this.rollout[e]!;
    incarnation.disorder.note(code, this.cells!.t[e]!, () => `Rollout ${incarnation.text(id)}.`);
  }
}

/** A rollout that ended by itself was taken out by a rule. */
export class RolloutDiscarded extends EventApplier<'rolloutDiscarded'> {
  private cells: Cells<'rolloutDiscarded'> | null = null;

  constructor(context: ApplyContext) {
    super('rolloutDiscarded', context);
  }

  protected take(cells: Cells<'rolloutDiscarded'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation, ledger } = this.context;
    const cells = this.cells!;
    const id = cells.ints('rollout')[e]!;
    const row = incarnation.rolloutRow(id, cells.t[e]!);
    const chunk = incarnation.rollouts.chunk(row);
    if (!chunk) {
      incarnation.disorder.note(
        'afterRelease',
        cells.t[e]!,
        () => `Rollout ${incarnation.text(id)} was discarded.`,
      );
      return;
    }
    const i = row & CHUNK_MASK;
    ledger.retract(row);
    chunk.flags[i]! |= ROLLOUT_DISCARDED;
    (chunk.discardReason ??= noCodes())[i] = incarnation.codes.get(cells.ints('reason')[e]!, 0);
    const decision = cells.ints('decision')[e]!;
    if (decision >= 0) (chunk.discardDecision ??= new NarrowInts('near')).set(i, decision);
    ledger.file(row);
  }
}

/** A rollout entered a state; the span ends with the next one or with the rollout. */
export class RolloutSpan extends EventApplier<'rolloutSpan'> {
  private cells: Cells<'rolloutSpan'> | null = null;
  private rollout: Float64Array = new Float64Array(0);
  private state = this.rollout;
  private version = this.rollout;
  private worker = this.rollout;
  private tool = this.rollout;

  constructor(context: ApplyContext) {
    super('rolloutSpan', context);
  }

  protected take(cells: Cells<'rolloutSpan'>): void {
    this.cells = cells;
    this.rollout = cells.ints('rollout');
    this.state = cells.ints('state');
    this.version = cells.ints('policyVersion');
    this.worker = cells.ints('worker');
    this.tool = cells.ints('tool');
  }

  protected apply(e: number): void {
    const { incarnation, ledger } = this.context;
    const t = this.cells!.t[e]!;
    const row = incarnation.rolloutRow(this.rollout[e]!, t);
    const chunk = incarnation.rollouts.chunk(row);
    if (!chunk) return;
    const version = this.version[e]!;
    if (version >= 0) {
      incarnation.sawVersion(version, t);
      ledger.sawVersion(row, version);
    }
    const { codes, spanCodes } = incarnation;
    const state = spanCodes.get(this.state[e]!, 0);
    const piece = [t, state, version, codes.get(this.tool[e]!, 0), codes.get(this.worker[e]!, 0)];
    (chunk.spans ??= new Pool(CHUNK_ROWS)).add(row & CHUNK_MASK, piece);
  }
}
