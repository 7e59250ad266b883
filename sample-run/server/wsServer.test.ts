import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { INITIALIZE, SUBPROTOCOL } from '../../protocol/wire/handshake';
import { check } from '../../protocol/wire/rpc';
import { CLOSE_CODES, RPC_ERRORS } from '../../protocol/wire/wireError';
import { realClock } from '../clock';
import { CONNECTION_LIMITS, type ConnectionLimits } from './connection';
import type { JobPort } from './jobPort';
import { Publisher } from './publisher';
import { RpcError } from './rpcError';
import { WsServer, type ServerOptions } from './wsServer';

const TOKENS = { read: 'read-token-of-the-test', steer: 'steer-token-of-the-test' };

const refuse = (): never => {
  throw new RpcError('notFound', 'nothing here');
};
const job: JobPort = {
  describe: () => ({
    server: { name: 'test', version: '1' },
    run: { id: 'run', name: 'run', startedAt: 0 },
    incarnation: { number: 1, id: 'start', startedAt: 0 },
    capabilities: [],
    successThreshold: 1,
    sampling: {},
    methods: [],
  }),
  reads: {
    prompt: refuse,
    groupHistory: refuse,
    tokens: refuse,
    series: refuse,
    attachment: refuse,
    search: refuse,
    decisions: refuse,
    config: () => ({ framework: 'test', values: { text: 'x'.repeat(1000) } }),
  },
  steer: (_, params, peer) => ({
    commandId: params.commandId,
    state: 'applied',
    changed: true,
    sentence: `${params.author} by ${peer.connection}`,
  }),
};

let publisher: Publisher;
let server: WsServer | null = null;
const clients: WebSocket[] = [];

async function listen(options: Partial<ServerOptions> = {}, limits: Partial<ConnectionLimits> = {}) {
  server = await WsServer.listen({
    job,
    sources: { publisher, journal: null, folder: null, incarnation: 1 },
    tokens: TOKENS,
    clock: realClock,
    host: '127.0.0.1',
    port: 0,
    limits: { ...CONNECTION_LIMITS, ...limits },
    ...options,
  });
  return server;
}

interface Client {
  readonly socket: WebSocket;
  readonly messages: Record<string, unknown>[];
  readonly closed: Promise<{ code: number; reason: string }>;
  call(method: string, params: unknown): Promise<Record<string, unknown>>;
}

function connect(
  headers: Record<string, string> = { Authorization: `Bearer ${TOKENS.steer}` },
  protocols: string[] = [SUBPROTOCOL],
): Promise<Client> {
  const socket = new WebSocket(server!.address, protocols, { headers, perMessageDeflate: false });
  clients.push(socket);
  const messages: Record<string, unknown>[] = [];
  const waiting = new Map<number, (reply: Record<string, unknown>) => void>();
  let id = 0;
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Record<string, unknown>;
    messages.push(message);
    waiting.get(Number(message['id']))?.(message);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_, response) => {
      reject(new Error(`HTTP ${response.statusCode ?? 0}`));
      socket.terminate();
    });
    socket.on('error', reject);
    socket.on('open', () =>
      resolve({
        socket,
        messages,
        closed,
        call: (method, params) =>
          new Promise((answer) => {
            waiting.set(++id, answer);
            socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
          }),
      }),
    );
  });
}

const hello = (client: Client, scope: 'read' | 'steer' = 'read', protocolVersions = [1]) =>
  client.call('initialize', { client: { name: 'test', version: '1' }, protocolVersions, scope });

beforeEach(() => {
  publisher = new Publisher({ clock: realClock, flushMs: 5 });
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  await server?.close();
  server = null;
});

describe('the door', () => {
  it.each([
    ['no token', {}, 401],
    ['a wrong token', { Authorization: 'Bearer wrong-token-of-the-test' }, 401],
    ['a token in another scheme', { Authorization: `Basic ${TOKENS.read}` }, 401],
    ['a page', { Authorization: `Bearer ${TOKENS.read}`, Origin: 'http://localhost' }, 403],
    ['a rebound name', { Authorization: `Bearer ${TOKENS.read}`, Host: 'evil.example:1' }, 403],
  ])('refuses %s', async (_, headers, status) => {
    await listen();
    await expect(connect(headers)).rejects.toThrow(`HTTP ${status}`);
  });

  it('closes who speaks no subprotocol with 4406 and refuses who speaks only another', async () => {
    await listen();
    const silent = await connect(undefined, []);
    expect((await silent.closed).code).toBe(CLOSE_CODES.wrongProtocol);
    await expect(connect(undefined, ['other.v1'])).rejects.toThrow('HTTP 426');
  });

  it('opens to other machines only with a certificate', async () => {
    await expect(listen({ host: '0.0.0.0' })).rejects.toThrow(/--tls-cert/);
  });

  it('says too many with 4429', async () => {
    await listen({ maxClients: 1 });
    await connect();
    const second = await connect();
    expect((await second.closed).code).toBe(CLOSE_CODES.tooManyClients);
  });

  it('closes who does not initialise with 4458', async () => {
    await listen({}, { initializeSeconds: 0.1 });
    const client = await connect();
    expect((await client.closed).code).toBe(CLOSE_CODES.initializeTimeout);
  });
});

