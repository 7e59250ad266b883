import { unpackNumbers } from './numbers';

/**
 * Both ends of the channel host ↔ webview (and host ↔ worker) speak through one of these. A request is
 * answered, or rejected: by the other end's error, by dispose, or by the time limit.
 */
export interface Channel {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

interface Side {
  requests: Record<string, { params: unknown; result: unknown }>;
  events: object;
}

type RequestHandlers<S extends Side> = {
  [M in keyof S['requests']]: (params: S['requests'][M]['params']) => Promise<S['requests'][M]['result']>;
};
type EventHandlers<S extends Side> = { [E in keyof S['events']]: (params: S['events'][E]) => void };

interface Envelope {
  readonly rolloutscope: 'request' | 'answer' | 'error' | 'event';
  readonly id?: number;
  readonly name?: string;
  readonly body?: unknown;
}

/** Host and page are built together, so the envelope is checked and the body's type is the table's. */
const isEnvelope = (message: unknown): message is Envelope =>
  typeof message === 'object' && message !== null && 'rolloutscope' in message;

interface Waiting {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
  timer: unknown;
}

declare function setTimeout(run: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;

export class Messenger<Out extends Side, In extends Side> {
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private disposed = false;

  /**
   * @param answer handlers of what the other end asks; a thrown error reaches it as a rejection with its message.
   * @param limitMs time after which a request is rejected.
   * @param unpack turns a received body into what was sent; the host leaves views packed on their way to a page.
   */
  constructor(
    private readonly channel: Channel,
    private readonly answer: RequestHandlers<In>,
    private readonly on: EventHandlers<In>,
    private readonly limitMs = 30_000,
    private readonly unpack: (body: unknown) => unknown = unpackNumbers,
  ) {
    channel.onMessage((message) => {
      if (!this.disposed && isEnvelope(message)) this.receive(message);
    });
  }

  request<M extends keyof Out['requests'] & string>(
    name: M,
    params: Out['requests'][M]['params'],
  ): Promise<Out['requests'][M]['result']> {
    if (this.disposed) return Promise.reject(new Error(`${name}: the panel was closed`));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(new Error(`${name}: no answer within ${this.limitMs / 1000} s`));
      }, this.limitMs);
      this.waiting.set(id, { resolve, reject, timer });
      this.channel.post({ rolloutscope: 'request', id, name, body: params } satisfies Envelope);
    });
  }

  emit<E extends keyof Out['events'] & string>(name: E, params: Out['events'][E]): void {
    if (!this.disposed) {
      this.channel.post({ rolloutscope: 'event', name, body: params } satisfies Envelope);
    }
  }

  dispose(): void {
    this.disposed = true;
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(new Error('the panel was closed'));
    }
    this.waiting.clear();
  }

  private receive(message: Envelope): void {
    if (message.rolloutscope === 'event') {
      const handler = this.on[message.name as keyof EventHandlers<In>] as
        ((params: unknown) => void) | undefined;
      handler?.(this.unpack(message.body));
    } else if (message.rolloutscope === 'request') {
      void this.respond(message);
    } else if (message.id !== undefined) {
      const waiting = this.waiting.get(message.id);
      if (!waiting) return;
      this.waiting.delete(message.id);
      clearTimeout(waiting.timer);
      if (message.rolloutscope === 'answer') waiting.resolve(this.unpack(message.body) as never);
      else waiting.reject(new Error(String(message.body)));
    }
  }

  private async respond({ id, name, body }: Envelope): Promise<void> {
    if (id === undefined || name === undefined) return;
    let reply: Envelope;
    try {
      const handler = this.answer[name as keyof RequestHandlers<In>] as
        ((params: unknown) => Promise<unknown>) | undefined;
      if (!handler) throw new Error(`${name}: not known here`);
      reply = { rolloutscope: 'answer', id, body: await handler(body) };
    } catch (error) {
      reply = { rolloutscope: 'error', id, body: error instanceof Error ? error.message : String(error) };
    }
    if (!this.disposed) this.channel.post(reply);
  }
}
