import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeBatch, forEachInOrder } from '../../protocol/wire/batch';
import { readEvent } from '../../protocol/wire/readEvent';
import { StringTable } from '../../protocol/wire/stringTable';
import { realDisk, type AppendDisk } from './appendFiles';
import { snapshotPage, stepsPage } from './batchPages';
import { listSegments, readBatches, readHead, readIndex, readText } from './journalFolder';
import { JournalWriter, openJournalFolder, type JournalOptions } from './journalWriter';
import { ManualClock } from './manualClock';
import { Publisher } from './publisher';

let folder: string;
let journals: JournalWriter[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'));
});
afterEach(async () => {
  for (const journal of journals) await journal.close();
  journals = [];
  await rm(folder, { recursive: true, force: true });
});

const context = (number: number) => ({
  incarnation: { number, id: `start-${number}`, startedAt: 0 },
  successThreshold: 1,
  sampling: { temperature: 1 },
});

function make(options: Partial<JournalOptions> = {}, number = 1, holdBytes = 1e9) {
  const publisher = new Publisher({ clock: new ManualClock(), flushMs: 1e6, holdBytes });
  const stopped: string[] = [];
  const journal = new JournalWriter({
    folder,
    context: context(number),
    onStopped: (reason) => stopped.push(reason),
    ...options,
  });
  publisher.attach(journal);
  journals.push(journal);
  const step = (number: number): void => {
    publisher.add('stepOpened', { step: number, policyVersion: 0, planned: 2 });
    for (const node of [`s${number}a`, `s${number}b`]) {
      publisher.add('nodeOpened', { node, rollout: `r${node}`, kind: 'tokens', origin: 'sampled' });
      publisher.addNodeClosed(
        { node, length: 2, ending: 'finished' },
        { node, text: `⊕ ${node}`, offsets: [0, 1], ids: [1, 2] },
      );
    }
    publisher.flush();
  };
  return { publisher, journal, stopped, step };
}

async function readBack(incarnation: number) {
  const events: { kind: string; seq: number; fields: Record<string, unknown>; segment: number }[] = [];
  const strings = new StringTable();
  for (const segment of await listSegments(folder, incarnation)) {
    const head = await readHead(folder, incarnation, segment);
    expect(head.strings).toEqual(strings.values);
    for await (const line of readBatches(folder, incarnation, segment, 0)) {
      const batch = decodeBatch(line.batch, strings);
      forEachInOrder(batch, (kind, row) => events.push({ ...readEvent(kind, row, strings), segment }));
    }
  }
  return events;
}