describe('a connection', () => {
  it('answers initialize with the head, and requests before it with notInitialized', async () => {
    await listen();
    publisher.add('stepPhase', { step: 1, phase: 'train' });
    const client = await connect();
    const early = await client.call('config', {});
    expect(early['error']).toMatchObject({ code: RPC_ERRORS.notInitialized });
    const { result } = await hello(client, 'steer');
    const answer = check(INITIALIZE.result, result, 'initialize');
    expect([answer.headSeq, answer.firstHeldSeq, answer.scope]).toEqual([1, 1, 'steer']);
  });

  it('gives the read token no steering', async () => {
    await listen();
    const client = await connect({ Authorization: `Bearer ${TOKENS.read}` });
    expect((await hello(client, 'steer'))['result']).toMatchObject({ scope: 'read' });
    const params = { commandId: 'a', incarnation: 1, author: 'me', n: 1 };
    expect((await client.call('steer.step', params))['error']).toMatchObject({ code: RPC_ERRORS.forbidden });
  });

  it('stamps the connection on what is steered', async () => {
    await listen();
    const client = await connect();
    await hello(client, 'steer');
    const params = { commandId: 'a', incarnation: 1, author: 'me', n: 1 };
    expect((await client.call('steer.step', params))['result']).toMatchObject({ sentence: 'me by c1' });
  });

  it('answers what it does not understand and stays', async () => {
    await listen();
    const client = await connect();
    await hello(client);
    expect((await client.call('dance', {}))['error']).toMatchObject({ code: RPC_ERRORS.methodNotFound });
    expect((await client.call('tokens', { node: 1 }))['error']).toMatchObject({
      code: RPC_ERRORS.invalidParams,
      message: expect.stringContaining('tokens/from') as string,
    });
    expect((await client.call('prompt', { prompt: 'p' }))['error']).toMatchObject({
      code: RPC_ERRORS.notFound,
    });
    expect((await client.call('subscribe', { afterSeq: 99, strings: 0 }))['error']).toMatchObject({
      code: RPC_ERRORS.gone,
    });
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
  });

  it.each([
    ['text that is not JSON', '{"jsonrpc": nonsense', CLOSE_CODES.malformedMessage],
    ['JSON that is no message', '[1]', CLOSE_CODES.malformedMessage],
    ['a binary frame', Buffer.from('{}'), CLOSE_CODES.malformedMessage],
    ['a frame over the limit', 'x'.repeat(5 * 1024 * 1024), CLOSE_CODES.frameTooLarge],
  ])('closes on %s, alone', async (_, data, code) => {
    await listen();
    const bystander = await connect();
    await hello(bystander);
    const client = await connect();
    await hello(client);
    client.socket.send(data);
    expect((await client.closed).code).toBe(code);
    expect((await bystander.call('config', {}))['result']).toBeDefined();
  });

  it('says the version it speaks before it closes with 4406', async () => {
    await listen();
    const client = await connect();
    expect((await hello(client, 'read', [7]))['error']).toMatchObject({ code: RPC_ERRORS.unsupported });
    expect((await client.closed).code).toBe(CLOSE_CODES.wrongProtocol);
  });

  it('streams from where the client was, and closes a client that never acknowledges with 4460', async () => {
    const stream = { ...CONNECTION_LIMITS.stream, windowEvents: 10 };
    await listen({}, { stream, slowSeconds: 0.5 });
    const client = await connect();
    await hello(client);
    const ticking = setInterval(() => publisher.add('stepPhase', { step: 1, phase: 'idle' }), 2);
    try {
      await client.call('subscribe', { afterSeq: 0, strings: 0 });
      const { code, reason } = await client.closed;
      expect(code).toBe(CLOSE_CODES.slowClient);
      expect(reason).toMatch(/Reconnect/);
      const again = await connect();
      await hello(again);
      const reply = await again.call('subscribe', { afterSeq: 3, strings: 0 });
      expect(reply['result']).toEqual({ from: 4 });
    } finally {
      clearInterval(ticking);
    }
  });

  it('keeps the requests of a client that floods it apart from the run', async () => {
    await listen();
    const client = await connect();
    await hello(client);
    const answers = await Promise.all(Array.from({ length: 500 }, () => client.call('config', {})));
    expect(answers.every((answer) => answer['result'] !== undefined)).toBe(true);
    expect(new Set(answers.map((answer) => answer['id'])).size).toBe(500);
  });
});
