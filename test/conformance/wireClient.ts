import WebSocket from 'ws';
import { decodeBatch, forEachInOrder, type DecodedBatch } from '../../protocol/wire/batch';
import { INITIALIZE, SUBPROTOCOL, type InitializeResult, type Scope } from '../../protocol/wire/handshake';
import { READS, type ReadName, type ReadParams, type ReadResult } from '../../protocol/wire/reads';
import { readEvent } from '../../protocol/wire/readEvent';
import { check, parseRpc } from '../../protocol/wire/rpc';
import {
  SteeringAnswer,
  steeringMethod,
  type SteeringName,
  type SteeringParams,
} from '../../protocol/wire/steering';
import { StringTable } from '../../protocol/wire/stringTable';

export interface ConnectOptions {
  readonly token?: string;
  readonly subprotocol?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that the server answered with. */
export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(`${code}: ${message}`);
  }
}

export interface ReadBack {
  readonly kind: string;
  readonly seq: number;
  readonly t: number;
  readonly fields: Record<string, unknown>;
}

const LIMIT_MS = 20_000;

/** A plain client that holds a server to the letter: every answer and every batch is validated. */
export class WireClient {
  readonly events: ReadBack[] = [];
  readonly batches: DecodedBatch[] = [];
  readonly problems: string[] = [];
  strings = new StringTable();
  closed: { code: number; reason: string } | null = null;
  /** When off, batches are received but not acknowledged. */
  acknowledge = true;
  private readonly waiting = new Map<number, { resolve: (v: unknown) => void; reject: (e: Error) => void }>();
  private readonly watchers = new Set<() => void>();
  private nextId = 1;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => this.receive(data.toString('utf8')));
    socket.on('close', (code: number, reason: Buffer) => {
      this.closed = { code, reason: reason.toString('utf8') };
      for (const { reject } of this.waiting.values()) reject(new Error(`closed with ${code}`));
      this.waiting.clear();
      this.wake();
    });
    socket.on('error', () => undefined);
  }

  /** Resolves when the upgrade is done. Rejects with the HTTP status when it is refused: `HTTP 401`. */
  static connect(address: string, options: ConnectOptions): Promise<WireClient> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(address, options.subprotocol ?? SUBPROTOCOL, {
        perMessageDeflate: false,
        handshakeTimeout: 10_000,
        headers: {
          ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
          ...options.headers,
        },
      });
      socket.once('unexpected-response', (_request, response) => {
        reject(new Error(`HTTP ${response.statusCode ?? 0}`));
        socket.terminate();
      });
      socket.once('error', reject);
      const client = new WireClient(socket);
      socket.once('open', () => resolve(client));
    });
  }

  send(text: string): void {
    this.socket.send(text);
  }

  call(method: string, params: unknown): Promise<unknown> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(new Error(`${method}: no answer within ${LIMIT_MS / 1000} s`));
      }, LIMIT_MS);
      const done = () => clearTimeout(timer);
      this.waiting.set(id, {
        resolve: (value) => {
          done();
          resolve(value);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      this.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  async initialize(scope: Scope): Promise<InitializeResult> {
    const params = {
      client: { name: 'rolloutscope-conformance', version: '1' },
      protocolVersions: [1],
      scope,
    };
    return check(INITIALIZE.result, await this.call('initialize', params), 'initialize');
  }

  async read<N extends ReadName>(name: N, params: ReadParams<N>): Promise<ReadResult<N>> {
    return check(READS[name].result, await this.call(name, params), name);
  }

  async steer<N extends SteeringName>(name: N, params: SteeringParams<N>): Promise<SteeringAnswer> {
    return check(SteeringAnswer, await this.call(steeringMethod(name), params), name);
  }

  /** Resolves with the first event, seen already or to come, that `accept` takes. */
  event(accept: (event: ReadBack) => boolean, what: string, ms = LIMIT_MS): Promise<ReadBack> {
    return this.until(() => this.events.find(accept), what, ms);
  }

  until<T>(probe: () => T | undefined, what: string, ms = LIMIT_MS): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const value = probe();
        if (value !== undefined) {
          finish();
          resolve(value);
        } else if (this.closed !== null) {
          finish();
          reject(new Error(`closed with ${this.closed.code} while waiting for ${what}`));
        }
      };
      const timer = setTimeout(() => {
        finish();
        reject(new Error(`${what} did not come within ${ms / 1000} s`));
      }, ms);
      const finish = () => {
        clearTimeout(timer);
        this.watchers.delete(look);
      };
      this.watchers.add(look);
      look();
    });
  }

  async whenClosed(ms = LIMIT_MS): Promise<{ code: number; reason: string }> {
    if (this.closed === null) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`not closed within ${ms / 1000} s`)), ms);
        this.socket.once('close', () => {
          clearTimeout(timer);
          setImmediate(resolve);
        });
      });
    }
    return this.closed ?? { code: 0, reason: '' };
  }

  close(): void {
    this.socket.terminate();
  }

  private wake(): void {
    for (const look of [...this.watchers]) look();
  }

  private receive(text: string): void {
    try {
      const message = parseRpc(text);
      if (message.method === 'events') this.takeBatch(message.params);
      else if (typeof message.id === 'number') this.settle(message.id, message);
    } catch (error) {
      this.problems.push(error instanceof Error ? error.message : String(error));
    }
    this.wake();
  }

  private settle(id: number, message: ReturnType<typeof parseRpc>): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (message.error) waiting?.reject(new RpcFailure(message.error.code, message.error.message));
    else waiting?.resolve(message.result);
  }

  /** Takes a batch in, from the stream or from an answer. */
  apply(raw: unknown): DecodedBatch {
    const batch = decodeBatch(raw, this.strings);
    const last = this.batches.at(-1);
    if (last !== undefined && batch.from !== last.to + 1) {
      this.problems.push(`batch begins at ${batch.from}, the last one ended at ${last.to}`);
    }
    this.batches.push(batch);
    forEachInOrder(batch, (kind, row) => this.events.push(readEvent(kind, row, this.strings)));
    return batch;
  }

  private takeBatch(raw: unknown): void {
    const batch = this.apply(raw);
    if (this.acknowledge) {
      this.send(JSON.stringify({ jsonrpc: '2.0', method: 'ack', params: { seq: batch.to } }));
    }
  }
}
