import { WebSocketServer } from 'ws';
import { type Frames, makeFrames } from './frames';

/** Events that may wait for an ack. */
const WINDOW = 50_000;

/** What the process tells its parent when it is ready. */
export interface Served {
  readonly port: number;
  readonly events: number;
  readonly nodes: number;
  readonly frames: number;
  readonly columnBytes: number;
  readonly objectBytes: number;
}

const bytesOf = (list: readonly Buffer[]): number => list.reduce((sum, { length }) => sum + length, 0);

/**
 * Entry of the process that plays the job: makes all frames first, then serves them to whoever connects, as fast as
 * acks come. The path names what is sent: `/columns` or `/objects`.
 */
function serve(frames: Frames): void {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('connection', (socket, request) => {
    const measured = request.url === '/objects' ? frames.objects : frames.columns;
    const perFrame = Math.ceil(frames.events / measured.length);
    let next = 0;
    let unacknowledged = 0;
    let asked = false;
    socket.on('message', () => {
      if (!asked) {
        asked = true;
        for (const frame of frames.preamble) socket.send(frame, { binary: false });
        socket.send('{"jsonrpc":"2.0","method":"ready"}', { binary: false });
        return;
      }
      unacknowledged = Math.max(0, unacknowledged - perFrame);
      while (next < measured.length && unacknowledged < WINDOW) {
        socket.send(measured[next++]!, { binary: false });
        unacknowledged += perFrame;
      }
    });
  });
  server.on('listening', () => {
    const address = server.address();
    if (typeof address !== 'object' || address === null) return;
    const { events, nodes, columns, objects } = frames;
    const served: Served = {
      port: address.port,
      events,
      nodes,
      frames: columns.length,
      columnBytes: bytesOf(columns),
      objectBytes: bytesOf(objects),
    };
    process.send?.(served);
  });
}

serve(makeFrames(Number(process.argv[2] ?? 400_000)));
