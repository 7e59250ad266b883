import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBatch, forEachInOrder, type Batch } from '../../protocol/wire/batch';
import { BatchBuilder } from '../../protocol/wire/batchBuilder';
import { EVENTS, isEventName } from '../../protocol/wire/events';
import { readEvent } from '../../protocol/wire/readEvent';
import { StringTable } from '../../protocol/wire/stringTable';
import { afterSeq, coalesce, countEvents, joinBatches, onlyKinds, runLevelBefore } from './batchShaping';

/** Batches of a small random stream: three nodes that grow, a metric, structure in between. */
const streams = fc
  .array(
    fc.record({
      kind: fc.constantFrom('nodeUpdated', 'nodeSeries', 'metric', 'stepPhase', 'finding', 'flush'),
      which: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((picks): Batch[] => {
    const builder = new BatchBuilder();
    const batches: Batch[] = [];
    const bins = [0, 0, 0];
    let t = 0;
    const flush = (): void => {
      const batch = builder.take(t);
      if (batch) batches.push(batch);
    };
    for (const { kind, which } of picks) {
      t++;
      const node = `node ${which}`;
      if (kind === 'flush') flush();
      else if (kind === 'nodeUpdated') builder.add(kind, t, { node, length: t });
      else if (kind === 'metric') builder.add(kind, t, { name: node, value: t });
      else if (kind === 'stepPhase') builder.add(kind, t, { step: which, phase: 'train' });
      else if (kind === 'nodeSeries') {
        const from = bins[which]!++;
        builder.add(kind, t, { node, field: 'entropy', bin: 8, from, mean: [t], greatest: [t + 1] });
      } else {
        const body = { code: 'x', severity: 'info' as const, title: 't', evidence: 'e' };
        builder.add('finding', t, { finding: node, open: true, body });
      }
    }
    flush();
    return batches;
  })
  .filter((batches) => batches.length > 0);

interface Seen {
  readonly kind: string;
  readonly seq: number;
  readonly t: number;
  readonly fields: Record<string, unknown>;
}

/** What a reader makes of batches, after a trip over the wire. */
function read(batches: readonly Batch[]): Seen[] {
  const strings = new StringTable();
  const seen: Seen[] = [];
  for (const batch of batches) {
    const decoded = decodeBatch(JSON.parse(JSON.stringify(batch)), strings);
    forEachInOrder(decoded, (kind, row) => seen.push(readEvent(kind, row, strings)));
  }
  return seen;
}

describe('shaped batches', () => {
  it('joined, they hold the same events in the same order', () => {
    fc.assert(
      fc.property(streams, (batches) => {
        const joined = joinBatches(batches);
        expect([joined.from, joined.to]).toEqual([batches[0]!.from, batches[batches.length - 1]!.to]);
        expect(read([joined])).toEqual(read(batches));
      }),
    );
  });

  it('cut after a seq, they hold exactly what comes after it', () => {
    fc.assert(
      fc.property(streams, fc.nat(60), (batches, seq) => {
        const joined = joinBatches(batches);
        const after = Math.min(seq, joined.to);
        expect(read([afterSeq(joined, after)])).toEqual(read(batches).filter((event) => event.seq > after));
      }),
    );
  });

  it('thinned, they keep all structure, the newest sample of each thing, and count what is missing', () => {
    fc.assert(
      fc.property(streams, (batches) => {
        const before = read(batches);
        const after = read([coalesce(joinBatches(batches))]);
        const structural = (events: Seen[]) =>
          events.filter((e) => e.kind !== 'dropped' && isEventName(e.kind) && EVENTS[e.kind].structural);
        expect(structural(after)).toEqual(structural(before));
        for (const kind of ['nodeUpdated', 'metric']) {
          const newest = new Map(
            before.filter((e) => e.kind === kind).map((e) => [e.fields['node'] ?? e.fields['name'], e]),
          );
          expect(after.filter((e) => e.kind === kind)).toEqual(
            [...newest.values()].sort((a, b) => a.seq - b.seq),
          );
        }
        const means = (events: Seen[], node: string) =>
          events
            .filter((e) => e.kind === 'nodeSeries' && e.fields['node'] === node)
            .flatMap((e) => e.fields['mean']);
        for (const which of [0, 1, 2]) {
          expect(means(after, `node ${which}`)).toEqual(means(before, `node ${which}`));
        }
        const dropped = after.find((e) => e.kind === 'dropped');
        const lost = before.filter(
          (e) =>
            ['nodeUpdated', 'metric'].includes(e.kind) &&
            !after.some((a) => a.seq === e.seq && a.kind === e.kind),
        );
        expect(dropped?.fields['count'] ?? 0).toBe(lost.length);
        if (dropped) {
          expect([dropped.fields['from'], dropped.fields['to']]).toEqual([lost[0]!.seq, lost.at(-1)!.seq]);
        }
        const times = after.map((e) => e.t);
        expect(times).toEqual([...times].sort((a, b) => a - b));
      }),
    );
  });

  it('filtered, they keep their stretch and only the wanted kinds', () => {
    fc.assert(
      fc.property(streams, (batches) => {
        const joined = joinBatches(batches);
        const filtered = onlyKinds(joined, new Set(['metric']));
        expect([filtered.from, filtered.to]).toEqual([joined.from, joined.to]);
        expect(read([filtered])).toEqual(read(batches).filter((e) => e.kind === 'metric'));
      }),
    );
  });

  it('before a step only what concerns the whole run is kept', () => {
    fc.assert(
      fc.property(streams, fc.nat(60), (batches, seq) => {
        const kept = runLevelBefore(joinBatches(batches), seq);
        expect(read([kept])).toEqual(read(batches).filter((e) => e.seq >= seq || e.kind === 'finding'));
        expect(countEvents(kept)).toBe(read([kept]).length);
      }),
    );
  });
});
