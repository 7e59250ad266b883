import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Emitter, messageOf, type Disposable, type Log } from '../lifecycle';
import { thisMachine, type FoundRun, type Machine } from './discovery';
import type { Memory } from './runRegistry';

const MEMORY_KEY = 'rolloutscope.sampleRun';
const RUNS_KEY = 'rolloutscope.sampleRuns';
const RUNS_KEPT = 100;
const READY_MS = 60_000;
const POLL_MS = 100;
const STOP_MS = 5_000;
/** It outlives a reload of the window, but not for ever the last window that looks at it. */
const EXIT_UNWATCHED_MINUTES = 30;
const OUTPUT_TAIL = 4_096;

/** What is kept of the sample run that this extension started: a pid counts only in the boot that it was given in. */
const Started = Type.Object({ pid: Type.Integer({ minimum: 2 }), bootId: Type.String() });

export interface SampleRunOptions {
  /** dist/sample-run.js. */
  readonly script: string;
  /** Folder of the run: checkpoints and journal. */
  readonly dir: string;
  /** The host's own runtime; no Node of the system is needed. */
  readonly execPath: string;
  readonly memory: Memory;
  readonly findRuns: () => Promise<readonly FoundRun[]>;
  readonly log: Log;
  readonly machine?: Machine;
}

/** The sample run did not come up; `message` says why, in the words of its output. */
export class SampleRunError extends Error {
  override readonly name = 'SampleRunError';
}

/**
 * The sample run as a process of its own: it goes on when the window is reloaded, ends
 * by itself (its checkpoint kept) when nobody has looked for half an hour, and only the one that this
 * extension started is ever stopped by it.
 */
export class SampleRun implements Disposable {
  private readonly machine: Machine;
  private readonly changes = new Emitter<boolean>();
  /** Whether one that we started runs. */
  readonly onDidChange = this.changes.event;
  private starting: Promise<FoundRun> | null = null;

  constructor(private readonly options: SampleRunOptions) {
    this.machine = options.machine ?? thisMachine;
  }

  get isRunning(): boolean {
    return this.pid() !== null;
  }

  /** Whether a run is a sample run of ours, also when its process is gone. */
  isOurs(run: string): boolean {
    return this.known().includes(run);
  }

  /** Takes note of the runs that are kept in our folder. */
  note(found: readonly FoundRun[]): void {
    const known = this.known();
    const news = found
      .filter(({ discovery }) => discovery.journal?.startsWith(this.options.dir) === true)
      .map(({ discovery }) => discovery.run)
      .filter((run) => !known.includes(run));
    if (news.length > 0) void this.options.memory.update(RUNS_KEY, [...known, ...news].slice(-RUNS_KEPT));
  }

  /** Starts it, or takes the one that runs already. @throws SampleRunError */
  start(): Promise<FoundRun> {
    this.starting ??= this.launch().finally(() => {
      this.starting = null;
      this.changes.fire(this.isRunning);
    });
    return this.starting;
  }

  /** Ends the one that we started; false when there is none. */
  async stop(): Promise<boolean> {
    const pid = this.pid();
    const found = pid === null ? null : await this.find(pid);
    // A pid is given anew after a while: only one whose discovery file says that it is a run of ours is ended.
    if (pid === null || !found) return false;
    process.kill(pid, 'SIGTERM');
    for (let waited = 0; this.machine.isAlive(pid) && waited < STOP_MS; waited += POLL_MS)
      await sleep(POLL_MS);
    if (this.machine.isAlive(pid)) {
      this.options.log.warn('the sample run did not end by itself and was killed');
      process.kill(pid, 'SIGKILL');
    }
    await this.options.memory.update(MEMORY_KEY, undefined);
    this.changes.fire(false);
    return true;
  }

  dispose(): void {
    this.changes.dispose();
  }

  private async launch(): Promise<FoundRun> {
    const running = this.pid();
    const found = running === null ? null : await this.find(running);
    if (found) return found;
    const { script, dir, execPath, memory, log } = this.options;
    await mkdir(dir, { recursive: true });
    // A file takes the output, not a pipe: the run must not end with this window.
    const outputFile = join(dir, 'output.log');
    const output = openSync(outputFile, 'w', 0o600);
    const child = spawn(
      execPath,
      [script, '--dir', dir, '--json', '--exit-unwatched', String(EXIT_UNWATCHED_MINUTES)],
      {
        detached: true,
        stdio: ['ignore', output, output],
        cwd: dir,
        env: childEnvironment(process.env),
      },
    );
    closeSync(output);
    const end: { why?: string } = {};
    child.on('error', (error) => (end.why = error.message));
    child.on('exit', (code, signal) => (end.why = `it ended with ${signal ?? `code ${code ?? 0}`}`));
    child.unref();
    const { pid } = child;
    if (pid === undefined) throw new SampleRunError(end.why ?? 'the system gave no process');
    log.info(`the sample run starts as process ${pid}`);
    await memory.update(MEMORY_KEY, { pid, bootId: this.machine.bootId });
    this.changes.fire(true);
    for (let waited = 0; waited < READY_MS; waited += POLL_MS) {
      if (end.why !== undefined)
        throw new SampleRunError(`${end.why}. ${lastLine(await readTail(outputFile))}`.trim());
      if (isReady(await readTail(outputFile))) {
        const run = await this.find(pid);
        if (run) return run;
      }
      await sleep(POLL_MS);
    }
    throw new SampleRunError(`it was not ready within ${READY_MS / 1000} s`);
  }

  private known(): readonly unknown[] {
    const runs = this.options.memory.get(RUNS_KEY);
    return Array.isArray(runs) ? runs : [];
  }

  private async find(pid: number): Promise<FoundRun | null> {
    const runs = await this.options.findRuns();
    this.note(runs);
    return runs.find(({ place, discovery }) => place === 'here' && discovery.pid === pid) ?? null;
  }

  private pid(): number | null {
    const started = this.options.memory.get(MEMORY_KEY);
    if (!Value.Check(Started, started) || started.bootId !== this.machine.bootId) return null;
    return this.machine.isAlive(started.pid) ? started.pid : null;
  }
}

/** The environment of the host without what would make the child behave as a part of it. */
export function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^(VSCODE_|NODE_OPTIONS$|ELECTRON_)/.test(name));
  return { ...Object.fromEntries(kept), ELECTRON_RUN_AS_NODE: '1' };
}

/** The run prints one line of JSON when it serves: the one with its address. */
export function isReady(output: string): boolean {
  return output.split('\n').some((line) => {
    if (!line.startsWith('{')) return false;
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null && 'address' in value;
    } catch {
      return false;
    }
  });
}

/** The last line that says something, for a person who wonders why it did not start. */
export function lastLine(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const error = lines.findLast((line) => /error/i.test(line) && !line.startsWith('at '));
  return (error ?? lines.findLast((line) => line !== '') ?? '').slice(0, 300);
}

async function readTail(file: string): Promise<string> {
  try {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      const from = Math.max(0, size - OUTPUT_TAIL);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(OUTPUT_TAIL), 0, OUTPUT_TAIL, from);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return messageOf(error);
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
