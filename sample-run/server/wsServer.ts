import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { hostname } from 'node:os';
import type { Duplex } from 'node:stream';
import WebSocket, { WebSocketServer, type Server as SocketServer } from 'ws';
import { MAX_FRAME_BYTES, SUBPROTOCOL, type Scope } from '../../protocol/wire/handshake';
import { CLOSE_CODES } from '../../protocol/wire/wireError';
import type { Clock } from '../clock';
import type { PageSources } from './batchPages';
import { CONNECTION_LIMITS, Connection, type ConnectionLimits } from './connection';
import type { JobPort } from './jobPort';
import type { BatchSink } from './publisher';
import type { TokenPair } from './tokens';
import { checkUpgrade } from './upgradeGate';

export interface ServerOptions {
  readonly job: JobPort;
  readonly sources: PageSources;
  readonly tokens: TokenPair;
  readonly clock: Clock;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
  readonly allowHosts?: readonly string[];
  readonly allowOrigins?: readonly string[];
  readonly limits?: ConnectionLimits;
  readonly maxClients?: number;
}

const MAX_CLIENTS = 32;

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Codes of `ws` for what a client sent, by ours. */
const OUR_CODE: Readonly<Record<number, number>> = {
  1002: CLOSE_CODES.malformedMessage,
  1007: CLOSE_CODES.malformedMessage,
  1009: CLOSE_CODES.frameTooLarge,
};

/** A socket whose protocol errors close it with this protocol’s codes. */
class Peer extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code === undefined ? undefined : (OUR_CODE[code] ?? code), reason);
  }
}

/** Serves the protocol. Whatever a client does ends at its own connection. */
export class WsServer implements BatchSink {
  private readonly connections = new Map<WebSocket, Connection>();
  private readonly sockets: SocketServer<typeof Peer>;
  private readonly http: Server;
  private readonly ticker: NodeJS.Timeout;
  private counter = 0;

  private constructor(private readonly options: ServerOptions) {
    const { tls } = options;
    this.http = tls ? createTlsServer({ cert: tls.cert, key: tls.key }) : createServer();
    this.sockets = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      WebSocket: Peer,
      handleProtocols: () => SUBPROTOCOL,
    });
    this.http.maxConnections = 4 * MAX_CLIENTS;
    this.http.on('request', (_request, response) => {
      response.writeHead(426, { Connection: 'Upgrade', Upgrade: 'websocket', 'Content-Type': 'text/plain' });
      response.end(`This address speaks ${SUBPROTOCOL} over WebSocket. Attach to it with Rolloutscope.\n`);
    });
    this.http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.upgrade(request, socket, head),
    );
    this.ticker = setInterval(() => {
      for (const connection of this.connections.values()) connection.tick();
    }, 1000);
    this.ticker.unref();
  }

  /** @throws Error with `code` EADDRINUSE or EACCES when the port cannot be had. */
  static async listen(options: ServerOptions): Promise<WsServer> {
    if (!isLoopback(options.host) && !options.tls) {
      throw new Error(
        `${options.host} can be reached from other machines, so it needs --tls-cert and --tls-key. Without them bind to 127.0.0.1 and use an SSH tunnel.`,
      );
    }
    const server = new WsServer(options);
    try {
      await new Promise<void>((resolve, reject) => {
        server.http.once('error', reject);
        server.http.listen(options.port, options.host, () => {
          server.http.off('error', reject);
          resolve();
        });
      });
    } catch (error) {
      clearInterval(server.ticker);
      throw error;
    }
    server.http.on('error', () => undefined);
    options.sources.publisher.attach(server);
    return server;
  }

  get port(): number {
    const address = this.http.address();
    return typeof address === 'object' && address ? address.port : this.options.port;
  }

  get address(): string {
    const { host, tls } = this.options;
    // Bound to all of the machine’s addresses it is reached by the machine’s name.
    const name = host === '0.0.0.0' || host === '::' ? hostname() : host;
    return `${tls ? 'wss' : 'ws'}://${name.includes(':') ? `[${name}]` : name}:${this.port}`;
  }

  get clients(): number {
    return this.connections.size;
  }

  batch(batch: Parameters<BatchSink['batch']>[0], text: string): void {
    for (const connection of this.connections.values()) connection.advance({ batch, text });
  }

  async close(): Promise<void> {
    clearInterval(this.ticker);
    this.options.sources.publisher.detach(this);
    for (const connection of this.connections.values()) connection.close('shuttingDown', 'The job ends.');
    const done = new Promise<void>((resolve) => this.http.close(() => resolve()));
    setTimeout(() => {
      for (const socket of this.connections.keys()) socket.terminate();
      this.http.closeAllConnections();
    }, 500).unref();
    await done;
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const { tokens, host, allowHosts = [], allowOrigins = [], maxClients = MAX_CLIENTS } = this.options;
    const verdict = checkUpgrade(request.headers, {
      tokens,
      hosts: isLoopback(host) ? allowHosts : [host, hostname(), ...allowHosts],
      origins: allowOrigins,
      open: !isLoopback(host),
    });
    if (!verdict.ok) {
      refuse(socket, verdict.status, verdict.message);
      return;
    }
    this.sockets.handleUpgrade(request, socket, head, (peer) => {
      if (!verdict.subprotocol) peer.close(CLOSE_CODES.wrongProtocol, `This server speaks ${SUBPROTOCOL}.`);
      else if (this.connections.size >= maxClients) {
        peer.close(CLOSE_CODES.tooManyClients, `${maxClients} clients are connected already.`);
      } else this.accept(peer, verdict.scope);
    });
  }

  private accept(peer: Peer, scope: Scope): void {
    const { job, sources, clock, limits = CONNECTION_LIMITS } = this.options;
    const socket = {
      get waiting() {
        return peer.bufferedAmount;
      },
      send: (text: string) => peer.send(text, () => connection.advance()),
      close: (code: number, reason: string) => {
        peer.close(code, reason);
        // The close frame stands behind what was not read; do not wait for it.
        setTimeout(() => peer.terminate(), 5000).unref();
      },
      ping: () => peer.ping(),
      setReading: (reading: boolean) => {
        if (reading && peer.isPaused) peer.resume();
        else if (!reading) peer.pause();
      },
    };
    const name = `c${++this.counter}`;
    const connection = new Connection(socket, job, sources, scope, name, () => clock.now(), limits);
    this.connections.set(peer, connection);
    peer.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) connection.binary();
      else connection.receive(data.toString('utf8'));
    });
    peer.on('pong', () => connection.heard());
    peer.on('error', () => undefined);
    peer.on('close', () => {
      connection.dispose();
      this.connections.delete(peer);
    });
  }
}

const STATUS_TEXT = { 401: 'Unauthorized', 403: 'Forbidden', 426: 'Upgrade Required' } as const;

function refuse(socket: Duplex, status: 401 | 403 | 426, message: string): void {
  const extra = {
    401: 'WWW-Authenticate: Bearer\r\n',
    403: '',
    426: `Upgrade: websocket\r\nSec-WebSocket-Protocol: ${SUBPROTOCOL}\r\n`,
  }[status];
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_TEXT[status]}\r\n${extra}Connection: close\r\nContent-Type: text/plain\r\n` +
      `Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
  );
}
