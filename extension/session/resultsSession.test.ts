import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoadedDumps } from '../../run-store/dumps/loadDumps';
import type { SuccessChoice } from '../../run-store/dumps/success';
import type { Problem } from './problems';
import { openResults } from './resultsSession';
import type { ModelHost } from './runModel';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'results-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function openFiles(files: readonly string[], choice: SuccessChoice = {}) {
  const shares: number[] = [];
  const quiet = () => undefined;
  return new Promise<{
    model: Awaited<ReturnType<typeof openResults>>;
    shares: number[];
    loaded: LoadedDumps | null;
    problem: Problem | null;
  }>((resolve, reject) => {
    let loaded: LoadedDumps | null = null;
    let finish: (problem: Problem | null) => void = quiet;
    const ended = new Promise<Problem | null>((end) => (finish = end));
    const host: ModelHost = {
      read: () => Promise.reject(new Error('files ask no job')),
      onChanged: quiet,
      onRead: (share) => {
        shares.push(share);
        if (share === 1) finish(null);
      },
      onResults: (results) => (loaded = results),
      onProblem: finish,
      log: { error: quiet, warn: quiet, info: quiet, debug: quiet },
    };
    openResults(files, choice, host).then(
      async (model) => {
        const problem = await ended;
        resolve({ model, shares, loaded, problem });
      },
      (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))),
    );
  });
}

describe('files of results', () => {
  it('are a run with the views of any other', async () => {
    const before = await write('step_0.csv', 'prompt,dataset,n,c\na,x,8,2\nb,x,8,2\n');
    const after = await write('step_5.csv', 'prompt,dataset,n,c\na,x,8,8\nb,x,8,0\n');
    const { model, shares, loaded, problem } = await openFiles([before, after]);
    expect(problem).toBeNull();
    expect(shares.at(-1)).toBe(1);
    expect(loaded).toMatchObject({ results: { rows: 4, used: 4, unusable: 0 } });
    expect(model.start()?.run).toMatchObject({ name: 'step_0.csv + 1' });
    const steps = model.view('steps', { limit: 10 });
    expect(
      steps?.evaluations.map(({ step, set, problems, passAt1 }) => [step, set, problems, passAt1]),
    ).toEqual([
      [5, 'x', 2, 0.5],
      [0, 'x', 2, 0.25],
    ]);
    const text = await model.query('text', { rollout: 'r', from: 0, to: 1 });
    expect(text.missing).toMatch(/not read from files/);
  });

  it('of many pieces are read as one, with progress', async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) =>
      JSON.stringify({ prompt_id: `p${i % 50}`, correct: i % 3 === 0, pad: 'x'.repeat(40) }),
    );
    const { shares, loaded } = await openFiles([await write('many.jsonl', rows.join('\n'))]);
    expect(loaded).toMatchObject({ results: { rows: 60_000, sets: [{ prompts: 50, samples: 60_000 }] } });
    expect(shares.filter((share) => share > 0 && share < 1).length).toBeGreaterThan(2);
    expect([...shares].sort((a, b) => a - b)).toEqual(shares);
  });

  it('ask what a success is before anything is counted', async () => {
    const path = await write('r.jsonl', '{"prompt": "p", "reward": 0.3}\n{"prompt": "p", "reward": 0.8}\n');
    const asked = await openFiles([path]);
    expect(asked.loaded).toMatchObject({ question: { asks: 'threshold' } });
    expect(asked.model.view('steps', { limit: 1 })?.evaluations).toEqual([]);
    const { model, loaded } = await openFiles([path], { threshold: 0.5 });
    expect(loaded).toMatchObject({ results: { sets: [{ samples: 2, threshold: 0.5 }] } });
    expect(model.start()?.successThreshold).toBe(0.5);
  });

  it('that are none, or are gone, are a problem with what was found and what was expected', async () => {
    const { problem } = await openFiles([await write('notes.txt', 'hello, world\n')]);
    expect(problem).toMatchObject({ kind: 'results' });
    expect(problem?.detail).toMatch(/fields hello, world.*Expected: a table/s);
    const gone = await openFiles([join(folder, 'gone.csv')]);
    expect(gone.problem).toMatchObject({
      kind: 'results',
      detail: expect.stringMatching(/ENOENT/) as string,
    });
  });
});
