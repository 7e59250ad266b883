import { WebSocketServer, type WebSocket } from 'ws';
import { SUBPROTOCOL, type InitializeResult } from '../../protocol/wire/handshake';
import { parseRpc } from '../../protocol/wire/rpc';
import { makeFrames } from './frames';

/** Events that may wait for an ack. */
const WINDOW = 50_000;

/**
 * Entry of the process that plays a job of the protocol: answers `initialize` and `subscribe`, sends the preamble,
 * says `ready`, and on `go` streams all frames as fast as acks come. Tells its parent when the last was acknowledged.
 */
function serve(nodes: number): void {
  const frames = makeFrames(nodes);
  const last = (frames.columns.at(-1) ?? Buffer.from('{}')).toString('utf8');
  const lastSeq = Number(/"to":(\d+)/.exec(last)?.[1] ?? 0);
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    perMessageDeflate: false,
    handleProtocols: () => SUBPROTOCOL,
  });
  let streaming: (() => void) | null = null;
  server.on('connection', (socket) => {
    let acked = 0;
    let sentEvents = 0;
    let next = 0;
    let begun = 0;
    const send = (): void => {
      while (next < frames.columns.length && sentEvents - acked < WINDOW) {
        socket.send(frames.columns[next++]!, { binary: false });
        sentEvents += 1_000;
      }
    };
    let first = 0;
    socket.on('message', (data: Buffer) => {
      const message = parseRpc(data.toString('utf8'));
      if (message.method === 'ack') {
        const { seq } = message.params as { seq: number };
        if (begun > 0) {
          acked = Math.max(0, seq - first);
          if (seq >= lastSeq) {
            process.send?.({ events: frames.events, seconds: (performance.now() - begun) / 1000 });
            begun = 0;
          } else send();
        }
        return;
      }
      answer(socket, message.id, message.method ?? '');
      if (message.method === 'subscribe') {
        for (const frame of frames.preamble) socket.send(frame, { binary: false });
        first = lastSeq - frames.events;
        process.send?.({ ready: true });
        streaming = () => {
          begun = performance.now();
          send();
        };
      }
    });
  });
  process.on('message', (message) => {
    if (message === 'go') streaming?.();
  });
  server.on('listening', () => {
    const address = server.address();
    if (typeof address === 'object' && address !== null) process.send?.({ port: address.port });
  });
}

const HELLO: InitializeResult = {
  protocolVersion: 1,
  server: { name: 'bench', version: '1' },
  run: { id: 'bench', name: 'bench', startedAt: 0 },
  incarnation: { number: 1, id: 'bench-1', startedAt: 0 },
  headSeq: 0,
  firstHeldSeq: 1,
  now: 0,
  capabilities: ['stream.resume'],
  scope: 'read',
  successThreshold: 0.5,
  sampling: {},
  methods: [],
  maxFrameBytes: 4 * 1024 * 1024,
  window: { events: WINDOW },
};

function answer(socket: WebSocket, id: unknown, method: string): void {
  const results: Record<string, unknown> = { initialize: HELLO, subscribe: { from: 1 } };
  const result = results[method];
  const body = result === undefined ? { error: { code: -32601, message: `no ${method}` } } : { result };
  socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
}

serve(Number(process.argv[2] ?? 400_000));
