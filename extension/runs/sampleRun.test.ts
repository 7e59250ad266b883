import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FoundRun } from './discovery';
import { DiscoveryWatcher, thisMachine } from './discovery';
import { SampleRun, childEnvironment, isReady, lastLine } from './sampleRun';

const QUIET = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};

/** Announces itself as a job does, prints its ready line, lives until it is told to end. */
const JOB = `
const fs = require('fs'), path = require('path');
const dir = process.argv[process.argv.indexOf('--dir') + 1];
const file = path.join(path.dirname(dir), 'found', 'sample-' + process.pid + '.json');
const tokens = { read: 'r'.repeat(20), steer: 's'.repeat(20) };
fs.writeFileSync(file, JSON.stringify({ version: 1, host: ${JSON.stringify(thisMachine.host)}, bootId: ${JSON.stringify(thisMachine.bootId)},
  pid: process.pid, address: 'ws://127.0.0.1:1/', run: 'sample', name: 'Sample', incarnation: 1, startedAt: 1, tokens, journal: dir + '/journal' }), { mode: 0o600 });
console.log('starting');
console.log(JSON.stringify({ address: 'ws://127.0.0.1:1/' }));
process.on('SIGTERM', () => { fs.unlinkSync(file); process.exit(0); });
setInterval(() => {}, 1000);
`;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sample-'));
  await writeFile(join(root, 'job.js'), JOB);
  await writeFile(join(root, 'broken.js'), 'throw new Error("no weights here")');
  await rm(join(root, 'found'), { force: true, recursive: true });
  const { mkdir } = await import('node:fs/promises');
  await mkdir(join(root, 'found'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

function sampleRun(script: string, memory = new Map<string, unknown>()) {
  const watcher = new DiscoveryWatcher(() => [join(root, 'found')], QUIET);
  const run = new SampleRun({
    script: join(root, script),
    dir: join(root, 'run'),
    execPath: process.execPath,
    memory: {
      get: (key) => memory.get(key),
      update: (key, value) => Promise.resolve(void memory.set(key, value)),
    },
    findRuns: () => watcher.refresh(),
    log: QUIET,
  });
  return { run, memory };
}

describe('the sample run', () => {
  it('starts as a process of its own, is taken up again after a reload, and is stopped', async () => {
    const { run, memory } = sampleRun('job.js');
    const found: FoundRun = await run.start();
    expect(run.isRunning).toBe(true);
    expect(run.isOurs(found.discovery.run)).toBe(true);
    expect(run.isOurs('another')).toBe(false);

    const afterReload = sampleRun('job.js', memory);
    expect(afterReload.run.isRunning).toBe(true);
    expect((await afterReload.run.start()).discovery.pid).toBe(found.discovery.pid);
    expect(await afterReload.run.stop()).toBe(true);
    expect(thisMachine.isAlive(found.discovery.pid)).toBe(false);
    expect(run.isRunning).toBe(false);
    expect(await run.stop()).toBe(false);
  });

  it('says in its own words why it did not start', async () => {
    const { run } = sampleRun('broken.js');
    await expect(run.start()).rejects.toThrow(/no weights here/);
  });

  it('does not stop a process that only has its old pid', async () => {
    const { run } = sampleRun(
      'job.js',
      new Map([['rolloutscope.sampleRun', { pid: process.pid, bootId: thisMachine.bootId }]]),
    );
    expect(await run.stop()).toBe(false);
    const other = sampleRun(
      'job.js',
      new Map([['rolloutscope.sampleRun', { pid: process.pid, bootId: 'another boot' }]]),
    );
    expect(other.run.isRunning).toBe(false);
  });

  it('gets no variable that makes a child a part of the host', () => {
    expect(
      childEnvironment({ PATH: '/bin', NODE_OPTIONS: '--inspect', VSCODE_IPC_HOOK: 'x', ELECTRON_RUN: '1' }),
    ).toEqual({
      PATH: '/bin',
      ELECTRON_RUN_AS_NODE: '1',
    });
  });

  it('is ready when it has printed its address', () => {
    expect(isReady('warming up\n{"address":"ws://127.0.0.1:1/"}\n')).toBe(true);
    expect(isReady('{"address":"ws://127')).toBe(false);
    expect(isReady('address')).toBe(false);
    expect(lastLine('x\nError: no disk\n    at file.js:1 Error\n\n')).toBe('Error: no disk');
  });
});
