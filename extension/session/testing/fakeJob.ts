import type { Batch } from '../../../protocol/wire/batch';
import { BatchBuilder } from '../../../protocol/wire/batchBuilder';
import type { InitializeResult } from '../../../protocol/wire/handshake';
import { parseRpc, type RpcMessage } from '../../../protocol/wire/rpc';
import { RPC_ERRORS } from '../../../protocol/wire/wireError';
import type { ProblemKind } from '../problems';
import type { Connect, Target, TransportListener } from '../transport';

type Answer = { result: unknown } | { error: { code: number; message: string } } | null;

/**
 * A job whose every move is in the test's hand: it speaks the protocol over a transport without a socket, and can
 * drop, repeat, skip, restart, hang and talk nonsense.
 */
export class FakeJob {
  builder = new BatchBuilder();
  readonly log: Batch[] = [];
  /** Journals of earlier lives. */
  readonly earlier = new Map<number, readonly Batch[]>();
  incarnation = 1;
  firstHeldSeq = 1;
  run = 'run-1';
  protocolVersion = 1;
  /** What the upgrade is refused with. */
  refuse: ProblemKind | null = null;
  /** Takes the place of an answer; undefined: the usual one. */
  answer: (message: RpcMessage) => Answer | undefined = () => undefined;
  readonly targets: Target[] = [];
  readonly requests: RpcMessage[] = [];
  readonly acks: number[] = [];
  private listener: TransportListener | null = null;
  private subscribed = false;

  readonly connect: Connect = (target, listener) => {
    this.targets.push(target);
    this.subscribed = false;
    let open = true;
    queueMicrotask(() => {
      if (!open) return;
      if (this.refuse) {
        listener.onEnd({ problem: this.refuse, code: null, detail: 'refused by the test' });
        return;
      }
      this.listener = listener;
      listener.onOpen();
    });
    return {
      send: (text) => {
        if (open) queueMicrotask(() => this.receive(text));
      },
      dispose: () => {
        open = false;
        if (this.listener === listener) this.listener = null;
      },
    };
  };

  get connected(): boolean {
    return this.listener !== null;
  }

  /** Adds a step to the log, and streams it when somebody listens. */
  step(step: number): Batch {
    this.builder.add('stepOpened', step * 1000, { step, policyVersion: step, planned: 8 });
    const batch = this.builder.take(step * 1000 + 5)!;
    this.log.push(batch);
    if (this.subscribed) this.push(batch);
    return batch;
  }

  runState(state: 'running' | 'ended' | 'failed'): void {
    this.builder.add('runState', 0, { state });
    const batch = this.builder.take(0)!;
    this.log.push(batch);
    if (this.subscribed) this.push(batch);
  }

  push(batch: unknown): void {
    this.text(JSON.stringify({ jsonrpc: '2.0', method: 'events', params: batch }));
  }

  text(text: string): void {
    this.listener?.onText(text);
  }

  end(problem: ProblemKind, code: number | null = null): void {
    const { listener } = this;
    this.listener = null;
    listener?.onEnd({ problem, code, detail: `ended by the test: ${problem}` });
  }

  /** A new life: new process, new numbering. */
  restart(): void {
    this.end('closed', 1006);
    this.earlier.set(this.incarnation, [...this.log]);
    this.incarnation++;
    this.log.length = 0;
    this.builder = new BatchBuilder();
  }

  /** The log forgets what is older than `seq`. */
  forgetBefore(seq: number): void {
    this.firstHeldSeq = seq;
  }

  private receive(text: string): void {
    const message = parseRpc(text);
    if (message.method === 'ack') {
      const { params } = message;
      if (typeof params === 'object' && params !== null && 'seq' in params)
        this.acks.push(Number(params.seq));
      return;
    }
    this.requests.push(message);
    const own = this.answer(message);
    if (own === null) return;
    this.reply(message, own ?? this.usual(message));
    if (!own && message.method === 'subscribe' && this.subscribed) this.replay(message);
  }

  private reply(message: RpcMessage, answer: Exclude<Answer, null>): void {
    this.text(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }));
  }

  private usual(message: RpcMessage): Exclude<Answer, null> {
    if (message.method === 'initialize') return { result: this.info() };
    if (message.method === 'subscribe') {
      const after = this.paramOf(message, 'afterSeq');
      if (after + 1 < this.firstHeldSeq) return { error: { code: RPC_ERRORS.gone, message: 'gone' } };
      this.subscribed = true;
      return { result: { from: after + 1 } };
    }
    if (message.method === 'snapshot') {
      const half = Math.ceil(this.log.length / 2);
      const second = this.paramOf(message, 'cursor') > 0;
      return {
        result: {
          batches: second ? this.log.slice(half) : this.log.slice(0, half),
          seq: this.builder.head,
          next: second || half === this.log.length ? null : '2',
          stringsSoFar: this.builder.strings.length,
        },
      };
    }
    if (message.method === 'readSteps') return this.readSteps(message);
    return { error: { code: RPC_ERRORS.methodNotFound, message: `${String(message.method)}: not known` } };
  }

  /** A batch a page. */
  private readSteps(message: RpcMessage): Exclude<Answer, null> {
    const number = this.paramOf(message, 'incarnation');
    const journal = this.earlier.get(number);
    if (!journal) return { error: { code: RPC_ERRORS.notFound, message: `no start ${number}` } };
    const at = this.paramOf(message, 'cursor');
    const start = {
      incarnation: { number, id: `life-${number}`, startedAt: 0 },
      successThreshold: 1,
      sampling: {},
    };
    return {
      result: {
        strings: [],
        batches: journal.slice(at, at + 1),
        next: at + 1 < journal.length ? String(at + 1) : null,
        ...(at === 0 ? { start } : {}),
      },
    };
  }

  private replay(message: RpcMessage): void {
    const after = this.paramOf(message, 'afterSeq');
    for (const batch of this.log) if (batch.from > after) this.push(batch);
  }

  private paramOf(message: RpcMessage, name: string): number {
    const params: unknown = message.params;
    if (typeof params !== 'object' || params === null) return 0;
    return Number((params as Record<string, unknown>)[name] ?? 0);
  }

  private info(): InitializeResult {
    return {
      protocolVersion: this.protocolVersion,
      server: { name: 'fake', version: '1' },
      run: { id: this.run, name: 'Fake run', startedAt: 0 },
      incarnation: { number: this.incarnation, id: `life-${this.incarnation}`, startedAt: 0 },
      headSeq: this.builder.head,
      firstHeldSeq: this.firstHeldSeq,
      now: 0,
      capabilities: ['stream.resume', 'read.steps'],
      scope: 'steer',
      successThreshold: 1,
      sampling: {},
      methods: [],
      maxFrameBytes: 1024,
      window: { events: 100 },
    };
  }
}
