import {
  type JournalManifest,
  JOURNAL_VERSION,
  MANIFEST_NAME,
  type SegmentHead,
  type TextRecord,
  incarnationFolder,
  segmentName,
} from '../../protocol/journal/format';
import type { Batch } from '../../protocol/wire/batch';
import { BatchBuilder } from '../../protocol/wire/batchBuilder';
import type { EventFields } from '../../protocol/wire/event';
import type { EventName } from '../../protocol/wire/events';

/**
 * Small journals, written here and by no writer of the project, so that readers are held to the format and not to
 * a writer. Path below test/golden/journal-v1 → content. `npx tsx run-store/testing/writeGoldenJournals.ts` writes
 * them; a test compares what is on disk.
 */
export function goldenJournals(): ReadonlyMap<string, Buffer> {
  const whole = twoStarts();
  const files = new Map<string, Buffer>();
  for (const [path, content] of whole) files.set(`two-starts/${path}`, content);
  for (const [path, content] of torn(whole)) files.set(`torn/${path}`, content);
  for (const [path, content] of whole) {
    if (!path.endsWith('.index')) files.set(`no-index/${path}`, content);
  }
  files.set('later-version/journal.json', Buffer.from('{"format":"rolloutscope-journal","version":2}\n'));
  return files;
}

const LAST_SEGMENT = `${incarnationFolder(2)}/${segmentName(1, 'jsonl')}`;

/** The process was killed while it wrote the last line, before the index line of the last step. */
function torn(whole: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  const files = new Map(whole);
  const lines = files.get(LAST_SEGMENT)!;
  files.set(LAST_SEGMENT, lines.subarray(0, lines.length - 25));
  files.set(`${incarnationFolder(2)}/${segmentName(1, 'index')}`, Buffer.alloc(0));
  return files;
}

const MANIFEST: JournalManifest = {
  format: 'rolloutscope-journal',
  version: JOURNAL_VERSION,
  run: { id: 'golden', name: 'golden run', framework: 'none', startedAt: 1_700_000_000_000 },
};

function twoStarts(): Map<string, Buffer> {
  const files = new Map<string, Buffer>([[MANIFEST_NAME, Buffer.from(`${JSON.stringify(MANIFEST)}\n`)]]);
  const first = new Life(files, 1);
  first.add('runState', { state: 'running' });
  first.add('promptDeclared', { prompt: 'p-1', difficulty: 'easy', excerpt: 'Wie viele Wälder? 森はいくつ' });
  first.step(1);
  first.group('g-1', 'p-1', 1, [
    ['r-1', 'Eins, zwei.', 1],
    ['r-2', '一、二。', 0],
  ]);
  first.endStep(1);
  first.nextSegment();
  first.step(2);
  first.group('g-2', 'p-2', 2, [
    ['r-3', 'three', 1],
    ['r-4', 'four', 1],
  ]);
  first.add('steering', {
    command: 'c-1',
    action: 'pause',
    state: 'applied',
    author: 'lin',
    connection: '1',
    scope: 'steer',
    sentence: 'pause at the step boundary',
  });
  first.endStep(2);
  first.add('groupOpened', { group: 'g-3', prompt: 'p-1', step: 2, planned: 1 });
  first.add('rolloutOpened', { rollout: 'r-5', group: 'g-3', origin: 'sampled', use: 'train' });
  first.line();
  first.close();
  const second = new Life(files, 2);
  second.step(3);
  second.group('g-1', 'p-1', 3, [['r-1', 'again', 1]]);
  second.add('evaluation', {
    evaluation: 'e-1',
    name: 'held-out',
    step: 3,
    policyVersion: 3,
    sampling: { temperature: 1 },
    problems: { prompts: ['h-1', 'h-2'], n: [4, 4], c: [1, 3] },
  });
  second.endStep(3);
  second.step(4);
  second.add('metric', { name: 'throughput', value: 12.5, step: 4 });
  second.line();
  second.close();
  return files;
}

/** One incarnation, written line by line as JOURNAL.md has it. */
export class Life {
  private readonly builder = new BatchBuilder();
  private segment = 0;
  private lines: Buffer[] = [];
  private texts: Buffer[] = [];
  private index = '';
  private pending: TextRecord[] = [];
  private t = 0;

