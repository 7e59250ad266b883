import { readdir, stat, truncate, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../extension/session/clock';
import { LiveSession } from '../../extension/session/liveSession';
import { openModel } from '../../extension/session/openModel';
import type { ModelHost } from '../../extension/session/runModel';
import { connectWebSocket } from '../../extension/session/webSocketTransport';
import { realClock } from '../../sample-run/clock';
import { parseCommandLine } from '../../sample-run/commandLine';
import { smallPolicy } from '../../sample-run/job/jobHarness';
import { serveRun, type ServedRun } from '../../sample-run/serveRun';

let root: string;
const open: (() => unknown)[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'earlier-starts-'));
  vi.stubEnv('XDG_RUNTIME_DIR', root);
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  vi.unstubAllEnvs();
  await rm(root, { recursive: true, force: true });
});

const SMALL = '--prompts-per-step 2 --group-size 3 --pace 1 --steps 500 --allocation uniform'.split(' ');

async function start(): Promise<ServedRun> {
  const run = await serveRun(
    { ...parseCommandLine(SMALL), dir: join(root, 'run') },
    smallPolicy(),
    realClock,
  );
  open.push(() => run.close());
  return run;
}

/** What a window that attaches now has of the run. */
async function attach(run: ServedRun) {
  const silent = () => undefined;
  const host: ModelHost = {
    read: (name, params) => session.read(name, params),
    onChanged: silent,
    onRead: silent,
    onProblem: silent,
    onResults: silent,
    log: { error: silent, warn: silent, info: silent, debug: silent },
  };
  const target = { address: run.address, token: run.tokens.steer };
  const client = { name: 'test', version: '0' };
  const model = await openModel({ kind: 'live', target, client }, host);
  const session: LiveSession = new LiveSession(target, model, {
    connect: connectWebSocket,
    clock: systemClock,
    random: Math.random,
    client,
    log: host.log,
    onChange: silent,
  });
  open.push(() => {
    session.dispose();
  });
  session.connectNow();
  return { model, session };
}

const LONG = { timeout: 20_000, interval: 20 };

describe('a sample run that was killed and started again', () => {
  it('is whole in a window that attaches afresh: steps, evaluations and steering record of both starts', async () => {
    const first = await start();
    const before = await attach(first);
    await expect.poll(() => before.session.connectionReport.state, LONG).toBe('live');
    await before.session.steer('allocate', {
      commandId: 'm1',
      author: 'ada',
      reason: 'to compare',
      incarnation: first.job.describe().incarnation.number,
      subjects: [{ type: 'run', id: first.job.describe().run.id }],
      rollouts: { set: 4 },
      charge: 'extra',
    });
    await expect.poll(() => first.job.state.doneStep, LONG).toBeGreaterThanOrEqual(2);
    const steps = before.model.view('steps', { limit: 100 })!;
    expect(steps.evaluations.map(({ step }) => step)).toContain(0);
    before.session.dispose();
    await first.close();
    // A killed process leaves half a line.
    const folder = join(root, 'run', 'journal', 'incarnation-0001');
    const last = (await readdir(folder))
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .at(-1)!;
    const { size } = await stat(join(folder, last));
    await truncate(join(folder, last), size - 9);

    const second = await start();
    await expect.poll(() => second.job.state.doneStep, LONG).toBeGreaterThan(first.job.state.doneStep);
    const { model } = await attach(second);
    const rows = () => model.view('steps', { limit: 100 })?.rows ?? [];
    await expect
      .poll(
        () =>
          rows()
            .filter(({ incarnation }) => incarnation === 1)
            .map(({ step }) => step),
        LONG,
      )
      .toEqual(expect.arrayContaining([2, 1]));
    expect(rows().some(({ incarnation }) => incarnation === 2)).toBe(true);
    const atOne = rows().find(({ step }) => step === 1);
    expect(atOne).toEqual(steps.rows.find(({ step }) => step === 1));
    expect(rows().filter(({ incarnation, open }) => incarnation === 1 && open)).toEqual([]);
    const after = model.view('steps', { limit: 100 })!;
    expect(after.evaluations.find(({ step }) => step === 0)).toEqual(
      steps.evaluations.find(({ step }) => step === 0),
    );
    const [record] = model.view('steering', { limit: 9 })!.rows.filter(({ command }) => command === 'm1');
    expect(record).toMatchObject({ author: 'ada', reason: 'to compare', state: 'applied', incarnation: 1 });
  });
});
