import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { type Mode, receive } from './receive';

export interface Order {
  readonly port: number;
  readonly frames: number;
  readonly mode: Mode;
  /** Whether bytes are measured: collecting garbage takes its time. */
  readonly measure: boolean;
}

export interface Answer {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly bytes: number;
  readonly nodes: number;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that the engine counts for this thread after collection: JavaScript heap and array buffers. */
async function heldBytes(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  // `external` has the array buffers in it.
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function obey({ port, frames, mode, measure }: Order): Promise<Answer> {
  const before = measure ? await heldBytes() : 0;
  const { seconds, cpuSeconds, store } = await receive(port, frames, mode);
  // The store's columns are shared memory, which the engine does not count.
  const columns = store?.current?.chunkBytes ?? 0;
  const bytes = measure ? (await heldBytes()) - before + columns : 0;
  return { seconds, cpuSeconds, bytes, nodes: store?.liveNodes() ?? 0 };
}

parentPort?.on('message', (order: Order) => {
  void obey(order).then((answer) => parentPort?.postMessage(answer));
});
