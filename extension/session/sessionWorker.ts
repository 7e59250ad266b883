import { parentPort } from 'node:worker_threads';
import { systemClock } from './clock';
import { openModel } from './openModel';
import { connectWebSocket } from './webSocketTransport';
import { WorkerCore } from './workerCore';

/** Entry of dist/session-worker.js: one run in a thread of its own. */
const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');
new WorkerCore({
  post: (message, buffers) => port.postMessage(message, buffers),
  onMessage: (listener) => port.on('message', listener),
  connect: connectWebSocket,
  openModel,
  clock: systemClock,
  random: Math.random,
});
