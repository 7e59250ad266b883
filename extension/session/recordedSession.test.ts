import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Problem } from './problems';
import { openRecorded } from './recordedSession';
import type { ModelHost } from './runModel';

const GOLDEN = join(import.meta.dirname, '..', '..', 'test', 'golden', 'journal-v1');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recorded-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function openFolder(path: string) {
  const shares: number[] = [];
  const problems: Problem[] = [];
  let done: () => void = () => undefined;
  const whole = new Promise<void>((resolve) => (done = resolve));
  const quiet = () => undefined;
  const host: ModelHost = {
    read: () => Promise.reject(new Error('a recorded run asks no job')),
    onChanged: quiet,
    onRead: (share) => {
      shares.push(share);
      if (share === 1) done();
    },
    onResults: quiet,
    onProblem: (problem) => {
      problems.push(problem);
      done();
    },
    log: { error: quiet, warn: quiet, info: quiet, debug: quiet },
  };
  const model = await openRecorded(path, host);
  await whole;
  return { model, shares, problems };
}

describe('a recorded run', () => {
  it('is read to its end, with the run’s name, its steps and its texts', async () => {
    const { model, shares, problems } = await openFolder(join(GOLDEN, 'two-starts'));
    expect(problems).toEqual([]);
    expect(shares.at(-1)).toBe(1);
    expect(model.start()?.run.id).toBeTruthy();
    const steps = model.view('steps', { limit: 100 });
    expect(steps?.total).toBeGreaterThan(0);
    const oldest = steps!.rows.at(-1)!.step;
    const tree = model.view('tree', { group: null, prompt: null, step: oldest, rule: null });
    const rollout = tree?.rollouts.id[0];
    expect(rollout).toBeDefined();
    const text = await model.query('text', { rollout: rollout!, from: 0, to: 1000 });
    expect(text.pieces.map((piece) => piece.text).join('')).not.toBe('');
  });

  it('that was cut by a crash is read up to there', async () => {
    const { model, problems } = await openFolder(join(GOLDEN, 'torn'));
    expect(problems).toEqual([]);
    expect(model.view('steps', { limit: 100 })?.total).toBeGreaterThan(0);
  });

  it('that is none is told as a problem with what to do', async () => {
    const { problems, model } = await openFolder(folder);
    expect(problems).toMatchObject([{ kind: 'journal' }]);
    expect(problems[0]!.detail).toContain('journal.json');
    expect(model.summary().step).toBeNull();
  });

  it('of another version is told as such', async () => {
    const { problems } = await openFolder(join(GOLDEN, 'later-version'));
    expect(problems).toMatchObject([{ kind: 'journal' }]);
  });
});
