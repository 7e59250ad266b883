import { WebSocket, type RawData } from 'ws';
import { decodeBatch } from '../../protocol/wire/batch';
import { DecodeArena } from '../../protocol/wire/decodeColumns';
import { parseRpc } from '../../protocol/wire/rpc';
import { StringTable } from '../../protocol/wire/stringTable';
import { RunStore } from '../../run-store/runStore';

/**
 * What is done with a frame: `ingest` validates and applies it to a store, the floors parse its JSON and drop it
 * (`floor`: the same frames; `objects`: the same events as objects with keys).
 */
export type Mode = 'ingest' | 'floor' | 'objects';

export interface Received {
  readonly seconds: number;
  /** CPU time of the process meanwhile: of this thread, of garbage collection, nearly nothing else. */
  readonly cpuSeconds: number;
  /** The filled store, for `ingest`. */
  readonly store: RunStore | null;
}

function textOf(data: RawData): string {
  if (Buffer.isBuffer(data)) return data.toString('utf8');
  return Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data).toString('utf8');
}

/** Seq to acknowledge; the floors have none to name. */
type Handler = (text: string) => number;

function ingestInto(store: RunStore): Handler {
  const strings = new StringTable();
  const arena = new DecodeArena();
  store.beginIncarnation({ number: 1, id: 'bench', startedAt: 0, successThreshold: 0.5 }, strings);
  return (text) => {
    const { method, params } = parseRpc(text);
    if (method !== 'events') return 0;
    const batch = decodeBatch(params, strings, arena);
    store.apply(batch);
    return batch.to;
  };
}

function drop(text: string): number {
  JSON.parse(text);
  return 0;
}

/** Receives all frames of a bench server in this thread. The clock runs from asking for them to having done the last. */
export function receive(port: number, frames: number, mode: Mode): Promise<Received> {
  return new Promise((resolve, reject) => {
    const path = mode === 'objects' ? 'objects' : 'columns';
    const socket = new WebSocket(`ws://127.0.0.1:${port}/${path}`, { perMessageDeflate: false });
    const store = mode === 'ingest' ? new RunStore() : null;
    const handle = store ? ingestInto(store) : drop;
    let begun = 0;
    let cpu = process.cpuUsage();
    let received = 0;
    socket.on('error', reject);
    socket.on('open', () => {
      socket.send('preamble');
    });
    socket.on('message', (data) => {
      const text = textOf(data);
      const seq = handle(text);
      if (begun > 0) {
        received += 1;
      } else if (text.length < 100 && text.includes('ready')) {
        begun = performance.now();
        cpu = process.cpuUsage();
      } else {
        return;
      }
      if (received < frames) {
        socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'ack', params: { seq } }));
        return;
      }
      const seconds = (performance.now() - begun) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      socket.on('close', () => {
        // A socket lives on for a while after its end; what it has received must not.
        socket.removeAllListeners();
        resolve({ seconds, cpuSeconds: (user + system) / 1e6, store });
      });
      socket.close();
    });
  });
}
