import { writeFileSync, mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { fork, spawn } from 'node:child_process';
import { SUBPROTOCOL } from '../../protocol/wire/handshake';
import { packOurs, startRealHost, type RealHost } from '../realHost/realHost';

interface Ready {
  readonly port: number;
}

/** Delay of the extension-host thread over a stretch. */
export interface HostDelay {
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly n: number;
}

/** Seconds that a workbench is given to come to rest. */
const SETTLE_SECONDS = 8;
/** Seconds that the floor is measured. */
const FLOOR_SECONDS = 4;
/** A plain loop of parsing: what keeps one core busy as the worker and the job process do. */
const BURN = `const text = JSON.stringify(Array.from({ length: 4000 }, (_, i) => ({ node: 'n' + i, reward: i / 7 })));
const until = Date.now() + ${FLOOR_SECONDS * 1000}; while (Date.now() < until) JSON.parse(text);`;

/**
 * Delay of the extension-host thread while our extension, in a real extension host, takes in the events of the job
 * process: it attaches by itself through a discovery file, its worker decodes and stores.
 *
 * @param server bundled entry of the job process, `jobServer.ts`
 */
export async function hostDelay(
  server: string,
  nodes: number,
): Promise<HostDelay & { floor: HostDelay; eventsPerSecond: number }> {
  const job = fork(server, [String(nodes)], { execArgv: ['--max-old-space-size=4096'] });
  const next = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      job.once('message', (message) => resolve(message as T));
      job.once('exit', (code) => reject(new Error(`the job ended with ${String(code)}`)));
    });
  const { port } = await next<Ready>();
  const host = await startRealHost(packOurs(), { 'rolloutscope.attachOnStartup': 'found' });
  try {
    announce(host.runtimeDir, port, job.pid ?? 0);
    await host.answer('activated.json');
    job.send('announced');
    await next();
    // The workbench itself goes on loading for a while after our extension is active.
    await new Promise((resolve) => setTimeout(resolve, SETTLE_SECONDS * 1000));
    let eventsPerSecond = 0;
    const delay = await measure(host, 0, async () => {
      job.send('go');
      const { events, seconds } = await next<{ events: number; seconds: number }>();
      eventsPerSecond = events / seconds;
    });
    const floor = await measure(host, 1, burn);
    return { ...delay, floor, eventsPerSecond };
  } finally {
    await host.stop();
    job.kill();
  }
}

/** Delay of the extension-host thread while `work` goes on. @param n counts the measurements from 0 */
async function measure(host: RealHost, n: number, work: () => Promise<void>): Promise<HostDelay> {
  host.tell(`measure-${n}`);
  await host.answer(`measuring-${n}.json`);
  await work();
  host.tell(`stop-${n}`);
  const delay = await host.answer(`delay-${n}.json`);
  return { p99Ms: Number(delay['p99Ms']), maxMs: Number(delay['maxMs']), n: Number(delay['n']) };
}

/** As many busy processes as our side has busy threads: one for the job, one for the worker. */
async function burn(): Promise<void> {
  const ends = [0, 1].map(() => {
    const child = spawn(process.execPath, ['-e', BURN], { stdio: 'ignore' });
    return new Promise((resolve) => child.once('exit', resolve));
  });
  await Promise.all(ends);
}

function announce(runtimeDir: string, port: number, pid: number): void {
  const folder = path.join(runtimeDir, 'rolloutscope');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = {
    version: 1,
    host: hostname(),
    bootId: '',
    pid,
    address: `ws://127.0.0.1:${port}/${SUBPROTOCOL}`,
    run: 'bench',
    name: 'bench',
    incarnation: 1,
    startedAt: 0,
    tokens: { read: 'r'.repeat(32), steer: 's'.repeat(32) },
  };
  writeFileSync(path.join(folder, `bench-${pid}.json`), JSON.stringify(file), { mode: 0o600 });
}
