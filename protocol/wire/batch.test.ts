import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBatch, forEachInOrder, type DecodedBatch } from './batch';
import { BatchBuilder } from './batchBuilder';
import { DecodeArena } from './decodeColumns';
import type { EventFields } from './event';
import { StringTable } from './stringTable';
import { WireError } from './wireError';

const opened = (node: string, parent: string | null = null): EventFields<'nodeOpened'> => ({
  node,
  rollout: `r-${node}`,
  parent,
  at: parent === null ? null : 3,
  kind: 'tokens',
  origin: parent === null ? 'sampled' : 'forked',
});

/** Over the wire and back: what a reader gets of a batch. */
const overTheWire = (batch: unknown): unknown => JSON.parse(JSON.stringify(batch));

describe('a batch', () => {
  it('comes back in seq order with its strings, missing cells and special numbers', () => {
    const builder = new BatchBuilder();
    builder.add('nodeOpened', 1, opened('a'));
    builder.add('metric', 2, { name: 'loss', value: NaN, step: 4 });
    builder.add('nodeOpened', 3, opened('b', 'a'));
    builder.add('metric', 4, { name: 'loss', value: 0.5 });
    const strings = new StringTable();
    const batch = decodeBatch(overTheWire(builder.take(9)), strings);
    expect([batch.from, batch.to, batch.now, batch.count]).toEqual([1, 4, 9, 4]);
    const seen: string[] = [];
    forEachInOrder(batch, (kind, row) => seen.push(`${kind.seq[row]!} ${kind.kind}`));
    expect(seen).toEqual(['1 nodeOpened', '2 metric', '3 nodeOpened', '4 metric']);
    const metric = batch.kinds.find((kind) => kind.kind === 'metric')!;
    expect(metric.nonFinite.get('value')).toEqual([0]);
    const step = metric.columns['step'];
    expect(step?.type === 'ints' ? [...step.ints] : null).toEqual([4, -1]);
    const node = batch.kinds.find((kind) => kind.kind === 'nodeOpened')!.columns['node'];
    expect(node?.type === 'ints' ? [...node.ints].map((h) => strings.get(h)) : null).toEqual(['a', 'b']);
  });

  it('introduces each string once over batches', () => {
    const builder = new BatchBuilder();
    builder.add('nodeOpened', 1, opened('a'));
    const first = builder.take(1)!;
    builder.add('nodeOpened', 2, opened('b', 'a'));
    const second = builder.take(2)!;
    expect(first.strings?.values).toContain('a');
    expect(second.strings?.values).not.toContain('a');
    const strings = new StringTable();
    decodeBatch(overTheWire(first), strings);
    decodeBatch(overTheWire(second), strings);
    expect(strings.values).toEqual(builder.strings);
  });

  it('ignores kinds and columns that it does not know', () => {
    const raw = {
      from: 1,
      to: 2,
      now: 0,
      strings: { from: 0, values: ['x'] },
      events: { comet: { seq: [1] }, metric: { seq: [2], t: [0], name: [0], value: [1], colour: ['red'] } },
    };
    expect(decodeBatch(raw, new StringTable()).count).toBe(1);
  });

  it.each([
    ['a handle from nowhere', { metric: { seq: [1], t: [0], name: [7], value: [1] } }, 'unknownHandle'],
    ['columns of unequal length', { metric: { seq: [1], t: [0], name: [0, 0], value: [1] } }, 'malformed'],
    ['a missing column', { metric: { seq: [1], t: [0], name: [0] } }, 'malformed'],
    ['text for a number', { metric: { seq: [1], t: [0], name: [0], value: ['1'] } }, 'malformed'],
    ['a seq outside', { metric: { seq: [9], t: [0], name: [0], value: [1] } }, 'outOfOrder'],
    ['null in a required column', { metric: { seq: [1], t: [0], name: [null], value: [1] } }, 'malformed'],
  ])('refuses %s and says where', (_, events, code) => {
    const raw = { from: 1, to: 1, now: 0, strings: { from: 0, values: ['x'] }, events };
    try {
      decodeBatch(raw, new StringTable());
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(WireError);
      expect((error as WireError).code).toBe(code);
      expect((error as WireError).message).toMatch(/events\.metric/);
    }
  });

  it('uses the memory of the batch before when it is given an arena', () => {
    const builder = new BatchBuilder();
    const strings = new StringTable();
    const arena = new DecodeArena();
    const next = (events: number): unknown => {
      for (let i = 0; i < events; i++) builder.add('metric', i, { name: 'loss', value: i });
      return overTheWire(builder.take(9));
    };
    const memory = (batch: DecodedBatch) => batch.kinds[0]!.seq.buffer;
    const raw = next(3);
    const first = decodeBatch(raw, strings, arena);
    expect(first).toEqual(decodeBatch(raw, strings));
    const kept = memory(first);
    expect(memory(decodeBatch(next(2), strings, arena))).toBe(kept);
    const larger = next(5);
    expect(decodeBatch(larger, strings, arena)).toEqual(decodeBatch(larger, strings));
    expect(memory(decodeBatch(larger, strings))).not.toBe(memory(decodeBatch(larger, strings)));
  });

  it.each([2, 1_000_000])('refuses a seq that two kinds claim, also in a stretch that ends at %i', (to) => {
    const events = {
      metric: { seq: [1, 2], t: [0, 0], name: [0, 0], value: [1, 1] },
      stepPhase: { seq: [2], t: [0], step: [1], phase: [0] },
    };
    const raw = { from: 1, to: Math.max(to, 3), now: 0, strings: { from: 0, values: ['x'] }, events };
    expect(() => decodeBatch(raw, new StringTable())).toThrow(/seq 2 stands twice/);
  });

  it('never fails with anything but a WireError, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        try {
          decodeBatch(raw, new StringTable());
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
    );
  });
});
