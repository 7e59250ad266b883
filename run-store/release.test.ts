import { describe, expect, it } from 'vitest';
import { viewOf } from './queries/answer';
import { findGroup, findNode } from './queries/find';
import { runLedger, stepLedger } from './queries/ledgerView';
import type { RunStore } from './runStore';
import { CHUNK_ROWS } from './tables/chunks';
import { TestStream } from './testing/testStream';

const NODES = 2_500;
const STEPS = 24;

/** Steps of 2,500 nodes each; the last one is open. In each step one rollout is pruned and one discarded. */
function longRun(nodeLimit: number): TestStream {
  const stream = new TestStream({ nodeLimit });
  for (let step = 1; step <= STEPS; step++) {
    stream.step(step, 5);
    stream.group(`g${step}`, 'p', step, 5);
    for (let r = 0; r < 5; r++) {
      const rollout = `r${step}.${r}`;
      stream.add('rolloutOpened', { rollout, group: `g${step}`, origin: 'sampled', use: 'train' });
      for (let n = 0; n < NODES / 5; n++) {
        stream.add('nodeOpened', { node: `${rollout}.${n}`, rollout, kind: 'turn', origin: 'sampled' });
      }
      const ending = r === 0 ? 'pruned' : 'finished';
      stream.add('rolloutClosed', {
        rollout,
        ending,
        length: 10,
        reward: r % 2,
        reason: r === 0 ? 'rule' : null,
      });
    }
    stream.add('rolloutDiscarded', { rollout: `r${step}.1`, reason: 'stale' });
    if (step < STEPS) stream.endStep(step);
    stream.flush();
  }
  return stream;
}

const tree = (store: RunStore, group: string) =>
  viewOf(store, 'tree', { group, prompt: null, step: null, rule: null });

describe('a store that is full', () => {
  const { store } = longRun(2 * CHUNK_ROWS);
  const all = longRun(10 * CHUNK_ROWS).store;

  it('gives up the trees of old steps and keeps those of new ones', () => {
    expect(store.liveNodes()).toBeLessThan(2 * CHUNK_ROWS + NODES);
    expect(all.liveNodes()).toBe(STEPS * NODES);
    expect([store.hasStep(1), store.hasStep(STEPS - 1), store.hasStep(STEPS), store.hasStep(99)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(tree(store, 'g1')).toBeNull();
    expect(tree(store, `g${STEPS}`)).toEqual(tree(all, `g${STEPS}`));
    expect(store.memory()).toBeLessThan(0.8 * all.memory());
  });

  it('keeps totals, reasons and groups of all steps', () => {
    expect(runLedger(store)).toEqual(runLedger(all));
    for (const number of [1, STEPS - 1]) {
      const ledgers = [store, all].map((one) => {
        const { incarnation, step } = one.findStep(number)!;
        return stepLedger(incarnation, step);
      });
      expect(ledgers[0]).toEqual(ledgers[1]);
      expect(ledgers[0]).toMatchObject({ killedBy: { rule: 1 }, discardedBy: { stale: 1 }, finished: 3 });
    }
    const firstStep = { step: 1, range: null, measure: 'launched', history: 30, until: 'subject' } as const;
    expect(viewOf(store, 'budgets', firstStep)).toEqual(viewOf(all, 'budgets', firstStep));
    expect(viewOf(store, 'steps', { limit: 99 })).toEqual(viewOf(all, 'steps', { limit: 99 }));
    expect(findGroup(store, 'g1')).not.toBeNull();
  });

  it('forgets the names of what it gave up, and of nothing else', () => {
    expect(findNode(store, 'r1.0.0')).toBeNull();
    expect(findNode(store, `r${STEPS}.0.0`)).not.toBeNull();
    expect(store.current!.strings.find('r1.0.0')).toBe(-1);
    expect(store.current!.strings.find('g1')).toBeGreaterThanOrEqual(0);
  });

  it('notes what still comes for a step that is gone, and stays right', () => {
    const stream = longRun(2 * CHUNK_ROWS);
    const before = runLedger(stream.store);
    stream.add('nodeClosed', { node: 'r1.0.0', length: 5, ending: 'finished' });
    stream.add('nodeOpened', {
      node: 'late',
      rollout: 'r1.0',
      parent: 'r1.0.0',
      at: 1,
      kind: 'turn',
      origin: 'sampled',
    });
    stream.add('credit', { node: 'r1.0.0', rule: 'grpo', advantage: 1 }).flush();
    expect({ ...runLedger(stream.store), seq: 0 }).toEqual({ ...before, seq: 0 });
    expect(stream.store.current!.disorder.notes.get('afterRelease')!.count).toBeGreaterThan(0);
  });

  it('keeps a rollout that still runs, and counts its end', () => {
    const stream = new TestStream({ nodeLimit: CHUNK_ROWS });
    stream.step(0).group('g', 'p', 0, 1).rollout('slow', 'g').endStep(0).flush();
    for (let step = 1; step < 10; step++) {
      stream.step(step).group(`g${step}`, 'p', step, 1).rollout(`r${step}`, `g${step}`);
      for (let n = 0; n < 4_000; n++) {
        stream.add('nodeOpened', {
          node: `${step}.${n}`,
          rollout: `r${step}`,
          kind: 'turn',
          origin: 'sampled',
        });
      }
      stream.end(`r${step}`, 1).endStep(step).flush();
    }
    expect(stream.store.hasStep(0)).toBe(false);
    const { incarnation, step } = stream.store.findStep(0)!;
    expect(stepLedger(incarnation, step)).toMatchObject({ carriedOver: 1, finished: 0 });
    stream.end('slow', 1).flush();
    expect(stepLedger(incarnation, step)).toMatchObject({ carriedOver: 0, finished: 1 });
  });
});
