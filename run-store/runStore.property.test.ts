import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DecodedBatch, decodeBatch } from '../protocol/wire/batch';
import { DecodeArena } from '../protocol/wire/decodeColumns';
import { BatchBuilder } from '../protocol/wire/batchBuilder';
import { StringTable } from '../protocol/wire/stringTable';
import { CARRIED_OVER, RUNNING } from './ledger/categories';
import type { Totals } from './ledger/totals';
import { runLedger, stepLedger } from './queries/ledgerView';
import { RunStore } from './runStore';
import { dump } from './testing/dump';
import { type AnyEvent, anyEvent } from './testing/randomEvents';
import { recount } from './testing/recount';

const START = { number: 1, id: 'life', startedAt: 0, successThreshold: 0.5 };

/** Sends events as batches that end after the given events. */
function storeOf(
  events: readonly AnyEvent[],
  cuts: ReadonlySet<number>,
  change: (batch: DecodedBatch) => DecodedBatch = (batch) => batch,
  arena?: DecodeArena,
): RunStore {
  const store = new RunStore();
  const strings = new StringTable();
  const builder = new BatchBuilder();
  store.beginIncarnation(START, strings);
  const send = (): void => {
    const batch = builder.take(events.length);
    if (batch) store.apply(change(decodeBatch(JSON.parse(JSON.stringify(batch)), strings, arena)));
  };
  events.forEach(([kind, fields], i) => {
    builder.add(kind, i, fields);
    if (cuts.has(i)) send();
  });
  send();
  return store;
}

const events = fc.array(anyEvent, { minLength: 1, maxLength: 120 });
const NO_CUTS = new Set<number>();

describe('a run store under any order of events', () => {
  it('keeps totals that equal a recount from the rollouts', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        const { current } = storeOf(sequence, NO_CUTS);
        const again = recount(current!);
        const plain = (totals: Totals) => Object.entries(totals).filter(([name]) => name !== 'mismatched');
        expect(current!.steps.map(({ totals }) => plain(totals))).toEqual(again.steps.map(plain));
        expect(plain(current!.unplaced)).toEqual(plain(again.unplaced));
      }),
      { numRuns: 300 },
    );
  });

  it('keeps nothing that the next batch is decoded over', () => {
    fc.assert(
      fc.property(events, fc.array(fc.nat(119), { maxLength: 12 }), (sequence, cuts) => {
        const places = new Set(cuts);
        const own = storeOf(sequence, places);
        const shared = storeOf(sequence, places, (batch) => batch, new DecodeArena());
        expect(dump(shared)).toBe(dump(own));
      }),
      { numRuns: 200 },
    );
  });

  it('keeps the identities of the ledger', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        const store = storeOf(sequence, NO_CUTS);
        const ledgers = store.incarnations.flatMap((one) => one.steps.map((step) => stepLedger(one, step)));
        for (const ledger of [...ledgers, runLedger(store)]) {
          const { running, finished, discarded, killed, carriedOver } = ledger;
          expect(ledger.launched).toBe(running + finished + discarded + killed + carriedOver);
          expect(ledger.planned).toBe(ledger.launched + ledger.neverLaunched);
          expect(ledger.neverLaunched).toBeGreaterThanOrEqual(0);
          expect(finished).toBe(ledger.used + ledger.noGradient + ledger.undecided);
          const sum = (counts: Readonly<Record<string, number>>) =>
            Object.values(counts).reduce((total, n) => total + n, 0);
          expect(sum(ledger.discardedBy)).toBe(discarded);
          expect(sum(ledger.killedBy)).toBe(killed);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('comes to the same state in one batch and in many, in whatever order a batch lists its kinds', () => {
    fc.assert(
      fc.property(events, fc.array(fc.nat(120), { maxLength: 20 }), (sequence, cuts) => {
        const once = dump(storeOf(sequence, NO_CUTS));
        expect(dump(storeOf(sequence, new Set(cuts)))).toBe(once);
        const reversed = (batch: DecodedBatch) => ({ ...batch, kinds: batch.kinds.toReversed() });
        expect(dump(storeOf(sequence, NO_CUTS, reversed))).toBe(once);
      }),
      { numRuns: 150 },
    );
  });

  it('takes a batch again without counting it twice', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        let last: DecodedBatch | null = null;
        const store = storeOf(sequence, NO_CUTS, (batch) => (last = batch));
        const before = dump(store);
        store.apply(last!);
        expect(dump(store)).toBe(before);
      }),
      { numRuns: 50 },
    );
  });

  it('forgets a life that begins again, and comes to the same state', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        const batches: DecodedBatch[] = [];
        const store = storeOf(sequence, NO_CUTS, (batch) => {
          batches.push(batch);
          return batch;
        });
        const strings = store.current!.strings;
        const before = dump(store);
        store.beginIncarnation(START, strings);
        for (const batch of batches) store.apply(batch);
        expect(dump(store)).toBe(before);
      }),
      { numRuns: 50 },
    );
  });

  it('leaves nothing running when the process has ended', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        const store = storeOf(sequence, NO_CUTS);
        const first = store.current!;
        store.beginIncarnation({ ...START, number: 2, id: 'next' }, new StringTable());
        for (const { totals } of first.steps) {
          expect([totals.counts[RUNNING], totals.counts[CARRIED_OVER]]).toEqual([0, 0]);
        }
        expect(recount(first).steps.map(({ counts }) => [...counts])).toEqual(
          first.steps.map(({ totals }) => [...totals.counts]),
        );
      }),
      { numRuns: 50 },
    );
  });
});
