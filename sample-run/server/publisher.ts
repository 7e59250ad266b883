import type { TextRecord } from '../../protocol/journal/format';
import type { Batch } from '../../protocol/wire/batch';
import { BatchBuilder } from '../../protocol/wire/batchBuilder';
import type { EventFields } from '../../protocol/wire/event';
import type { EventName } from '../../protocol/wire/events';
import type { Clock } from '../clock';
import { HeldBatches } from './heldBatches';

/** Where finished batches go. Neither may throw or wait. */
export interface BatchSink {
  /**
   * @param line the batch as JSON; `strings` is the whole table, of which a reader needs `stringsBefore` first.
   * @param texts one for each `nodeClosed` of the batch, in its order; null: no text.
   */
  batch(
    batch: Batch,
    line: string,
    texts: readonly (TextRecord | null)[],
    strings: readonly string[],
    stringsBefore: number,
  ): void;
}

export interface PublisherOptions {
  readonly clock: Clock;
  /** Time that events may wait for the next batch. */
  readonly flushMs?: number;
  /** Events after which a batch is closed early, so that no frame grows over the limit. */
  readonly batchEvents?: number;
  /** Bytes of batches held for readers that come back. */
  readonly holdBytes?: number;
}

/**
 * The job's side of the stream: `add` numbers an event and returns at once. What it holds is bounded: the open
 * batch by its events, the closed ones by bytes; readers have no queues of their own.
 */
export class Publisher {
  readonly held: HeldBatches;
  private readonly builder = new BatchBuilder();
  private readonly sinks = new Set<BatchSink>();
  private readonly started: number;
  private readonly clock: Clock;
  private readonly flushMs: number;
  private readonly batchEvents: number;
  private readonly stepSeqs = new Map<number, number>();
  private texts: (TextRecord | null)[] = [];
  private timer: NodeJS.Timeout | null = null;

  constructor({ clock, flushMs = 50, batchEvents = 1000, holdBytes = 32 * 1024 * 1024 }: PublisherOptions) {
    this.clock = clock;
    this.flushMs = flushMs;
    this.batchEvents = batchEvents;
    this.held = new HeldBatches(holdBytes, 1);
    this.started = clock.now();
  }

  /** Milliseconds since the incarnation’s start. */
  now(): number {
    return Math.round((this.clock.now() - this.started) * 1000) / 1000;
  }

  /** Seq of the newest event. */
  get head(): number {
    return this.builder.head;
  }

  get strings(): readonly string[] {
    return this.builder.strings;
  }

  /** Seq of the event that opened a step of this incarnation; the next known step when that one was never opened. */
  seqOfStep(step: number): number | null {
    let best: number | null = null;
    for (const [opened, seq] of this.stepSeqs) {
      if (opened >= step && (best === null || seq < best)) best = seq;
    }
    return best;
  }

  add<K extends EventName>(kind: K, fields: EventFields<K>): number {
    if (kind === 'nodeClosed') this.texts.push(null);
    return this.append(kind, fields);
  }

  /** The end of a node together with its text, which goes to the journal. */
  addNodeClosed(fields: EventFields<'nodeClosed'>, text: TextRecord): number {
    this.texts.push(text);
    return this.append('nodeClosed', fields);
  }

  attach(sink: BatchSink): void {
    this.sinks.add(sink);
  }

  detach(sink: BatchSink): void {
    this.sinks.delete(sink);
  }

  /** Closes the open batch and hands it on. */
  flush(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const batch = this.builder.take(this.now());
    if (!batch) return;
    const texts = this.texts;
    this.texts = [];
    const strings = this.builder.strings;
    const stringsBefore = batch.strings?.from ?? strings.length;
    const line = JSON.stringify(batch);
    this.held.add({ batch, stringsBefore, bytes: line.length });
    for (const sink of this.sinks) sink.batch(batch, line, texts, strings, stringsBefore);
  }

  private append<K extends EventName>(kind: K, fields: EventFields<K>): number {
    const seq = this.builder.add(kind, this.now(), fields);
    const step = kind === 'stepOpened' ? Object.entries(fields).find(([name]) => name === 'step')?.[1] : null;
    if (typeof step === 'number') this.stepSeqs.set(step, seq);
    if (this.builder.size >= this.batchEvents) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), this.flushMs);
    return seq;
  }
}
