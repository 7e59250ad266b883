import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Discovery } from '../protocol/wire/handshake';
import { check } from '../protocol/wire/rpc';
import { realClock } from './clock';
import { parseCommandLine } from './commandLine';
import { smallPolicy } from './job/jobHarness';
import { readBootId } from './server/discovery';
import { serveRun, type ServedRun } from './serveRun';

let root: string;
let served: ServedRun[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sample-run-'));
  vi.stubEnv('XDG_RUNTIME_DIR', root);
});
afterEach(async () => {
  for (const run of served) await run.close();
  served = [];
  vi.unstubAllEnvs();
  await rm(root, { recursive: true, force: true });
});

const SMALL = [
  '--prompts-per-step',
  '2',
  '--group-size',
  '3',
  '--pace',
  '1',
  '--steps',
  '500',
  '--allocation',
  'uniform',
];

async function start(...argv: string[]): Promise<ServedRun> {
  const run = await serveRun(
    { ...parseCommandLine([...SMALL, ...argv]), dir: join(root, 'run') },
    smallPolicy(),
    realClock,
  );
  served.push(run);
  return run;
}

const doneSteps = (run: ServedRun): number => run.job.state.doneStep;

async function until(probe: () => boolean): Promise<void> {
  while (!probe()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a served run', () => {
  it('is found by a private file, which goes with it; its files are private', async () => {
    const run = await start();
    const folder = join(root, 'rolloutscope');
    const [name] = await readdir(folder);
    const file = check(Discovery, JSON.parse(await readFile(join(folder, name ?? ''), 'utf8')), 'file');
    expect([file.address, file.tokens, file.pid]).toEqual([run.address, run.tokens, process.pid]);
    expect(await readdir(file.journal ?? '')).toContain('journal.json');
    await until(() => doneSteps(run) >= 1);
    await run.close();
    expect(await readdir(folder)).toEqual([]);
    const left = await readdir(join(root, 'run'));
    expect(left.sort()).toEqual(['checkpoint.bin', 'journal', 'run.json', 'tokens.json']);
    for (const each of left) expect((await stat(join(root, 'run', each))).mode & 0o077, each).toBe(0);
  });

  it('started again goes on: same run, tokens and port, next start, after the last step', async () => {
    const first = await start();
    await until(() => doneSteps(first) >= 2);
    const { run, incarnation } = first.job.describe();
    await first.close();
    const done = doneSteps(first);
    const second = await start();
    expect(second.job.describe().run).toEqual(run);
    expect(second.job.describe().incarnation.number).toBe(incarnation.number + 1);
    expect([second.tokens, second.address, second.resumedAfter]).toEqual([first.tokens, first.address, done]);
    await until(() => doneSteps(second) > done);
  });

  it('answers the text of a node of an earlier start from the journal', async () => {
    const first = await start();
    await until(() => doneSteps(first) >= 1);
    const [node] = first.job.state.memory.allNodes();
    const before = await first.job.reads.tokens({ node: node!.id, from: 0, to: 500 });
    await first.close();
    const second = await start();
    const after = await second.job.reads.tokens({ node: node!.id, from: 0, to: 500 });
    expect(after.text).toBe(before.text);
    expect([after.ids, after.entropy]).toEqual([before.ids, before.entropy]);
    await expect(
      Promise.resolve(second.job.reads.tokens({ node: 's1.nobody.n0', from: 0, to: 1 })),
    ).rejects.toThrow(/no text/);
  });

  it('ends after its last step, and goes on for more when it is started again without a wish', async () => {
    const run = await start('--steps', '1');
    await run.done;
    expect(run.job.state.ended).toBe(true);
    await run.close();
    const again = await serveRun(
      { ...parseCommandLine([]), dir: join(root, 'run') },
      smallPolicy(),
      realClock,
    );
    served.push(again);
    expect(again.job.state.settings.steps).toBe(401);
    expect(again.job.state.settings.promptsPerStep).toBe(2);
    await until(() => doneSteps(again) >= 2);
  });
});

describe('a start that cannot be', () => {
  it('says that another process holds the folder', async () => {
    const run = await start();
    await run.close();
    const lock = { pid: process.ppid, bootId: readBootId() };
    await writeFile(join(root, 'run', 'lock'), JSON.stringify(lock));
    await expect(start()).rejects.toThrow(new RegExp(`Process ${process.ppid} runs in`));
  });

  it('takes over the lock that a killed process left', async () => {
    const run = await start();
    await run.close();
    await writeFile(join(root, 'run', 'lock'), JSON.stringify({ pid: 2 ** 22 - 1, bootId: readBootId() }));
    await start();
  });

  it('says that the port is taken; without a wish it takes another one', async () => {
    const first = await start();
    await first.close();
    const port = Number(new URL(first.address).port);
    const other: Server = createServer();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    try {
      await expect(start('--port', String(port))).rejects.toThrow(`Port ${port} of 127.0.0.1 cannot be had`);
      const second = await start();
      expect(second.address).not.toBe(first.address);
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
  });

  it('says that the seed cannot change, and what to do about files that cannot be used', async () => {
    const run = await start('--seed', '4');
    await until(() => doneSteps(run) >= 1);
    await run.close();
    await expect(start('--seed', '5')).rejects.toThrow(/begun with seed 4/);
    const path = join(root, 'run', 'checkpoint.bin');
    const whole = await readFile(path);
    await writeFile(path, whole.subarray(0, whole.length - 9));
    await expect(start()).rejects.toThrow(/checkpoint.bin cannot be used .*Move it away/);
    await writeFile(path, whole);
    await writeFile(join(root, 'run', 'control.json'), '{"version":7}');
    await expect(start()).rejects.toThrow(/control.json is not what this version writes/);
  });

  it('says that other machines need a certificate', async () => {
    await expect(start('--host', '0.0.0.0')).rejects.toThrow(/--tls-cert/);
  });
});
