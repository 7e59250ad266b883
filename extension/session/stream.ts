import { decodeBatch, type DecodedBatch } from '../../protocol/wire/batch';
import { DecodeArena } from '../../protocol/wire/decodeColumns';
import { INITIALIZE, type InitializeResult } from '../../protocol/wire/handshake';
import { READS, type ReadResult } from '../../protocol/wire/reads';
import { StringTable } from '../../protocol/wire/stringTable';
import { RPC_ERRORS, WireError } from '../../protocol/wire/wireError';
import type { Clock } from './clock';
import { RpcError, type RpcClient } from './rpcClient';
import type { RunModel } from './runModel';

const PROTOCOL_VERSION = 1;
const INITIALIZE_MS = 10_000;
const DROPPED_WINDOW_MS = 60_000;
/** With everything acknowledged, silence for so long means that we have caught up. */
const CAUGHT_UP_MS = 1_500;

/** The address answers for another run than the one that was attached. */
export class OtherRunError extends Error {
  override readonly name = 'OtherRunError';
}
/** The other end speaks another major version of the protocol. */
export class WrongVersionError extends Error {
  override readonly name = 'WrongVersionError';
}

/**
 * The stream of one run over all its connections: where it stands (incarnation, seq, strings), how it goes on
 * after a loss without gap or repeat, and how it starts over where the job's log has moved on.
 */
export class Stream {
  private table = new StringTable();
  /** The model is done with each batch before the next one is decoded. */
  private readonly arena = new DecodeArena();
  private opened: InitializeResult | null = null;
  /** True while events may arrive: from the moment subscribe is sent. */
  private streaming = false;
  /** A snapshot was begun and not finished: what the model holds of this life is not whole. */
  private partial = false;
  private seq = 0;
  private roundTripMs = 0;
  private behindMs = 0;
  private lastBatchAt = 0;
  private readonly dropped: { at: number; count: number }[] = [];

  constructor(
    private readonly model: RunModel,
    private readonly client: { readonly name: string; readonly version: string },
    private readonly clock: Clock,
  ) {}

  /** What the job said of itself when the present or the last connection was opened. */
  get info(): InitializeResult | null {
    return this.opened;
  }

  /** Seq of the last event that was applied. */
  get lastSeq(): number {
    return this.seq;
  }

  /** Now − t of the last applied event + half the round trip, seconds. */
  behindSeconds(): number {
    return this.clock.now() - this.lastBatchAt > CAUGHT_UP_MS ? 0 : this.behindMs / 1000;
  }

  /** Samples that the job left out for us in the last minute. */
  droppedSamples(): number {
    const from = this.clock.now() - DROPPED_WINDOW_MS;
    while (this.dropped.length > 0 && this.dropped[0]!.at < from) this.dropped.shift();
    return this.dropped.reduce((sum, { count }) => sum + count, 0);
  }

  /** Opens a connection: initialize, then go on where we were, or take a snapshot, or begin the new life. */
  async open(rpc: RpcClient): Promise<void> {
    this.streaming = false;
    const sent = this.clock.now();
    const info = await this.initialize(rpc);
    this.roundTripMs = this.clock.now() - sent;
    if (info.protocolVersion !== PROTOCOL_VERSION) {
      throw new WrongVersionError(`the job speaks version ${info.protocolVersion} of the protocol`);
    }
    if (this.opened && this.opened.run.id !== info.run.id) {
      throw new OtherRunError(`the address serves run ${info.run.id} now`);
    }
    const same = this.opened?.incarnation.id === info.incarnation.id;
    this.opened = info;
    if (!same || this.partial) this.startOver(info);
    if (info.firstHeldSeq > this.seq + 1) {
      await this.takeSnapshot(rpc, info);
    }
    try {
      await this.subscribe(rpc);
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== RPC_ERRORS.gone) throw error;
      await this.takeSnapshot(rpc, info);
      await this.subscribe(rpc);
    }
  }

  /**
   * Takes a batch of the stream.
   *
   * @returns the seq to acknowledge; null when all of it was known already.
   * @throws WireError; nothing of the batch was applied.
   */
  receive(raw: unknown): number | null {
    if (!this.streaming) throw new WireError('outOfOrder', 'events before subscribe');
    const receivedAt = this.clock.now();
    const batch = decodeBatch(raw, this.table, this.arena);
    if (batch.to <= this.seq) return null;
    if (batch.from !== this.seq + 1) {
      throw new WireError('outOfOrder', `batch ${batch.from}..${batch.to} after seq ${this.seq}`);
    }
    this.model.apply(batch);
    this.seq = batch.to;
    const now = this.clock.now();
    this.lastBatchAt = now;
    if (batch.count > 0) {
      this.behindMs = Math.max(0, batch.now - lastTime(batch) + (now - receivedAt) + this.roundTripMs / 2);
      this.noteDropped(batch, now);
    }
    return batch.to;
  }

  private async initialize(rpc: RpcClient): Promise<InitializeResult> {
    try {
      return await rpc.request(
        INITIALIZE.method,
        { client: this.client, protocolVersions: [PROTOCOL_VERSION], scope: 'steer' },
        INITIALIZE.result,
        INITIALIZE_MS,
      );
    } catch (error) {
      const other =
        error instanceof WireError || (error instanceof RpcError && error.code === RPC_ERRORS.methodNotFound);
      throw other ? new WrongVersionError(error.message) : error;
    }
  }

  private async subscribe(rpc: RpcClient): Promise<void> {
    // The first batch may come in the same turn as the answer.
    this.streaming = true;
    const { from } = await rpc.request(
      'subscribe',
      { afterSeq: this.seq, strings: this.table.size },
      READS.subscribe.result,
    );
    // By now batches may have been applied: only a start beyond what we have is a gap.
    if (from > this.seq + 1)
      throw new WireError('outOfOrder', `the stream begins at ${from} after seq ${this.seq}`);
  }

  private async takeSnapshot(rpc: RpcClient, info: InitializeResult): Promise<void> {
    this.streaming = false;
    this.startOver(info);
    this.partial = true;
    let cursor: string | null = null;
    do {
      const page: ReadResult<'snapshot'> = await rpc.request(
        'snapshot',
        cursor === null ? {} : { cursor },
        READS.snapshot.result,
      );
      for (const raw of page.batches) this.model.apply(decodeBatch(raw, this.table, this.arena));
      if (page.next === null) this.seq = page.seq;
      cursor = page.next;
    } while (cursor !== null);
    this.partial = false;
  }

  private startOver(info: InitializeResult): void {
    this.table = new StringTable();
    this.seq = 0;
    this.partial = false;
    this.behindMs = 0;
    this.model.begin(info, this.table);
  }

  private noteDropped(batch: DecodedBatch, now: number): void {
    for (const kind of batch.kinds) {
      if (kind.kind !== 'dropped') continue;
      const counts = kind.columns['count'];
      if (counts?.type !== 'ints') continue;
      for (const count of counts.ints) this.dropped.push({ at: now, count });
    }
  }
}

/** `t` of the last event of a batch, ms since the incarnation's start. */
function lastTime(batch: DecodedBatch): number {
  let seq = -1;
  let t = batch.now;
  for (const kind of batch.kinds) {
    const last = kind.count - 1;
    if (kind.seq[last]! > seq) {
      seq = kind.seq[last]!;
      t = kind.t[last]!;
    }
  }
  return t;
}
