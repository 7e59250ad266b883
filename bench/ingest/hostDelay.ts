import { writeFileSync, mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { fork } from 'node:child_process';
import { SUBPROTOCOL } from '../../protocol/wire/handshake';
import { packOurs, startRealHost } from '../realHost/realHost';

interface Ready {
  readonly port: number;
}

/**
 * Delay of the extension-host thread while our extension, in a real extension host, takes in the events of the job
 * process: it attaches by itself through a discovery file, its worker decodes and stores.
 *
 * @param server bundled entry of the job process, `jobServer.ts`
 */
export async function hostDelay(
  server: string,
  nodes: number,
): Promise<{ p99Ms: number; maxMs: number; n: number; eventsPerSecond: number }> {
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
    host.tell('measure');
    await host.answer('measuring.json');
    job.send('go');
    const { events, seconds } = await next<{ events: number; seconds: number }>();
    host.tell('stop');
    const delay = await host.answer('delay.json');
    return {
      p99Ms: Number(delay['p99Ms']),
      maxMs: Number(delay['maxMs']),
      n: Number(delay['n']),
      eventsPerSecond: events / seconds,
    };
  } finally {
    await host.stop();
    job.kill();
  }
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
