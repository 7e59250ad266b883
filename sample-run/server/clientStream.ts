import type { Batch } from '../../protocol/wire/batch';
import { afterSeq, coalesce, countEvents, joinBatches, onlyKinds } from './batchShaping';
import { stringBatches } from './batchPages';
import type { Publisher } from './publisher';

/** Where frames go. */
export interface FrameSink {
  /** Bytes handed over that the system has not taken. */
  readonly waiting: number;
  send(text: string): void;
}

export interface StreamLimits {
  /** Events that may be on their way without an ack. */
  readonly windowEvents: number;
  /** Bytes that may wait in the socket before the stream holds back. */
  readonly highWater: number;
  /** Bytes of one joined batch. */
  readonly joinBytes: number;
}

export const STREAM_LIMITS: StreamLimits = {
  windowEvents: 8192,
  highWater: 1024 * 1024,
  joinBytes: 512 * 1024,
};

/**
 * The stream of one client: a place in the batches that the publisher holds, never a queue of its own. Held back
 * by the ack window and by the socket; what piled up meanwhile is thinned.
 */
export class ClientStream {
  private next: number;
  private acked: number;
  /** Everything up to here piled up while the client held the stream back. */
  private thinUntil = 0;
  private isHeldBack = false;

  /** @param strings entries of the table that the client says it has. */
  constructor(
    private readonly publisher: Publisher,
    private readonly sink: FrameSink,
    after: number,
    strings: number,
    private readonly kinds: ReadonlySet<string> | null,
    private readonly limits: StreamLimits = STREAM_LIMITS,
  ) {
    this.next = after + 1;
    this.acked = after;
    const first = publisher.held.at(this.next);
    const needed = first ? first.stringsBefore : publisher.strings.length;
    for (const piece of stringBatches(publisher.strings, strings, needed, this.next)) this.sendBatch(piece);
  }

  /** The client holds the stream back. */
  get heldBack(): boolean {
    return this.isHeldBack;
  }

  /** False: what the client needs next is no longer held. */
  get possible(): boolean {
    return this.next > this.publisher.held.head || this.publisher.held.at(this.next) !== null;
  }

  ack(seq: number): void {
    if (seq > this.acked) this.acked = Math.min(seq, this.next - 1);
    this.pump();
  }

  /** Sends what may be sent now. @param line the newest batch as JSON, when the caller has it. */
  pump(line?: { readonly batch: Batch; readonly text: string }): void {
    const { held } = this.publisher;
    for (;;) {
      if (this.next > held.head) {
        this.isHeldBack = false;
        return;
      }
      const room = this.limits.windowEvents - (this.next - 1 - this.acked);
      if (room <= 0 || this.sink.waiting > this.limits.highWater) {
        this.isHeldBack = true;
        return;
      }
      if (this.isHeldBack) {
        this.isHeldBack = false;
        this.thinUntil = held.head;
      }
      const entry = held.at(this.next);
      if (!entry) return;
      if (this.next <= this.thinUntil) {
        const stretch = this.stretch(room);
        if (stretch === null) return;
        this.sendShaped(coalesce(stretch));
      } else if (line?.batch === entry.batch && this.next === entry.batch.from && this.kinds === null) {
        this.sendText(line.text);
        this.next = entry.batch.to + 1;
      } else {
        this.sendShaped(entry.batch);
      }
    }
  }

  /** What piled up from `next` on, joined, as far as it fits the window and a frame. */
  private stretch(room: number): Batch | null {
    const { held } = this.publisher;
    const batches: Batch[] = [];
    let bytes = 0;
    let events = 0;
    for (let seq = this.next; seq <= this.thinUntil;) {
      const entry = held.at(seq);
      if (!entry) break;
      const batch = afterSeq(entry.batch, this.next - 1);
      events += countEvents(batch);
      if (batches.length > 0 && (bytes + entry.bytes > this.limits.joinBytes || events > room)) break;
      batches.push(batch);
      bytes += entry.bytes;
      seq = entry.batch.to + 1;
    }
    return batches.length > 0 ? joinBatches(batches) : null;
  }

  private sendShaped(batch: Batch): void {
    const rest = afterSeq(batch, this.next - 1);
    this.sendBatch(this.kinds ? onlyKinds(rest, this.kinds) : rest);
    this.next = batch.to + 1;
  }

  private sendBatch(batch: Batch): void {
    this.sendText(JSON.stringify(batch));
  }

  private sendText(batch: string): void {
    this.sink.send(`{"jsonrpc":"2.0","method":"events","params":${batch}}`);
  }
}
