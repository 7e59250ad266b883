import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Batch } from '../../protocol/wire/batch';
import { countEvents } from './batchShaping';
import { ManualClock } from './manualClock';
import { Publisher } from './publisher';

const add = (publisher: Publisher, step: number): number =>
  publisher.add('stepPhase', { step, phase: 'plan' });

describe('the publisher', () => {
  it('numbers events without gaps and hands every one on once, in batches of bounded size', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 200 }),
        fc.integer({ min: 1, max: 20 }),
        (flushes, batchEvents) => {
          const publisher = new Publisher({ clock: new ManualClock(), flushMs: 1e6, batchEvents });
          const batches: Batch[] = [];
          publisher.attach({ batch: (batch) => batches.push(batch) });
          flushes.forEach((flush, i) => {
            expect(add(publisher, i)).toBe(i + 1);
            if (flush) publisher.flush();
          });
          publisher.flush();
          let next = 1;
          for (const batch of batches) {
            expect(batch.from).toBe(next);
            expect(countEvents(batch)).toBeLessThanOrEqual(batchEvents);
            next = batch.to + 1;
          }
          expect(next).toBe(flushes.length + 1);
        },
      ),
    );
  });

  it('holds the newest batches within its bytes, and finds them by any seq they speak of', () => {
    const publisher = new Publisher({
      clock: new ManualClock(),
      flushMs: 1e6,
      batchEvents: 10,
      holdBytes: 3000,
    });
    for (let i = 0; i < 1000; i++) add(publisher, i);
    const { held } = publisher;
    expect(held.head).toBe(1000);
    expect(held.firstSeq).toBeGreaterThan(800);
    let bytes = 0;
    for (let seq = held.firstSeq; seq <= held.head; seq++) {
      const entry = held.at(seq)!;
      expect(entry.batch.from <= seq && seq <= entry.batch.to).toBe(true);
      if (entry.batch.from === seq) bytes += entry.bytes;
    }
    expect(bytes).toBeLessThanOrEqual(3000);
    expect(held.at(held.firstSeq - 1)).toBe(null);
    expect(held.at(1001)).toBe(null);
  });

  it('closes a batch by itself after a while', async () => {
    const publisher = new Publisher({ clock: new ManualClock(), flushMs: 1 });
    const seen = new Promise<Batch>((resolve) => publisher.attach({ batch: (batch) => resolve(batch) }));
    add(publisher, 1);
    expect((await seen).to).toBe(1);
  });

  it('knows where a step begins', () => {
    const publisher = new Publisher({ clock: new ManualClock(), flushMs: 1e6 });
    add(publisher, 0);
    for (const step of [4, 5, 7]) publisher.add('stepOpened', { step, policyVersion: 0, planned: 1 });
    publisher.flush();
    expect([3, 4, 5, 6, 7, 8].map((step) => publisher.seqOfStep(step))).toEqual([2, 2, 3, 4, 4, null]);
  });
});
