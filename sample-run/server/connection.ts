import {
  INITIALIZE,
  INITIALIZE_SECONDS,
  MAX_FRAME_BYTES,
  PING_SECONDS,
  type InitializeResult,
  type Scope,
} from '../../protocol/wire/handshake';
import { READS, type ReadName, type ReadParams, type ReadResult } from '../../protocol/wire/reads';
import { AckParams, check, parseRpc, type RpcMessage } from '../../protocol/wire/rpc';
import {
  STEERING,
  STEERING_NAMES,
  type SteeringAnswer,
  type SteeringName,
  type SteeringParams,
} from '../../protocol/wire/steering';
import { CLOSE_CODES, RPC_ERRORS, WireError } from '../../protocol/wire/wireError';
import { snapshotPage, stepsPage, type PageSources } from './batchPages';
import { ClientStream, STREAM_LIMITS, type FrameSink, type StreamLimits } from './clientStream';
import type { JobPort, JobReadName, Peer } from './jobPort';
import { RpcError } from './rpcError';

const PROTOCOL_VERSION = 1;

/** One end of a socket, as a connection sees it. */
export interface ClientSocket extends FrameSink {
  close(code: number, reason: string): void;
  ping(): void;
  /** Stops and goes on taking messages from the client. */
  setReading(reading: boolean): void;
}

export interface ConnectionLimits {
  readonly stream: StreamLimits;
  /** A client that holds the stream back for longer without an ack is closed. */
  readonly slowSeconds: number;
  readonly initializeSeconds: number;
  readonly pingSeconds: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  stream: STREAM_LIMITS,
  slowSeconds: 60,
  initializeSeconds: INITIALIZE_SECONDS,
  pingSeconds: PING_SECONDS,
};

/** Bytes of answers that may wait in a socket: a client that asks and never reads is closed beyond it. */
const MAX_WAITING_BYTES = 4 * MAX_FRAME_BYTES;
/** Requests of one client that may wait for their turn before its socket is left unread. */
const MAX_WAITING_REQUESTS = 32;

type PlainRead = Exclude<ReadName, 'subscribe'>;
const isPlainRead = (name: string): name is PlainRead => name !== 'subscribe' && Object.hasOwn(READS, name);
const steeringName = (method: string): SteeringName | undefined =>
  STEERING_NAMES.find((name) => method === `steer.${name}`);

/** Speaks the protocol with one client. */
export class Connection {
  private readonly peer: Peer;
  private readonly openedAt: number;
  private heardAt: number;
  private pingedAt: number;
  private scope: Scope | null = null;
  private stream: ClientStream | null = null;
  private heldBackSince: number | null = null;
  private waiting: RpcMessage[] = [];
  private working = false;
  private closed = false;

  constructor(
    private readonly socket: ClientSocket,
    private readonly job: JobPort,
    private readonly sources: PageSources,
    private readonly tokenScope: Scope,
    connection: string,
    private readonly now: () => number,
    private readonly limits: ConnectionLimits = CONNECTION_LIMITS,
  ) {
    this.peer = { connection, scope: tokenScope };
    this.openedAt = this.heardAt = this.pingedAt = now();
  }

  /** The socket is gone. */
  dispose(): void {
    this.closed = true;
    this.stream = null;
    this.waiting = [];
  }

  heard(): void {
    this.heardAt = this.now();
  }

  receive(text: string): void {
    this.heard();
    if (this.closed) return;
    let message: RpcMessage;
    try {
      message = parseRpc(text);
    } catch (error) {
      const reason = error instanceof WireError ? error.message : 'frame: not a JSON-RPC message';
      this.close('malformedMessage', reason);
      return;
    }
    if (message.method === 'ack') {
      this.acknowledge(message.params);
      return;
    }
    if (message.method === undefined || message.id === undefined || message.id === null) return;
    this.waiting.push(message);
    if (this.waiting.length >= MAX_WAITING_REQUESTS) this.socket.setReading(false);
    if (!this.working) void this.work();
  }

  binary(): void {
    this.close('malformedMessage', 'frame: binary frames need a capability that this server lacks');
  }

  /** A new batch is held. */
  advance(line?: Parameters<ClientStream['pump']>[0]): void {
    if (this.closed || !this.stream) return;
    this.stream.pump(line);
    if (!this.stream.possible) {
      this.close('slowClient', 'The stream was held back for too long. Reconnect and take a snapshot.');
      return;
    }
    if (!this.stream.heldBack) this.heldBackSince = null;
    else this.heldBackSince ??= this.now();
  }

  /** To be called about once a second. */
  tick(): void {
    if (this.closed) return;
    const now = this.now();
    const { initializeSeconds, pingSeconds, slowSeconds } = this.limits;
    if (this.scope === null && now - this.openedAt > initializeSeconds * 1000) {
      this.close('initializeTimeout', `No initialize within ${initializeSeconds} s.`);
    } else if (now - this.heardAt > 2 * pingSeconds * 1000) {
      this.close('slowClient', `Nothing heard for ${2 * pingSeconds} s.`);
    } else if (this.socket.waiting > MAX_WAITING_BYTES) {
      this.close('slowClient', 'Answers were asked for and not read.');
    } else if (this.heldBackSince !== null && now - this.heldBackSince > slowSeconds * 1000) {
      this.close('slowClient', `No ack for ${slowSeconds} s. Reconnect to go on.`);
    } else if (now - this.pingedAt > pingSeconds * 1000) {
      this.pingedAt = now;
      this.socket.ping();
    }
    this.advance();
  }

