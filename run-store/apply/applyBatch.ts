import type { DecodedBatch, DecodedKind } from '../../protocol/wire/batch';
import { EVENT_NAMES, type EventName } from '../../protocol/wire/events';
import { Credit } from './credit';
import type { Applier, ApplyContext } from './eventApplier';
import { GroupClosed, GroupOpened, GroupPlanned, PromptDeclared, PromptStatistics } from './groupEvents';
import { NodeClosed } from './nodeClosed';
import { AttachmentSeen, NodeSeries, NodeUpdated } from './nodeFigures';
import { NodeOpened } from './nodeOpened';
import { Breakpoint, DecisionMade, Dropped, Finding, Steering, WorkerState } from './recordEvents';
import { RolloutClosed, RolloutDiscarded, RolloutSpan } from './rolloutEnds';
import { RolloutOpened } from './rolloutOpened';
import { Evaluation, Metric, RunStateChanged, StepClosed, StepOpened, StepPhase } from './stepEvents';

/** Applies batches to one incarnation: every event in the order of its seq, whatever kind it is of. */
export class BatchApplier {
  private readonly nodeClosed: NodeClosed;
  private readonly appliers: readonly Applier[];

  constructor(private readonly context: ApplyContext) {
    this.nodeClosed = new NodeClosed(context);
    const byKind: Readonly<Record<EventName, Applier>> = {
      runState: new RunStateChanged(context),
      stepOpened: new StepOpened(context),
      stepPhase: new StepPhase(context),
      stepClosed: new StepClosed(context),
      promptDeclared: new PromptDeclared(context),
      promptStatistics: new PromptStatistics(context),
      groupOpened: new GroupOpened(context),
      groupPlanned: new GroupPlanned(context),
      groupClosed: new GroupClosed(context),
      rolloutOpened: new RolloutOpened(context),
      rolloutSpan: new RolloutSpan(context),
      rolloutClosed: new RolloutClosed(context),
      rolloutDiscarded: new RolloutDiscarded(context),
      nodeOpened: new NodeOpened(context),
      nodeUpdated: new NodeUpdated(context),
      nodeSeries: new NodeSeries(context),
      nodeClosed: this.nodeClosed,
      attachment: new AttachmentSeen(context),
      credit: new Credit(context),
      decision: new DecisionMade(context),
      metric: new Metric(context),
      evaluation: new Evaluation(context),
      worker: new WorkerState(context),
      steering: new Steering(context),
      breakpoint: new Breakpoint(context),
      finding: new Finding(context),
      dropped: new Dropped(context),
    };
    this.appliers = EVENT_NAMES.map((name) => byKind[name]);
  }

  /** Applies the events after `head`. `segment`: the journal's segment that the batch stands in; 0 for a live stream. */
  apply(batch: DecodedBatch, head: number, segment: number): void {
    const { kinds } = batch;
    const { appliers } = this;
    this.nodeClosed.segment = segment;
    for (const kind of kinds) appliers[kind.index]!.bind(kind);
    const rows = kinds.map(({ seq }) => firstAfter(seq, head));
    const next = Float64Array.from(kinds, ({ seq }, k) => seq[rows[k]!] ?? Infinity);
    let last: DecodedKind | null = null;
    let lastRow = 0;
    for (;;) {
      let first = -1;
      let firstSeq = Infinity;
      let secondSeq = Infinity;
      for (let k = 0; k < next.length; k++) {
        const seq = next[k]!;
        if (seq < firstSeq) {
          secondSeq = firstSeq;
          firstSeq = seq;
          first = k;
        } else if (seq < secondSeq) {
          secondSeq = seq;
        }
      }
      if (first < 0) break;
      last = kinds[first]!;
      const { seq } = last;
      const from = rows[first]!;
      let to = from + 1;
      // A stretch of one kind goes in one call; of two events with one seq the kind that is declared first goes first.
      while (to < seq.length && seq[to]! < secondSeq) to += 1;
      appliers[last.index]!.run(from, to);
      rows[first] = to;
      next[first] = to < seq.length ? seq[to]! : Infinity;
      lastRow = to - 1;
    }
    if (last) this.context.incarnation.lastT = last.t[lastRow]!;
    for (const kind of kinds) appliers[kind.index]!.unbind();
  }
}

/** Index of the first seq above `head`; seqs rise. */
function firstAfter(seq: Float64Array, head: number): number {
  if (seq.length === 0 || seq[0]! > head) return 0;
  let low = 0;
  let high = seq.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (seq[middle]! > head) high = middle;
    else low = middle + 1;
  }
  return low;
}
