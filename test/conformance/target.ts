import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Discovery } from '../../protocol/wire/handshake';
import { check } from '../../protocol/wire/rpc';

/** Where the server under test is, and the two tokens. */
export interface Place {
  readonly address: string;
  readonly read: string;
  readonly steer: string;
}

const READY_MS = 60_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A server that the suite starts itself, by a shell command. The command writes its discovery file under
 * XDG_RUNTIME_DIR, as every server does; `CONFORMANCE_DIR` names a folder that stays the same over restarts.
 */
export class LaunchedServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  private child: ChildProcess | null = null;
  private output = '';

  constructor(private readonly command: string) {}

  /** @param prefix shell text in front of the command, for limits. */
  async start(prefix = ''): Promise<Place> {
    const env = { ...process.env, XDG_RUNTIME_DIR: this.folder, CONFORMANCE_DIR: join(this.folder, 'run') };
    const child = spawn('sh', ['-c', `${prefix}exec ${this.command}`], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    const keep = (data: Buffer) => (this.output = (this.output + data.toString()).slice(-4000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const until = Date.now() + READY_MS;
    while (Date.now() < until) {
      if (child.exitCode !== null) break;
      const found = this.discovery(child.pid ?? 0);
      if (found) return found;
      await pause(50);
    }
    throw new Error(`the server did not write its discovery file. Its output ended:\n${this.output}`);
  }

  get alive(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    if (child === null || !this.alive) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await gone;
    clearTimeout(late);
  }

  discoveryFiles(): { path: string; mode: number }[] {
    const folder = join(this.folder, 'rolloutscope');
    try {
      return readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => ({ path: join(folder, name), mode: statSync(join(folder, name)).mode & 0o777 }));
    } catch {
      return [];
    }
  }

  async dispose(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private discovery(pid: number): Place | null {
    for (const { path } of this.discoveryFiles()) {
      try {
        const file = check(Discovery, JSON.parse(readFileSync(path, 'utf8')), 'discovery file');
        if (file.pid === pid) {
          return { address: file.address, read: file.tokens.read, steer: file.tokens.steer };
        }
      } catch {
        // Half written: look again.
      }
    }
    return null;
  }
}