describe('the journal', () => {
  it('holds the stream over segments that can each be read alone, with texts at their places', async () => {
    const { journal, step, publisher, stopped } = make({ segmentBytes: 2000 });
    for (let i = 0; i < 12; i++) step(i);
    await journal.flush();
    expect(stopped).toEqual([]);
    expect(journal.lastSeq).toBe(publisher.head);
    const events = await readBack(1);
    expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    const segments = await listSegments(folder, 1);
    expect(segments.length).toBeGreaterThan(2);
    for (const { kind, fields, segment } of events) {
      if (kind !== 'nodeClosed') continue;
      const place = { segment, offset: Number(fields['textOffset']), bytes: Number(fields['textBytes']) };
      expect(journal.placeOf(String(fields['node']))).toEqual(place);
      expect((await readText(folder, 1, place)).text).toBe(`⊕ ${String(fields['node'])}`);
    }
    const index = (await Promise.all(segments.map((segment) => readIndex(folder, 1, segment)))).flat();
    expect(index.map((line) => line.step)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    await journal.close();
  });

  it('goes on in a folder of its own after a restart, whatever a crash left of the last line', async () => {
    const first = make();
    first.step(0);
    first.step(1);
    await first.journal.close();
    const path = join(folder, 'incarnation-0001', 'segment-000001.jsonl');
    const whole = await readFile(path);
    await writeFile(path, whole.subarray(0, whole.length - 7));
    const { nextIncarnation } = await openJournalFolder(folder, { id: 'r', name: 'r', startedAt: 0 });
    expect(nextIncarnation).toBe(2);
    const second = make({}, nextIncarnation);
    second.step(1);
    await second.journal.close();
    expect((await readBack(1)).map((event) => event.seq)).toEqual([1, 2, 3, 4, 5]);
    expect(await readBack(2)).toHaveLength(5);
    const again = await openJournalFolder(folder, { id: 'other', name: 'other', startedAt: 9 });
    expect(again.manifest.run.id).toBe('r');
  });

  it('stops at a full disk, says so once, and the stream goes on', async () => {
    let room = 3000;
    const full: AppendDisk = {
      open: async (path) => {
        const file = await realDisk.open(path);
        return {
          close: () => file.close(),
          append: async (data) => {
            room -= data.length;
            if (room < 0) throw new Error('ENOSPC: no space left on device, write');
            await file.append(data);
          },
        };
      },
    };
    const { journal, step, stopped, publisher } = make({ disk: full });
    for (let i = 0; i < 20; i++) step(i);
    await journal.flush();
    expect(stopped).toEqual(['ENOSPC: no space left on device, write']);
    expect(journal.stopped).toBe(true);
    expect(publisher.held.head).toBe(100);
    const kept = await readBack(1);
    expect(kept.at(-1)?.seq).toBe(journal.lastSeq);
    expect(kept.length).toBeGreaterThan(0);
  });

  it('stops instead of filling the memory when the disk hangs', async () => {
    let let_go: () => void = () => undefined;
    const hang = new Promise<void>((resolve) => (let_go = resolve));
    const { step, stopped } = make({
      queueBytes: 5000,
      disk: { open: () => Promise.resolve({ append: () => hang, close: () => Promise.resolve() }) },
    });
    for (let i = 0; i < 50; i++) step(i);
    expect(stopped).toHaveLength(1);
    let_go();
    await Promise.resolve();
  });
});

describe('pages', () => {
  async function snapshot(sources: Parameters<typeof snapshotPage>[1], fromStep?: number) {
    const strings = new StringTable();
    const events: { kind: string; seq: number; fields: Record<string, unknown> }[] = [];
    let next = 1;
    let cursor: string | null = null;
    for (;;) {
      const page: Awaited<ReturnType<typeof snapshotPage>> = await snapshotPage(
        { ...(cursor === null ? {} : { cursor }), ...(fromStep === undefined ? {} : { fromStep }) },
        sources,
      );
      for (const batch of page.batches) {
        const decoded = decodeBatch(batch, strings);
        expect(decoded.from).toBe(next);
        next = decoded.to + 1;
        forEachInOrder(decoded, (kind, row) => events.push(readEvent(kind, row, strings)));
      }
      expect(page.stringsSoFar).toBe(strings.size);
      if (page.next === null) return { events, seq: page.seq, next };
      cursor = page.next;
    }
  }

  it('the snapshot is the whole run, also where memory holds only its end', async () => {
    const { publisher, journal, step } = make({ segmentBytes: 3000 }, 1, 1500);
    for (let i = 0; i < 30; i++) step(i);
    expect(publisher.held.firstSeq).toBeGreaterThan(50);
    const { events, seq, next } = await snapshot({
      publisher,
      journal,
      folder,
      incarnation: 1,
      pageBytes: 900,
    });
    expect([seq, next]).toEqual([150, 151]);
    expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 150 }, (_, i) => i + 1));
    expect(events.some((event) => 'textOffset' in event.fields)).toBe(false);
  });

  it('from a step on it leaves the older steps out, not the run’s own events', async () => {
    const { publisher, journal, step } = make();
    publisher.add('promptDeclared', { prompt: 'p' });
    for (let i = 0; i < 5; i++) step(i);
    const { events } = await snapshot({ publisher, journal, folder, incarnation: 1, pageBytes: 1 }, 3);
    expect(events.filter((e) => e.kind === 'promptDeclared')).toHaveLength(1);
    expect(events.filter((e) => e.kind === 'stepOpened').map((e) => e.fields['step'])).toEqual([3, 4]);
    expect(events.filter((e) => e.kind === 'nodeClosed')).toHaveLength(4);
  });

  it('without a journal the snapshot begins with what memory holds', async () => {
    const { publisher, step } = make({}, 1, 1500);
    for (let i = 0; i < 30; i++) step(i);
    const page = await snapshotPage({}, { publisher, journal: null, folder: null, incarnation: 1 });
    const strings = new StringTable();
    const seqs: number[] = [];
    for (const batch of page.batches) {
      forEachInOrder(decodeBatch(batch, strings), (kind, row) => seqs.push(kind.seq[row]!));
    }
    expect(seqs[0]).toBe(publisher.held.firstSeq);
    expect(seqs.at(-1)).toBe(150);
  });

  it('a cursor from elsewhere is refused', async () => {
    const { publisher, journal } = make();
    const sources = { publisher, journal, folder, incarnation: 1 };
    for (const cursor of ['x', '1.2', '1.2.3.4.5.-6', '', '1e9.1.1.1.1.1.1']) {
      await expect(snapshotPage({ cursor }, sources)).rejects.toThrow(/cursor/);
    }
  });

  it('steps of an earlier incarnation can be read with all the strings they need', async () => {
    const first = make({ segmentBytes: 2500 });
    for (let i = 0; i < 10; i++) first.step(i);
    await first.journal.close();
    const second = make({}, 2);
    const sources = { publisher: second.publisher, journal: second.journal, folder, incarnation: 2 };
    const strings = new StringTable();
    const events: { kind: string; fields: Record<string, unknown> }[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const params = { incarnation: 1, from: 6, to: 7, ...(cursor === '' ? {} : { cursor }) };
      const page: Awaited<ReturnType<typeof stepsPage>> = await stepsPage(params, {
        ...sources,
        pageBytes: 1,
      });
      for (const batch of page.batches) {
        forEachInOrder(decodeBatch(batch, strings), (kind, row) =>
          events.push(readEvent(kind, row, strings)),
        );
      }
      cursor = page.next;
    }
    expect(pages).toBeGreaterThan(1);
    expect(events.filter((e) => e.kind === 'stepOpened').map((e) => e.fields['step'])).toEqual([6, 7]);
    expect(events.filter((e) => e.kind === 'nodeClosed').map((e) => e.fields['node'])).toEqual([
      's6a',
      's6b',
      's7a',
      's7b',
    ]);
    await expect(stepsPage({ incarnation: 9, from: 1, to: 1 }, sources)).rejects.toThrow(/no start 9/);
    expect(await readdir(folder)).toContain('incarnation-0001');
  });

  it('the first step comes with what was said before it and with what the start was', async () => {
    const { publisher, journal, step } = make();
    publisher.add('promptDeclared', { prompt: 'p1', difficulty: 'hard' });
    publisher.flush();
    for (let i = 4; i < 7; i++) step(i);
    const sources = { publisher, journal, folder, incarnation: 1 };
    const kinds = async (from: number, to: number) => {
      const page = await stepsPage({ incarnation: 1, from, to }, sources);
      return { start: page.start, kinds: page.batches.flatMap((batch) => Object.keys(batch.events)) };
    };
    const all = await kinds(0, Number.MAX_SAFE_INTEGER);
    expect(all.start).toEqual(context(1));
    expect(all.kinds[0]).toBe('promptDeclared');
    expect(all.kinds.filter((kind) => kind === 'stepOpened')).toHaveLength(3);
    expect((await kinds(4, 4)).kinds).toContain('promptDeclared');
    expect((await kinds(5, 6)).kinds).not.toContain('promptDeclared');
    expect((await kinds(2, 3)).kinds).toEqual([]);
  });

  it('a start that opened no step is handed out whole', async () => {
    const { publisher, journal } = make();
    publisher.add('promptDeclared', { prompt: 'p1', difficulty: 'hard' });
    publisher.flush();
    const page = await stepsPage(
      { incarnation: 1, from: 0, to: 9 },
      { publisher, journal, folder, incarnation: 1 },
    );
    expect(page.batches.flatMap((batch) => Object.keys(batch.events))).toEqual(['promptDeclared']);
  });
});