  constructor(
    private readonly files: Map<string, Buffer>,
    private readonly incarnation: number,
  ) {
    this.nextSegment();
  }

  add<K extends EventName>(kind: K, fields: EventFields<K>): void {
    this.t += 5;
    this.builder.add(kind, this.t, fields);
  }

  step(step: number): void {
    this.line();
    this.add('stepOpened', { step, policyVersion: step, planned: 2 });
    this.line();
  }

  endStep(step: number): void {
    this.add('stepClosed', { step, policyVersion: step + 1, seconds: 0.5, tokens: 10 });
    this.line();
  }

  group(
    group: string,
    prompt: string,
    step: number,
    rollouts: readonly (readonly [string, string, number])[],
  ): void {
    this.add('groupOpened', { group, prompt, step, planned: rollouts.length });
    for (const [rollout] of rollouts) {
      this.add('rolloutOpened', { rollout, group, origin: 'sampled', use: 'train' });
      this.add('nodeOpened', { node: `${rollout}.n`, rollout, kind: 'tokens', origin: 'sampled' });
    }
    this.line();
    for (const [rollout, text, reward] of rollouts) {
      const offsets = Array.from({ length: Math.ceil(text.length / 2) }, (_, i) => 2 * i);
      this.pending.push({ node: `${rollout}.n`, text, offsets, ids: offsets.map((_, i) => i) });
      this.add('nodeClosed', {
        node: `${rollout}.n`,
        length: offsets.length,
        ending: 'finished',
        entropy: 0.5,
      });
      this.add('rolloutClosed', { rollout, ending: 'finished', length: offsets.length, reward });
    }
    const launched = rollouts.length;
    this.add('groupClosed', { group, launched, finished: launched, discarded: 0, killed: 0, carriedOver: 0 });
    this.line();
  }

  /** Writes what was added as one line. */
  line(): void {
    const batch = this.builder.take(this.t);
    if (!batch) return;
    const offset = this.lines.reduce((sum, { length }) => sum + length, 0);
    const placed = this.pending.length > 0 ? this.placeTexts(batch) : batch;
    this.lines.push(Buffer.from(`${JSON.stringify(placed)}\n`));
    const opened = batch.events['stepOpened'];
    opened?.['step']?.forEach((step, row) => {
      this.index += `${JSON.stringify({ step, seq: opened['seq']![row], offset })}\n`;
    });
  }

  nextSegment(): void {
    if (this.segment > 0) this.close();
    this.segment += 1;
    const head: SegmentHead = {
      journal: JOURNAL_VERSION,
      segment: this.segment,
      incarnation: {
        number: this.incarnation,
        id: `golden-${this.incarnation}`,
        startedAt: 1_700_000_000_000 + 60_000 * this.incarnation,
      },
      firstSeq: this.builder.head + 1,
      successThreshold: 0.5,
      sampling: { temperature: 1, topP: 1 },
      strings: [...this.builder.strings],
    };
    this.lines = [Buffer.from(`${JSON.stringify(head)}\n`)];
    this.texts = [];
    this.index = '';
  }

  close(): void {
    this.line();
    const path = (part: 'jsonl' | 'texts' | 'index') =>
      `${incarnationFolder(this.incarnation)}/${segmentName(this.segment, part)}`;
    this.files.set(path('jsonl'), Buffer.concat(this.lines));
    this.files.set(path('texts'), Buffer.concat(this.texts));
    this.files.set(path('index'), Buffer.from(this.index));
  }

  private placeTexts(batch: Batch): Batch {
    const textOffset: number[] = [];
    const textBytes: number[] = [];
    for (const record of this.pending) {
      const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
      textOffset.push(this.texts.reduce((sum, { length }) => sum + length, 0));
      textBytes.push(bytes.length);
      this.texts.push(bytes);
    }
    this.pending = [];
    return {
      ...batch,
      events: { ...batch.events, nodeClosed: { ...batch.events['nodeClosed'], textOffset, textBytes } },
    };
  }
}
