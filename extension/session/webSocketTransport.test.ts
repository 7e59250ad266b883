import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { MAX_FRAME_BYTES, SUBPROTOCOL } from '../../protocol/wire/handshake';
import type { TransportEnd } from './transport';
import { connectWebSocket } from './webSocketTransport';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const listen = (server: Server | ReturnType<typeof createTcpServer>): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      closers.push(() => server.close());
      resolve(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    });
  });

async function serve(
  onSocket: (socket: WebSocket, request: IncomingMessage) => void,
  protocol: string | false = SUBPROTOCOL,
): Promise<string> {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http, handleProtocols: () => protocol });
  sockets.on('connection', onSocket);
  closers.push(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  });
  return listen(http);
}

interface Outcome {
  readonly opened: boolean;
  readonly texts: readonly string[];
  readonly end: TransportEnd | null;
}

/** Connects and waits for the end, or for `texts` frames. */
const outcome = (address: string, token: string | null = null, texts = Infinity): Promise<Outcome> =>
  new Promise((resolve) => {
    const seen: string[] = [];
    let opened = false;
    const transport = connectWebSocket(
      { address, token },
      {
        onOpen: () => {
          opened = true;
          transport.send('hello');
        },
        onText: (text) => {
          seen.push(text);
          if (seen.length >= texts) {
            transport.dispose();
            resolve({ opened, texts: seen, end: null });
          }
        },
        onEnd: (end) => resolve({ opened, texts: seen, end }),
      },
    );
  });

describe('the WebSocket transport', () => {
  it('carries text both ways, without compression, with the token in the header only', async () => {
    let request: IncomingMessage | undefined;
    const address = await serve((socket, upgrade) => {
      request = upgrade;
      socket.on('message', (data: Buffer) => socket.send(`echo ${data.toString()}`));
    });
    const result = await outcome(address, 'a-token-of-the-job', 1);
    expect(result).toEqual({ opened: true, texts: ['echo hello'], end: null });
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer a-token-of-the-job',
      'sec-websocket-protocol': SUBPROTOCOL,
    });
    expect(request?.headers['sec-websocket-extensions']).toBeUndefined();
    expect(request?.headers.origin).toBeUndefined();
    expect(request?.url).toBe('/');
  });

  it('takes a frame of the greatest size, and says that a larger one is oversized', async () => {
    const address = await serve((socket) => {
      socket.send('x'.repeat(MAX_FRAME_BYTES));
      socket.send('x'.repeat(MAX_FRAME_BYTES + 1));
    });
    const { texts, end } = await outcome(address);
    expect(texts.map(({ length }) => length)).toEqual([MAX_FRAME_BYTES]);
    expect(end?.problem).toBe('oversized');
  });

  it.each([
    [4401, 'tokenRefused'],
    [4406, 'wrongProtocol'],
    [4460, 'slowClient'],
    [4461, 'shuttingDown'],
    [4444, 'wrongProtocol'],
    [4499, 'closed'],
    [1001, 'closed'],
  ])('reads close code %i as %s', async (code, problem) => {
    const address = await serve((socket) => socket.close(code));
    expect((await outcome(address)).end).toMatchObject({ problem, code });
  });

  it.each([
    [401, 'tokenRefused'],
    [403, 'forbidden'],
    [404, 'notRolloutscope'],
    [302, 'notRolloutscope'],
    [503, 'unreachable'],
  ])('reads HTTP %i as %s', async (status, problem) => {
    const http = createServer();
    http.on('upgrade', (_request, socket) => {
      socket.end(`HTTP/1.1 ${status} x\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n`);
    });
    expect((await outcome(await listen(http))).end?.problem).toBe(problem);
  });

  it('names a web server, a server of another kind, another subprotocol, a binary frame', async () => {
    const web = createServer((_request, response) => response.end('<html>'));
    expect((await outcome(await listen(web))).end?.problem).toBe('notRolloutscope');

    const ssh = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    expect((await outcome(await listen(ssh))).end?.problem).toBe('notRolloutscope');

    expect((await outcome(await serve(() => undefined, 'graphql-ws'))).end?.problem).toBe('wrongProtocol');
    expect((await outcome(await serve(() => undefined, false))).end?.problem).toBe('wrongProtocol');

    const binary = await serve((socket) => socket.send(Buffer.from([1, 2])));
    expect((await outcome(binary)).end?.problem).toBe('malformed');
  });

  it('names a port where nothing listens, and an address that is none', async () => {
    const server = createServer();
    const address = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect((await outcome(address)).end?.problem).toBe('nothingListens');
    expect((await outcome('not an address')).end?.problem).toBe('notRolloutscope');
    expect((await outcome('ftp://127.0.0.1/')).end?.problem).toBe('notRolloutscope');
  });
});
