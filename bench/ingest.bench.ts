import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import type { Mode } from './ingest/receive';
import type { Served } from './ingest/server';
import { hostDelay } from './ingest/hostDelay';
import type { Answer, Order } from './ingest/worker';

/** Arguments: nodes (400000), rounds (7). */
const NODES = Number(process.argv[2] ?? 400_000);
const ROUNDS = Number(process.argv[3] ?? 7);
/** A session lives for hours: what the engine does in its first second is not its rate. */
const WARM_UP = 2;
const FORWARD: readonly Mode[] = ['floor', 'ingest', 'objects'];

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

function print(name: string, value: number, unit: string, n: number): void {
  console.log(JSON.stringify({ bench: 'ingest', name, value: Number(value.toPrecision(4)), unit, n }));
}

/** Both sides run as they ship: bundled, without the loader that this file runs under. */
function bundle(outdir: string): { server: string; worker: string; job: string } {
  buildSync({
    entryPoints: ['server', 'worker', 'jobServer'].map((name) => join(__dirname, `ingest/${name}.ts`)),
    outdir,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['bufferutil', 'utf-8-validate'],
    logLevel: 'error',
  });
  return {
    server: join(outdir, 'server.js'),
    worker: join(outdir, 'worker.js'),
    job: join(outdir, 'jobServer.js'),
  };
}

async function measure(folder: string): Promise<void> {
  const paths = bundle(folder);
  const server = fork(paths.server, [String(NODES)]);
  const worker = new Worker(paths.worker);
  try {
    const served = await new Promise<Served>((resolve, reject) => {
      server.once('message', (message) => resolve(message as Served));
      server.once('exit', (code) => reject(new Error(`the server ended with ${String(code)}`)));
    });
    const ask = (mode: Mode, bytes = false): Promise<Answer> =>
      new Promise((resolve, reject) => {
        worker.removeAllListeners();
        worker.once('message', resolve);
        worker.once('error', reject);
        const order: Order = { port: served.port, frames: served.frames, mode, measure: bytes };
        worker.postMessage(order);
      });
    const answers: Record<Mode, Answer[]> = { ingest: [], floor: [], objects: [] };
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      for (const mode of round % 2 === 0 ? FORWARD : FORWARD.toReversed()) {
        const answer = await ask(mode);
        if (round >= WARM_UP) answers[mode].push(answer);
      }
    }
    const perNode: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { bytes, nodes } = await ask('ingest', true);
      perNode.push(bytes / nodes);
    }
    report(served, answers, perNode);
  } finally {
    await worker.terminate();
    server.kill();
  }
  const delay = await hostDelay(paths.job, NODES);
  print('host_delay_p99_ms', delay.p99Ms, 'ms', delay.n);
  print('host_delay_max_ms', delay.maxMs, 'ms', delay.n);
  // The same timer with two busy processes that are not ours: what the machine itself costs.
  print('host_delay_floor_p99_ms', delay.floor.p99Ms, 'ms', delay.floor.n);
  print('host_events_per_s', delay.eventsPerSecond, 'events/s', 1);
}

function report(
  served: Served,
  answers: Readonly<Record<Mode, readonly Answer[]>>,
  perNode: readonly number[],
): void {
  const rate = (mode: Mode): number => served.events / median(answers[mode].map(({ seconds }) => seconds));
  const ratio = (floor: Mode, of: 'seconds' | 'cpuSeconds'): number =>
    median(answers.ingest.map((answer, i) => answers[floor][i]![of] / answer[of]));
  print('events_per_s', rate('ingest'), 'events/s', ROUNDS);
  print('rate_per_floor', ratio('floor', 'seconds'), 'ratio', ROUNDS);
  print('rate_vs_objects_floor', ratio('objects', 'seconds'), 'ratio', ROUNDS);
  print('bytes_per_node', median(perNode), 'bytes', perNode.length);
  print('floor_events_per_s', rate('floor'), 'events/s', ROUNDS);
  print('objects_events_per_s', rate('objects'), 'events/s', ROUNDS);
  // Of CPU time instead of wall-clock time: holds also while other work runs on the machine.
  print('cpu_rate_per_floor', ratio('floor', 'cpuSeconds'), 'ratio', ROUNDS);
  print('frame_bytes_per_event', served.columnBytes / served.events, 'bytes', 1);
  print('object_bytes_per_event', served.objectBytes / served.events, 'bytes', 1);
}

const folder = mkdtempSync(join(tmpdir(), 'ingest-'));
measure(folder)
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => {
    rmSync(folder, { recursive: true, force: true });
  });
