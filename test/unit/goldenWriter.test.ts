import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { incarnationFolder, SegmentHead, segmentName, TextRecord } from '../../protocol/journal/format';
import type { Batch } from '../../protocol/wire/batch';
import { RawBatch } from '../../protocol/wire/reads';
import { check } from '../../protocol/wire/rpc';
import { JournalWriter } from '../../sample-run/server/journalWriter';

const GOLDEN = join(import.meta.dirname, '../golden/journal-v1/two-starts');
const folder = mkdtempSync(join(tmpdir(), 'golden-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = (root: string, incarnation: number, part: 'jsonl' | 'texts' | 'index'): unknown[] =>
  readFileSync(join(root, incarnationFolder(incarnation), segmentName(1, part)), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));

/** A batch as the job has it, before the journal says where its texts are. */
function withoutPlaces(batch: Batch): Batch {
  const closed = batch.events['nodeClosed'];
  if (closed === undefined) return batch;
  const columns = Object.entries(closed).filter(([name]) => name !== 'textOffset' && name !== 'textBytes');
  return { ...batch, events: { ...batch.events, nodeClosed: Object.fromEntries(columns) } };
}

describe.each([1, 2])('the sample run’s journal writer, start %i', (incarnation) => {
  it('reproduces the golden segment: head, batches with their places, texts, index', async () => {
    const [first, ...rest] = lines(GOLDEN, incarnation, 'jsonl');
    const head = check(SegmentHead, first, 'head');
    const texts = lines(GOLDEN, incarnation, 'texts').map((line) => check(TextRecord, line, 'text'));
    const writer = new JournalWriter({
      folder,
      context: {
        incarnation: head.incarnation,
        successThreshold: head.successThreshold,
        sampling: head.sampling,
      },
      onStopped: (reason) => expect.unreachable(reason),
    });
    const strings: string[] = [...head.strings];
    for (const raw of rest) {
      const batch = check(RawBatch, raw, 'batch');
      const known = strings.length;
      strings.push(...(batch.strings?.values ?? []));
      const closed = batch.events['nodeClosed']?.['textBytes'] ?? [];
      const own = closed.map((bytes) => (bytes === null ? null : (texts.shift() ?? null)));
      const plain = withoutPlaces(batch);
      writer.batch(plain, JSON.stringify(plain), own, strings, known);
    }
    await writer.close();
    expect(texts).toEqual([]);
    for (const part of ['jsonl', 'texts', 'index'] as const) {
      expect(lines(folder, incarnation, part)).toEqual(lines(GOLDEN, incarnation, part));
    }
  });
});
