import { createServer, type Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { BatchBuilder } from '../../../protocol/wire/batchBuilder';
import { SUBPROTOCOL, type InitializeResult } from '../../../protocol/wire/handshake';
import { parseRpc } from '../../../protocol/wire/rpc';

export interface ScriptedJobOptions {
  /** The only token that is let in. */
  readonly token: string;
  readonly name: string;
  /** What it does once its first step has been streamed. Called for every connection. */
  readonly afterFirstStep?: (job: ScriptedJob, socket: WebSocket) => void;
}

/** A job whose every word is in the test's hand: right up to one step, then whatever the script says. */
export class ScriptedJob {
  readonly builder = new BatchBuilder();
  /** Connections that were let in. */
  connections = 0;
  private readonly first: unknown;

  private constructor(
    private readonly server: Server,
    private readonly sockets: WebSocketServer,
    private readonly options: ScriptedJobOptions,
  ) {
    this.builder.add('runState', 0, { state: 'running' });
    this.builder.add('stepOpened', 5, { step: 1, policyVersion: 0, planned: 8 });
    this.first = this.builder.take(10);
  }

  static async start(options: ScriptedJobOptions): Promise<ScriptedJob> {
    const server = createServer((_request, response) => response.writeHead(404).end());
    const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => SUBPROTOCOL });
    const job = new ScriptedJob(server, sockets, options);
    server.on('upgrade', (request, socket, head) => {
      if (request.headers.authorization !== `Bearer ${options.token}`) {
        socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
        return;
      }
      sockets.handleUpgrade(request, socket, head, (client) => job.serve(client));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return job;
  }

  get address(): string {
    return `ws://127.0.0.1:${portOf(this.server)}`;
  }

  /** Sends a batch as the job's stream. */
  events(socket: WebSocket, batch: unknown): void {
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'events', params: batch }));
  }

  async stop(): Promise<void> {
    for (const client of this.sockets.clients) client.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: WebSocket): void {
    this.connections += 1;
    socket.on('message', (data: Buffer) => {
      const { id, method } = parseRpc(data.toString('utf8'));
      const answer = (result: unknown): void => socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
      if (method === 'initialize') answer(this.describe());
      else if (method === 'subscribe') {
        answer({ from: 1 });
        this.events(socket, this.first);
        this.options.afterFirstStep?.(this, socket);
      } else if (id !== undefined) {
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'not scripted' } }));
      }
    });
  }

  private describe(): InitializeResult {
    return {
      protocolVersion: 1,
      server: { name: 'scripted', version: '1' },
      run: { id: `run-${this.options.name}`, name: this.options.name, startedAt: 1_700_000_000_000 },
      incarnation: { number: 1, id: `life-${this.options.name}`, startedAt: 1_700_000_000_000 },
      headSeq: this.builder.head,
      firstHeldSeq: 1,
      now: 10,
      capabilities: [],
      scope: 'steer',
      successThreshold: 1,
      sampling: { temperature: 1 },
      methods: [],
      maxFrameBytes: 4 * 1024 * 1024,
      window: { events: 10_000 },
    };
  }
}

/** A server that listens on 127.0.0.1 and knows nothing of us. */
export async function startServer(server: Server): Promise<{ port: number; stop: () => Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: portOf(server),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.');
  return address.port;
}
