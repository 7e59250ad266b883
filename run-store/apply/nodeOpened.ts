import { CHUNK_MASK, NONE, noCodes, zeroBytes } from '../tables/chunks';
import { NarrowInts } from '../tables/narrowInts';
import { NODE_CLOSED, NODE_OPENED } from '../tables/nodeTable';
import type { Cells } from './cells';
import { EventApplier, type ApplyContext } from './eventApplier';
import { lengthChanged } from './nodeLength';

/** A node opened: the most frequent event, with NodeClosed. */
export class NodeOpened extends EventApplier<'nodeOpened'> {
  private t: Float64Array = new Float64Array(0);
  private node = this.t;
  private rollout = this.t;
  private parent = this.t;
  private at = this.t;
  private kindOf = this.t;
  private origin = this.t;
  private version = this.t;
  private decision = this.t;
  private marks = this.t;
  private agent = this.t;
  private tool = this.t;
  private signature = this.t;

  constructor(context: ApplyContext) {
    super('nodeOpened', context);
  }

  protected take(cells: Cells<'nodeOpened'>): void {
    this.t = cells.t;
    this.node = cells.ints('node');
    this.rollout = cells.ints('rollout');
    this.parent = cells.ints('parent');
    this.at = cells.ints('at');
    this.kindOf = cells.ints('kind');
    this.origin = cells.ints('origin');
    this.version = cells.ints('policyVersion');
    this.decision = cells.ints('decision');
    this.marks = cells.ints('marks');
    this.agent = cells.ints('agent');
    this.tool = cells.ints('tool');
    this.signature = cells.ints('signature');
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
      this.late(e);
      return;
    }
    const i = row & CHUNK_MASK;
    const flags = chunk.flags[i]!;
    const rollout = incarnation.rolloutRow(this.rollout[e]!, t);
    if ((flags & NODE_OPENED) !== 0) {
      this.openedAgain(e, chunk.rollout.get(i) !== rollout);
    } else {
      chunk.flags[i] = flags | NODE_OPENED;
      chunk.rollout.set(i, rollout);
      chunk.opened[i] = t - chunk.base;
      incarnation.openedNodes += 1;
    }
    const parent = this.parent[e]!;
    if (parent >= 0) chunk.parent.set(i, incarnation.nodeRow(parent, t));
    chunk.at.set(i, this.at[e]!);
    chunk.kind[i] = incarnation.kindCodes.get(this.kindOf[e]!, 0);
    chunk.origin[i] = incarnation.originCodes.get(this.origin[e]!, 0);
    const version = this.version[e]!;
    chunk.policyVersion.set(i, version);
    if (this.decision[e]! >= 0) (chunk.decision ??= new NarrowInts('near')).set(i, this.decision[e]!);
    if (this.signature[e]! >= 0) (chunk.signature ??= new NarrowInts('near')).set(i, this.signature[e]!);
    if (this.agent[e]! >= 0) (chunk.agent ??= noCodes())[i] = incarnation.codes.get(this.agent[e]!, 0);
    if (this.tool[e]! >= 0) (chunk.tool ??= noCodes())[i] = incarnation.codes.get(this.tool[e]!, 0);
    if (this.marks[e]! > 0) (chunk.marks ??= zeroBytes())[i] = this.marks[e]!;
    this.tellOwner(row, rollout, version, t);
    // A node that was closed before it was opened brings its length along.
    if ((flags & NODE_CLOSED) !== 0) lengthChanged(this.context, chunk, i, chunk.length.get(i));
  }

  private tellOwner(row: number, rollout: number, version: number, t: number): void {
    const { incarnation, ledger, clock } = this.context;
    if (version >= 0) incarnation.sawVersion(version, t);
    const owner = incarnation.rollouts.chunk(rollout);
    if (!owner) return;
    const r = rollout & CHUNK_MASK;
    const first = owner.firstNode.get(r);
    if (first === NONE || row < first) owner.firstNode.set(r, row);
    if (row > owner.lastNode.get(r)) owner.lastNode.set(r, row);
    if (version >= 0) {
      const known = owner.version.get(r);
      if (known === NONE || version < known) ledger.sawVersion(rollout, version);
    }
    const group = owner.group.get(r);
    if (group >= 0) incarnation.groups.touched[group] = clock.revision;
  }

  private openedAgain(e: number, otherOwner: boolean): void {
    const { incarnation } = this.context;
    const node = this.node[e]!;
    if (otherOwner) {
      incarnation.disorder.note(
        'twoOwners',
        this.t[e]!,
        () =>
          `Node ${incarnation.text(node)} was opened for rollout ${incarnation.text(this.rollout[e]!)} as well; it stays with the first.`,
      );
    } else {
      incarnation.disorder.note('openedTwice', this.t[e]!, () => `Node ${incarnation.text(node)}.`);
    }
  }

  private late(e: number): void {
    const { incarnation } = this.context;
    incarnation.disorder.note(
      'afterRelease',
      this.t[e]!,
      () => `Node ${incarnation.text(this.node[e]!)} was opened.`,
    );
  }
}
