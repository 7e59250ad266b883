import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Batch, decodeBatch } from '../protocol/wire/batch';
import { BatchBuilder } from '../protocol/wire/batchBuilder';
import { StringTable } from '../protocol/wire/stringTable';
import { viewOf } from './queries/answer';
import { RunStore } from './runStore';
import { dump } from './testing/dump';
import { type AnyEvent, anyEvent } from './testing/randomEvents';

const life = (number: number) => ({ number, id: `life-${number}`, startedAt: 0, successThreshold: 0.5 });
const PROMPTS = ['p0', 'p1', 'p2', 'p3', 'h1', 'h2'];

/** A store whose prompts stand in one order, whoever is heard first. */
function emptyStore(nodeLimit = Infinity): RunStore {
  const store = new RunStore({ nodeLimit });
  for (const id of PROMPTS) store.prompts.row(id);
  return store;
}

function batchesOf(events: readonly AnyEvent[], size: number): Batch[] {
  const builder = new BatchBuilder();
  const batches: Batch[] = [];
  const take = (): void => {
    const batch = builder.take(events.length);
    if (batch) batches.push(batch);
  };
  events.forEach(([kind, fields], i) => {
    builder.add(kind, i, fields);
    if (i % size === size - 1) take();
  });
  take();
  return batches;
}

function hear(store: RunStore, number: number, batches: readonly Batch[]): void {
  const strings = new StringTable();
  store.beginIncarnation(life(number), strings);
  for (const batch of batches) store.apply(decodeBatch(batch, strings));
}

function readEarlier(store: RunStore, number: number, batches: readonly Batch[], finish = true): void {
  const earlier = store.readEarlier(life(number), new StringTable());
  for (const batch of batches) earlier.apply(decodeBatch(batch, earlier.strings));
  if (finish) earlier.finish();
  else earlier.abandon();
}

/** What a start says of prompts replaces what an earlier one said: these come from the present start alone. */
const ofPrompts = (kind: string): boolean => kind === 'promptDeclared' || kind === 'promptStatistics';
const earlierEvents = fc.array(
  anyEvent.filter(([kind]) => !ofPrompts(kind)),
  { minLength: 1, maxLength: 80 },
);
const presentEvents = fc.array(
  anyEvent.filter(([kind]) => kind !== 'promptStatistics'),
  { maxLength: 40 },
);

describe('a start that is read after a later one was heard', () => {
  it('leaves the store as if it had been heard in its time', () => {
    fc.assert(
      fc.property(earlierEvents, presentEvents, fc.integer({ min: 1, max: 30 }), (first, second, size) => {
        const heard = emptyStore();
        hear(heard, 1, batchesOf(first, size));
        hear(heard, 2, batchesOf(second, size));
        const read = emptyStore();
        hear(read, 2, batchesOf(second, size));
        readEarlier(read, 1, batchesOf(first, size));
        expect(dump(read)).toBe(dump(heard));
      }),
      { numRuns: 200 },
    );
  });

  it('goes on where the connection was lost, and leaves out what is held', () => {
    fc.assert(
      fc.property(earlierEvents, presentEvents, fc.nat(8), (first, second, held) => {
        const batches = batchesOf(first, 10);
        const whole = emptyStore();
        hear(whole, 1, batches);
        hear(whole, 2, batchesOf(second, 10));
        const cut = emptyStore();
        hear(cut, 1, batches.slice(0, held));
        hear(cut, 2, batchesOf(second, 10));
        readEarlier(cut, 1, batches);
        const counts = (store: RunStore) =>
          store.incarnations.map(({ openedNodes, openedGroups, head }) => [openedNodes, openedGroups, head]);
        expect(counts(cut)).toEqual(counts(whole));
      }),
      { numRuns: 50 },
    );
  });

  it('is forgotten when it could not be read to its end', () => {
    fc.assert(
      fc.property(earlierEvents, presentEvents, (first, second) => {
        const store = emptyStore();
        hear(store, 2, batchesOf(second, 10));
        const before = dump(store);
        readEarlier(store, 1, batchesOf(first, 10), false);
        expect(dump(store)).toBe(before);
      }),
      { numRuns: 50 },
    );
  });
});

const result = (prompt: string, step: number, n: number, c: number): AnyEvent => [
  'promptStatistics',
  { prompt, step, policyVersion: step, n, c, sumReward: c, sumReward2: c },
];

/** A step of one group, whose rollouts end with these rewards. */
function wholeStep(step: number, prompt: string, rewards: readonly number[]): AnyEvent[] {
  const group = `g${step}`;
  const rollouts = rewards.map((_, i) => `${group}.${i}`);
  return [
    ['stepOpened', { step, policyVersion: step, planned: rewards.length }],
    ['groupOpened', { group, prompt, step, planned: rewards.length }],
    ...rollouts.flatMap((rollout): AnyEvent[] => [
      ['rolloutOpened', { rollout, group, origin: 'sampled', use: 'train' }],
      ['nodeOpened', { node: `${rollout}/n`, rollout, kind: 'tokens', origin: 'sampled' }],
    ]),
    ...rollouts.map((rollout, i): AnyEvent => [
      'rolloutClosed',
      { rollout, ending: 'finished', length: 3, reward: rewards[i]! },
    ]),
    ['stepClosed', { step, policyVersion: step + 1, seconds: 1, tokens: 3 }],
  ];
}

describe('results that the present start has told in short', () => {
  it('count once when the earlier start is read', () => {
    const store = emptyStore();
    hear(store, 3, batchesOf([result('p1', 1, 2, 1), result('p1', 2, 4, 4), result('p2', 0, 8, 1)], 9));
    readEarlier(store, 2, batchesOf([result('p1', 1, 2, 1), ...wholeStep(2, 'p1', [1, 1, 1, 1])], 2));
    readEarlier(store, 1, batchesOf(wholeStep(1, 'p1', [1, 0]), 2));
    const at = (id: string) => [
      store.prompts.n[store.prompts.find(id)],
      store.prompts.c[store.prompts.find(id)],
    ];
    expect(at('p1')).toEqual([6, 5]);
    expect(at('p2')).toEqual([8, 1]);
    const rows = viewOf(store, 'steps', { limit: 9 })!.rows.map(({ step, incarnation }) => [
      step,
      incarnation,
    ]);
    expect(rows).toEqual([
      [2, 2],
      [1, 1],
    ]);
  });
});

describe('memory', () => {
  it('is bounded while a long start is read: its oldest trees are given up, its totals stay', () => {
    const store = emptyStore(20_000);
    hear(store, 2, batchesOf(wholeStep(9, 'p0', [1]), 9));
    const rewards = Array.from({ length: 6_000 }, () => 1);
    const events = Array.from({ length: 6 }, (_, i) => wholeStep(i, 'p1', rewards)).flat();
    readEarlier(store, 1, batchesOf(events, 1_000));
    expect(store.liveNodes()).toBeLessThan(30_000);
    expect(store.incarnations[0]!.openedNodes).toBe(36_000);
    expect(store.prompts.n[store.prompts.find('p1')]).toBe(36_000);
  });
});
