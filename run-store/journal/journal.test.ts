import { mkdtemp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { viewOf } from '../queries/answer';
import { textPath, textView } from '../queries/text';
import { RunStore } from '../runStore';
import { dump } from '../testing/dump';
import { coverageJournals } from '../testing/coverageJournals';
import { goldenJournals } from '../testing/goldenJournals';
import { JournalError } from './journalError';
import { JournalReader } from './journalReader';
import { loadJournal, loadSteps } from './loadJournal';

const GOLDEN = join(import.meta.dirname, '../../test/golden/journal-v1');
const COVERAGE = join(import.meta.dirname, '../../test/golden/coverage-v1');
const golden = (name: string) => JournalReader.open(join(GOLDEN, name));

async function load(reader: JournalReader): Promise<RunStore> {
  const store = new RunStore();
  await loadJournal(reader, store);
  return store;
}

const scratch: string[] = [];
afterEach(async () => {
  for (const folder of scratch.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A golden journal in a folder of its own, to be damaged. */
async function copyOf(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'));
  scratch.push(folder);
  for (const [path, content] of goldenJournals()) {
    if (!path.startsWith(`${name}/`)) continue;
    const file = join(folder, path.slice(name.length + 1));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return folder;
}

async function problemOf(folder: string): Promise<JournalError> {
  try {
    await JournalReader.open(folder);
  } catch (error) {
    if (error instanceof JournalError) return error;
    throw error;
  }
  throw new Error('it was opened');
}

describe('golden journals', () => {
  it('stand on disk as the script writes them', async () => {
    for (const [path, content] of goldenJournals()) {
      expect((await readFile(join(GOLDEN, path))).equals(content), path).toBe(true);
    }
    for (const [path, content] of coverageJournals()) {
      expect((await readFile(join(COVERAGE, path))).equals(content), path).toBe(true);
    }
  });

  it('give the whole run: two starts, three segments, the ledger, the texts', async () => {
    const reader = await golden('two-starts');
    const store = await load(reader);
    expect(reader.problems).toEqual([]);
    expect(reader.manifest.run.name).toBe('golden run');
    expect(store.incarnations.map(({ start }) => start.id)).toEqual(['golden-1', 'golden-2']);
    expect(store.steps().map(({ step }) => step.number)).toEqual([1, 2, 3, 4]);
    expect(viewOf(store, 'overview', { step: 2 })!.ledger).toMatchObject({
      launched: 3,
      finished: 2,
      killed: 1,
      killedBy: { restarted: 1 },
      noGradient: 2,
    });
    const path = textPath(store, { rollout: 'r-2', from: 0, to: 100 })!;
    const { record, node } = path.pieces[0]!;
    const text = await reader.readText(record!.incarnation, record!.segment, record!.offset, record!.bytes);
    const view = textView(path, '', new Map([[node, { from: 0, to: text.offsets.length, ...text }]]));
    expect(view.pieces[0]!.text).toBe('一、二。');
  });

  it('cut a torn last line, say so, and keep all before it', async () => {
    const reader = await golden('torn');
    const store = await load(reader);
    expect(reader.problems).toMatchObject([{ kind: 'torn', incarnation: 2, segment: 1 }]);
    expect(reader.problems[0]!.sentence).toMatch(/unfinished line of \d+ bytes; it was cut/);
    expect(store.steps().map(({ step }) => step.number)).toEqual([1, 2, 3, 4]);
    expect(store.findStep(4)!.step.metrics.size).toBe(0);
  });

  it('are the same without their index', async () => {
    const without = await golden('no-index');
    expect(await without.steps(1)).toEqual([1, 2]);
    expect(dump(await load(without))).toBe(dump(await load(await golden('two-starts'))));
  });

  it('of a later version say which one and what to do', async () => {
    const problem = await problemOf(join(GOLDEN, 'later-version'));
    expect(problem.code).toBe('otherVersion');
    expect(problem.whatToDo).toMatch(/Update Rolloutscope/);
  });
});

describe('steps out of a journal', () => {
  it.each(['two-starts', 'no-index', 'torn'])('come again into a store of their own (%s)', async (name) => {
    const reader = await golden(name);
    const run = await load(reader);
    const history = (await loadSteps(reader, run, { incarnation: 1, from: 2, to: 2 }))!;
    const params = { group: 'g-2', prompt: null, step: null, rule: null };
    const tree = viewOf(history, 'tree', params)!;
    expect(tree).toEqual(viewOf(run, 'tree', params));
    const first = (await loadSteps(reader, run, { incarnation: 1, from: 1, to: 1 }))!;
    expect(viewOf(first, 'tree', { ...params, group: 'g-1' })!.excerpt).toMatch(/Wälder/);
    expect(await loadSteps(reader, run, { incarnation: 7, from: 1, to: 1 })).toBeNull();
  });

  it('are found after the last index line, too', async () => {
    expect(await (await golden('torn')).steps(2)).toEqual([3, 4]);
  });
});

describe('a journal that is not right', () => {
  it.each([
    ['a folder without a manifest', 'notAJournal', (folder: string) => rm(join(folder, 'journal.json'))],
    ['an empty manifest', 'notAJournal', (folder: string) => truncate(join(folder, 'journal.json'))],
    [
      'another manifest',
      'notAJournal',
      (folder: string) => writeFile(join(folder, 'journal.json'), '{"a":1}'),
    ],
    ['no JSON', 'notAJournal', (folder: string) => writeFile(join(folder, 'journal.json'), 'hello')],
    [
      'a manifest without its run',
      'notAJournal',
      (folder: string) =>
        writeFile(join(folder, 'journal.json'), '{"format":"rolloutscope-journal","version":1}'),
    ],
    [
      'no events',
      'empty',
      async (folder: string) => {
        await rm(join(folder, 'incarnation-0001'), { recursive: true });
        await truncate(join(folder, 'incarnation-0002/segment-000001.jsonl'));
      },
    ],
  ] as const)('%s is told to a person', async (_, code, damage) => {
    const folder = await copyOf('two-starts');
    await damage(folder);
    const problem = await problemOf(folder);
    expect(problem.code).toBe(code);
    for (const part of [problem.what, problem.meaning, problem.whatToDo]) expect(part).toMatch(/^\S.*\.$/);
  });

  it('a missing folder and a file are told apart', async () => {
    expect((await problemOf(join(GOLDEN, 'nowhere'))).code).toBe('missing');
    expect((await problemOf(join(GOLDEN, 'torn/journal.json'))).code).toBe('notAFolder');
  });

  it('goes on with the next segment after damage in the middle', async () => {
    const folder = await copyOf('two-starts');
    const file = join(folder, 'incarnation-0001/segment-000001.jsonl');
    const lines = (await readFile(file, 'utf8')).split('\n');
    lines[2] = '{"from":1,';
    await writeFile(file, lines.join('\n'));
    const reader = await JournalReader.open(folder);
    const store = await load(reader);
    expect(reader.problems).toMatchObject([{ kind: 'damaged', incarnation: 1, segment: 1 }]);
    expect(store.steps().map(({ step }) => step.number)).toEqual([2, 3, 4]);
    expect(
      viewOf(store, 'tree', { group: 'g-2', prompt: null, step: null, rule: null })!.rollouts.id,
    ).toContain('r-3');
  });

  it('says that a segment is missing', async () => {
    const folder = await copyOf('two-starts');
    await rm(join(folder, 'incarnation-0001/segment-000001.jsonl'));
    const reader = await JournalReader.open(folder);
    await load(reader);
    expect(reader.problems).toMatchObject([{ kind: 'missingSegment', incarnation: 1, segment: 1 }]);
  });

  it('says that a text is not there', async () => {
    const reader = await golden('two-starts');
    await expect(reader.readText(1, 1, 10_000_000, 20)).rejects.toThrow(/The text is not in/);
    await expect(reader.readText(1, 1, 1, 20)).rejects.toThrow(/stands something else/);
    await expect(reader.readText(1, 9, 0, 20)).rejects.toThrow(JournalError);
  });
});

describe('reading', () => {
  it('tells how far it is and stops when it is told to', async () => {
    const reader = await golden('two-starts');
    const shares: number[] = [];
    await loadJournal(reader, new RunStore(), { onProgress: (share) => shares.push(share) });
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    const stop = new AbortController();
    stop.abort(new Error('closed'));
    await expect(loadJournal(reader, new RunStore(), { signal: stop.signal })).rejects.toThrow('closed');
  });
});
