import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../test/unit/systems/examples';
import { decodeBatch } from '../protocol/wire/batch';
import { BatchBuilder } from '../protocol/wire/batchBuilder';
import { StringTable } from '../protocol/wire/stringTable';
import { RunStore } from './runStore';
import { dump } from './testing/dump';
import { recount } from './testing/recount';

describe('a run store', () => {
  it.each(EXAMPLES.map((example) => [example.what, example] as const))(
    'takes and shows %s',
    (_, { events }) => {
      const builder = new BatchBuilder();
      events.forEach(([kind, fields], i) => {
        builder.add(kind, i, fields);
      });
      const store = new RunStore();
      const strings = new StringTable();
      store.beginIncarnation({ number: 1, id: 'life', startedAt: 0, successThreshold: 0.5 }, strings);
      store.apply(decodeBatch(JSON.parse(JSON.stringify(builder.take(events.length))), strings));
      expect(JSON.parse(dump(store))).toMatchObject({ ledger: { seq: events.length } });
      const { steps } = recount(store.current!);
      expect(steps.map(({ counts }) => [...counts])).toEqual(
        store.current!.steps.map(({ totals }) => [...totals.counts]),
      );
    },
  );
});
