import type { Static, TSchema } from '@sinclair/typebox';
import { check, parseRpc } from '../../protocol/wire/rpc';
import { WireError } from '../../protocol/wire/wireError';
import type { Clock } from './clock';

/** The other end answered a request with an error. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = 'RpcError';
  }
}

/** A request was given up: the connection ended, or no answer came in time. */
export class RpcLost extends Error {
  override readonly name = 'RpcLost';

  /** @param sent whether the request had left, so that the other end may have acted on it. */
  constructor(
    message: string,
    readonly sent: boolean,
  ) {
    super(message);
  }
}

interface Waiting {
  readonly schema: TSchema;
  readonly method: string;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  readonly cancelTimer: () => void;
}

/** JSON-RPC 2.0 over any text channel. Knows ids and waiting requests, nothing of sockets. */
export class RpcClient {
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private ended = false;

  constructor(
    private readonly send: (text: string) => void,
    private readonly onNotification: (method: string, params: unknown) => void,
    private readonly clock: Clock,
    private readonly limitMs = 30_000,
  ) {}

  /**
   * @returns the answer, checked against `schema`.
   * @throws RpcError (an error answer), RpcLost (no answer), WireError `malformed` (an answer of another shape).
   */
  request<R extends TSchema>(
    method: string,
    params: unknown,
    schema: R,
    limitMs = this.limitMs,
  ): Promise<Static<R>> {
    if (this.ended) return Promise.reject(new RpcLost(`${method}: there is no connection`, false));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const cancelTimer = this.clock.after(limitMs, () => {
        this.waiting.delete(id);
        reject(new RpcLost(`${method}: no answer within ${limitMs / 1000} s`, true));
      });
      this.waiting.set(id, { schema, method, resolve, reject, cancelTimer });
      this.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  notify(method: string, params: unknown): void {
    if (!this.ended) this.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Takes a frame. @throws WireError `malformed` when it is not one JSON-RPC message. */
  receive(text: string): void {
    const message = parseRpc(text);
    if (message.method !== undefined) {
      if (message.id === undefined || message.id === null)
        this.onNotification(message.method, message.params);
      else this.refuse(message.id);
      return;
    }
    if (typeof message.id !== 'number') {
      const said = message.error ? `: error ${message.error.code}` : '';
      throw new WireError('malformed', `frame: an answer without the id of a request${said}`);
    }
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    this.waiting.delete(message.id);
    waiting.cancelTimer();
    if (message.error) {
      waiting.reject(new RpcError(message.error.code, message.error.message, message.error.data));
      return;
    }
    try {
      waiting.resolve(check(waiting.schema, message.result, waiting.method) as never);
    } catch (error) {
      waiting.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Rejects everything that waits. */
  end(why: string): void {
    this.ended = true;
    for (const { reject, cancelTimer, method } of this.waiting.values()) {
      cancelTimer();
      reject(new RpcLost(`${method}: ${why}`, true));
    }
    this.waiting.clear();
  }

  /** A job asks nothing of a viewer; it is told so instead of being left waiting. */
  private refuse(id: number | string): void {
    this.send(
      JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'a viewer answers nothing' } }),
    );
  }
}