  close(code: keyof typeof CLOSE_CODES, reason: string): void {
    if (this.closed) return;
    this.dispose();
    this.socket.close(CLOSE_CODES[code], reason);
  }

  private acknowledge(params: unknown): void {
    try {
      const { seq } = check(AckParams, params, 'ack');
      this.heldBackSince = null;
      this.stream?.ack(seq);
      this.advance();
    } catch {
      // An ack that makes no sense gives no credit; it hurts only who sent it.
    }
  }

  /** One request after another, each on a turn of its own, so that no client takes the loop’s time from the run. */
  private async work(): Promise<void> {
    this.working = true;
    for (let message = this.waiting.shift(); message; message = this.waiting.shift()) {
      if (this.waiting.length === 0) this.socket.setReading(true);
      await this.answer(message);
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.working = false;
  }

  private async answer({ id, method, params }: RpcMessage): Promise<void> {
    let reply: unknown;
    let afterwards: (() => void) | undefined;
    try {
      const result = await this.run(method ?? '', params, (then) => (afterwards = then));
      reply = { jsonrpc: '2.0', id, result };
    } catch (error) {
      reply = { jsonrpc: '2.0', id, error: errorOf(error) };
    }
    if (this.closed) return;
    const text = JSON.stringify(reply);
    if (Buffer.byteLength(text) <= MAX_FRAME_BYTES) this.socket.send(text);
    else {
      const tooLarge = new RpcError('internal', 'The answer is larger than a frame. Ask for less at a time.');
      this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, error: errorOf(tooLarge) }));
    }
    afterwards?.();
  }

  private async run(method: string, params: unknown, later: (then: () => void) => void): Promise<unknown> {
    if (method === INITIALIZE.method) return this.initialize(params);
    if (this.scope === null) {
      throw new RpcError('notInitialized', 'The first request of a connection is initialize.');
    }
    if (method === 'subscribe') return this.subscribe(params, later);
    const steering = steeringName(method);
    if (isPlainRead(method)) return this.read(method, params);
    if (steering) return this.steer(steering, params);
    throw new RpcError('methodNotFound', `${method.slice(0, 64)}: this server has no such request.`);
  }

  private initialize(raw: unknown): InitializeResult {
    const params = check(INITIALIZE.params, raw, 'initialize');
    if (!params.protocolVersions.includes(PROTOCOL_VERSION)) {
      // The answer goes out before the close, so that the reason is read either way.
      setImmediate(() => this.close('wrongProtocol', `This server speaks version ${PROTOCOL_VERSION}.`));
      throw new RpcError('unsupported', `This server speaks protocol version ${PROTOCOL_VERSION}.`);
    }
    if (this.scope !== null) throw new RpcError('invalidRequest', 'This connection is initialized already.');
    const { publisher } = this.sources;
    publisher.flush();
    this.scope = params.scope === 'steer' ? this.tokenScope : 'read';
    return {
      protocolVersion: PROTOCOL_VERSION,
      ...this.job.describe(),
      headSeq: publisher.held.head,
      firstHeldSeq: publisher.held.firstSeq,
      now: publisher.now(),
      scope: this.scope,
      maxFrameBytes: MAX_FRAME_BYTES,
      window: { events: this.limits.stream.windowEvents },
    };
  }

  private subscribe(raw: unknown, later: (then: () => void) => void): ReadResult<'subscribe'> {
    const { afterSeq, strings, kinds } = check(READS.subscribe.params, raw, 'subscribe');
    const { publisher } = this.sources;
    publisher.flush();
    const { firstSeq, head } = publisher.held;
    if (afterSeq + 1 < firstSeq) {
      throw new RpcError('gone', `Events before ${firstSeq} are no longer held. Take a snapshot.`);
    }
    if (afterSeq > head || strings > publisher.strings.length) {
      throw new RpcError('gone', `This start of the run has come to ${head}. Take a snapshot.`);
    }
    later(() => {
      const filter = kinds ? new Set(kinds) : null;
      this.stream = new ClientStream(publisher, this.socket, afterSeq, strings, filter, this.limits.stream);
      this.advance();
    });
    return { from: afterSeq + 1 };
  }

  private async read(name: PlainRead, raw: unknown): Promise<unknown> {
    if (name === 'snapshot') return snapshotPage(check(READS.snapshot.params, raw, name), this.sources);
    if (name === 'readSteps') return stepsPage(check(READS.readSteps.params, raw, name), this.sources);
    return this.readJob(name, readParams(name, raw));
  }

  private readJob<N extends JobReadName>(
    name: N,
    params: ReadParams<N>,
  ): ReadResult<N> | Promise<ReadResult<N>> {
    return this.job.reads[name](params);
  }

  private steer(name: SteeringName, raw: unknown): SteeringAnswer {
    if (this.scope !== 'steer') {
      throw new RpcError(
        'forbidden',
        'This connection may read only. Steering needs the steer token and scope.',
      );
    }
    return this.job.steer(name, steeringParams(name, raw), this.peer);
  }
}

const readParams = <N extends JobReadName>(name: N, raw: unknown): ReadParams<N> =>
  check(READS[name].params, raw, name);
const steeringParams = <N extends SteeringName>(name: N, raw: unknown): SteeringParams<N> =>
  check(STEERING[name].params, raw, `steer.${name}`);

function errorOf(error: unknown): { code: number; message: string } {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  if (error instanceof WireError) return { code: RPC_ERRORS.invalidParams, message: error.message };
  return {
    code: RPC_ERRORS.internal,
    message: `The job could not answer: ${error instanceof Error ? error.message : String(error)}`,
  };
}
