import type { VersionSpans } from './jsonCells';
import { CHUNK_MASK, missingDoubles, missingNumbers, noCodes } from '../tables/chunks';
import { IntPieces } from '../tables/intPieces';
import { NarrowInts } from '../tables/narrowInts';
import { GROUP_TRAINED, GROUP_UNTRAINED } from '../tables/groupTable';
import { NODE_CLOSED, NODE_OPENED, encodeShare, type NodeChunk } from '../tables/nodeTable';
import { USE_TRAIN } from '../ledger/categories';
import type { Cells } from './cells';
import { EventApplier, type ApplyContext } from './eventApplier';
import { lengthChanged } from './nodeLength';

/** A node will not grow any more: its length, its ending and its figures. */
export class NodeClosed extends EventApplier<'nodeClosed'> {
  private t: Float64Array = new Float64Array(0);
  private node = this.t;
  private length = this.t;
  private ending = this.t;
  private entropy = this.t;
  private logProb = this.t;
  private confidence = this.t;
  private trainShare = this.t;
  private repeats = this.t;
  private logProbGap = this.t;
  private textOffset = this.t;
  private textBytes = this.t;
  private versions: readonly (VersionSpans | null)[] = [];
  /** Segment of the journal that the batch was read from; 0: a live stream. */
  segment = 0;

  constructor(context: ApplyContext) {
    super('nodeClosed', context);
  }

  protected take(cells: Cells<'nodeClosed'>): void {
    this.t = cells.t;
    this.node = cells.ints('node');
    this.length = cells.ints('length');
    this.ending = cells.ints('ending');
    this.entropy = cells.numbers('entropy');
    this.logProb = cells.numbers('logProb');
    this.confidence = cells.numbers('confidence');
    this.trainShare = cells.numbers('trainShare');
    this.repeats = cells.numbers('repeats');
    this.logProbGap = cells.numbers('logProbGap');
    this.textOffset = cells.ints('textOffset');
    this.textBytes = cells.ints('textBytes');
    this.versions = cells.values('versions');
  }

  // The same as in the base class, but the engine compiles it for this class alone.
  override run(from: number, to: number): void {
    for (let row = from; row < to; row++) this.apply(row);
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const t = this.t[e]!;
    const row = incarnation.nodeRow(this.node[e]!, t);
    const chunk = incarnation.nodes.chunk(row);
    if (!chunk) {
      this.note(e, 'afterRelease');
      return;
    }
    const i = row & CHUNK_MASK;
    if ((chunk.flags[i]! & NODE_CLOSED) !== 0) this.note(e, 'closedTwice');
    const grown = this.length[e]! - chunk.length.get(i);
    chunk.length.set(i, this.length[e]!);
    chunk.ending[i] = incarnation.endingCodes.get(this.ending[e]!, -1);
    chunk.closed[i] = t - chunk.base;
    chunk.flags[i]! |= NODE_CLOSED;
    let value = this.entropy[e]!;
    if (value === value) (chunk.entropy ??= missingNumbers())[i] = value;
    value = this.logProb[e]!;
    if (value === value) (chunk.logProb ??= missingNumbers())[i] = value;
    value = this.confidence[e]!;
    if (value === value) (chunk.confidence ??= missingNumbers())[i] = value;
    value = this.repeats[e]!;
    if (value === value) (chunk.repeats ??= noCodes())[i] = encodeShare(value);
    value = this.logProbGap[e]!;
    if (value === value) (chunk.logProbGap ??= missingNumbers())[i] = value;
    const share = this.trainShare[e]!;
    if (share === share) (chunk.trainShare ??= noCodes())[i] = encodeShare(share);
    const spans = this.versions[e];
    if (spans && (spans.length > 1 || (spans.length === 1 && spans[0]![1] !== chunk.policyVersion.get(i)))) {
      (chunk.versions ??= new IntPieces()).add(i, spans);
    }
    if (this.textBytes[e]! >= 0) {
      (chunk.textOffset ??= missingDoubles())[i] = this.textOffset[e]!;
      (chunk.textBytes ??= new NarrowInts('near')).set(i, this.textBytes[e]!);
      (chunk.textSegment ??= noCodes())[i] = this.segment;
    }
    if ((chunk.flags[i]! & NODE_OPENED) !== 0) this.tellOwner(chunk, i, grown, share);
  }

  /** The rollout grew, and some of the group is in the loss or not; a node that does not say may be. */
  private tellOwner(chunk: NodeChunk, i: number, grown: number, share: number): void {
    const { incarnation, ledger } = this.context;
    const group = lengthChanged(this.context, chunk, i, grown);
    if (group < 0) return;
    const { flags } = incarnation.groups;
    const bit = share === 0 ? GROUP_UNTRAINED : GROUP_TRAINED;
    if ((flags[group]! & bit) !== 0) return;
    const rollout = chunk.rollout.get(i);
    if (incarnation.rollouts.chunk(rollout)?.use[rollout & CHUNK_MASK] !== USE_TRAIN) return;
    ledger.leave(group);
    flags[group]! |= bit;
    ledger.enter(group);
  }

  private note(e: number, code: 'afterRelease' | 'closedTwice'): void {
    const { incarnation } = this.context;
    incarnation.disorder.note(code, this.t[e]!, () => `Node ${incarnation.text(this.node[e]!)}.`);
  }
}
