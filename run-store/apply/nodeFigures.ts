import { CHUNK_MASK, CHUNK_ROWS, missingNumbers, noCodes } from '../tables/chunks';
import { type Attachment, NODE_CLOSED } from '../tables/nodeTable';
import { Pool } from '../tables/pool';
import type { Cells } from './cells';
import { EventApplier, type ApplyContext } from './eventApplier';
import type { Series } from './jsonCells';
import { lengthChanged } from './nodeLength';

/** Figures of a growing node. What its close has said stands above them. */
export class NodeUpdated extends EventApplier<'nodeUpdated'> {
  private cells: Cells<'nodeUpdated'> | null = null;
  private node: Float64Array = new Float64Array(0);
  private length = this.node;
  private entropy = this.node;
  private logProb = this.node;
  private confidence = this.node;
  private predicted = this.node;
  private estimator = this.node;

  constructor(context: ApplyContext) {
    super('nodeUpdated', context);
  }

  protected take(cells: Cells<'nodeUpdated'>): void {
    this.cells = cells;
    this.node = cells.ints('node');
    this.length = cells.ints('length');
    this.entropy = cells.numbers('entropy');
    this.logProb = cells.numbers('logProb');
    this.confidence = cells.numbers('confidence');
    this.predicted = cells.numbers('predicted');
    this.estimator = cells.ints('estimator');
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const row = incarnation.nodeRow(this.node[e]!, this.cells!.t[e]!);
    const chunk = incarnation.nodes.chunk(row);
    if (!chunk) return;
    const i = row & CHUNK_MASK;
    if (!Number.isNaN(this.predicted[e]!)) {
      (chunk.predicted ??= missingNumbers())[i] = this.predicted[e]!;
      (chunk.estimator ??= noCodes())[i] = incarnation.codes.get(this.estimator[e]!, 0);
    }
    if ((chunk.flags[i]! & NODE_CLOSED) !== 0) return;
    const grown = this.length[e]! - chunk.length.get(i);
    chunk.length.set(i, this.length[e]!);
    if (!Number.isNaN(this.entropy[e]!)) (chunk.entropy ??= missingNumbers())[i] = this.entropy[e]!;
    if (!Number.isNaN(this.logProb[e]!)) (chunk.logProb ??= missingNumbers())[i] = this.logProb[e]!;
    if (!Number.isNaN(this.confidence[e]!)) (chunk.confidence ??= missingNumbers())[i] = this.confidence[e]!;
    lengthChanged(this.context, chunk, i, grown);
  }
}

/** Fields of `nodeSeries` by code. */
export const SERIES_FIELDS = ['entropy', 'logProb', 'confidence', 'advantage'] as const;

/** Bins of an overlay field, appended to a node. */
export class NodeSeries extends EventApplier<'nodeSeries'> {
  private cells: Cells<'nodeSeries'> | null = null;
  private node: Float64Array = new Float64Array(0);
  private field = this.node;
  private bin = this.node;
  private first = this.node;
  private mean: readonly (Series | null)[] = [];
  private greatest: readonly (Series | null)[] = [];

  constructor(context: ApplyContext) {
    super('nodeSeries', context);
  }

  protected take(cells: Cells<'nodeSeries'>): void {
    this.cells = cells;
    this.node = cells.ints('node');
    this.field = cells.ints('field');
    this.bin = cells.ints('bin');
    this.first = cells.ints('from');
    this.mean = cells.values('mean');
    this.greatest = cells.values('greatest');
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const field = SERIES_FIELDS.findIndex((name) => name === incarnation.textOrNull(this.field[e]!));
    const row = incarnation.nodeRow(this.node[e]!, this.cells!.t[e]!);
    const chunk = incarnation.nodes.chunk(row);
    const mean = this.mean[e];
    if (!chunk || !mean || field < 0) return;
    const greatest = this.greatest[e] ?? mean;
    const piece = [field, this.bin[e]!, this.first[e]!, ...mean.map(Number), ...greatest.map(Number)];
    (chunk.series ??= new Pool(CHUNK_ROWS)).add(row & CHUNK_MASK, piece);
    lengthChanged(this.context, chunk, row & CHUNK_MASK, 0);
  }
}

/** Things that belong to a node and are fetched when somebody looks. */
export class AttachmentSeen extends EventApplier<'attachment'> {
  private cells: Cells<'attachment'> | null = null;

  constructor(context: ApplyContext) {
    super('attachment', context);
  }

  protected take(cells: Cells<'attachment'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const cells = this.cells!;
    const row = incarnation.nodeRow(cells.ints('node')[e]!, cells.t[e]!);
    const chunk = incarnation.nodes.chunk(row);
    if (!chunk) return;
    const attachments = (chunk.attachments ??= new Map<number, Attachment[]>());
    const i = row & CHUNK_MASK;
    const known = attachments.get(i) ?? [];
    known.push({
      id: incarnation.text(cells.ints('attachment')[e]!),
      mime: incarnation.text(cells.ints('mime')[e]!),
      bytes: cells.ints('bytes')[e]!,
      title: cells.values('title')[e] ?? null,
    });
    attachments.set(i, known);
    lengthChanged(this.context, chunk, i, 0);
  }
}
