import { describe, expect, it } from 'vitest';
import { runLedger, stepLedger } from '../queries/ledgerView';
import { TestStream } from '../testing/testStream';

const ledgerOf = (stream: TestStream, number: number) => {
  const { incarnation, step } = stream.store.findStep(number)!;
  return stepLedger(incarnation, step);
};

describe('the ledger', () => {
  it('counts a rollout once, where it stands, and says why', () => {
    const stream = new TestStream().step(1, 9);
    stream.group('g', 'p', 1, 8);
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g1']) stream.rollout(id, 'g');
    stream.end('a', 1).end('b', 0).end('c', 0);
    stream.add('rolloutDiscarded', { rollout: 'c', reason: 'stale' });
    stream.end('d', null, { ending: 'pruned', reason: 'lowConfidence' });
    stream.end('e', null, { ending: 'stopped' });
    stream.end('f', null, { ending: 'carriedOver' });
    stream.flush();
    expect(ledgerOf(stream, 1)).toMatchObject({
      planned: 9,
      launched: 7,
      neverLaunched: 2,
      running: 1,
      finished: 2,
      discarded: 1,
      killed: 2,
      carriedOver: 1,
      undecided: 2,
      used: 0,
      discardedBy: { stale: 1 },
      killedBy: { lowConfidence: 1, stopped: 1 },
      mismatches: [],
    });
  });

  it('keeps probes, duplicates, replayed and external rollouts outside', () => {
    const stream = new TestStream().step(1).group('g', 'p', 1, 1).rollout('a', 'g');
    stream.rollout('b', 'g', { use: 'probe', origin: 'forked', fromNode: 'a/n', at: 3 });
    stream.rollout('c', 'g', { origin: 'duplicate' });
    stream.rollout('d', 'g', { origin: 'replayed' });
    stream.rollout('e', 'g', { origin: 'external' });
    stream.end('a', 1).end('b', 0).end('c', 0).end('d', 0).end('e', 0).flush();
    expect(ledgerOf(stream, 1)).toMatchObject({
      launched: 1,
      finished: 1,
      outside: { probes: 1, duplicates: 1, replayed: 1, external: 1 },
    });
    expect(stream.store.findStep(1)!.step.totals).toMatchObject({ n: 1, c: 1 });
  });

  it('judges a group by exactly equal rewards, a group of one not at all', () => {
    const stream = new TestStream().step(1);
    stream.wholeGroup('equal', 'p', 1, [0.1, 0.1, 0.1]);
    stream.wholeGroup('different', 'q', 1, [0.1, 0.1 + Number.EPSILON]);
    stream.wholeGroup('single', 'r', 1, [1]);
    stream.group('open', 's', 1, 2).rollout('s1', 'open').rollout('s2', 'open').end('s1', 0).end('s2', 0);
    stream.flush();
    const { totals } = stream.store.findStep(1)!.step;
    expect(totals).toMatchObject({ zeroGradientGroups: 1, gradientGroups: 1, closedGroups: 3, groups: 4 });
    expect(ledgerOf(stream, 1)).toMatchObject({ finished: 8, used: 2, noGradient: 3, undecided: 3 });
  });

  it('takes a discarded reward out of the baseline', () => {
    const stream = new TestStream().step(1).wholeGroup('g', 'p', 1, [1, 1, 0]);
    stream.flush();
    expect(ledgerOf(stream, 1)).toMatchObject({ used: 3, noGradient: 0 });
    stream.add('rolloutDiscarded', { rollout: 'g.2', reason: 'tooLong' }).flush();
    expect(ledgerOf(stream, 1)).toMatchObject({ used: 0, noGradient: 2, discarded: 1, mismatches: [] });
  });

  it('counts a group whose tokens are all outside the loss as one without gradient', () => {
    const stream = new TestStream().step(1).group('g', 'p', 1, 2).rollout('a', 'g').rollout('b', 'g');
    for (const [rollout, reward] of [
      ['a', 1],
      ['b', 0],
    ] as const) {
      stream.add('nodeClosed', { node: `${rollout}/n`, length: 4, ending: 'finished', trainShare: 0 });
      stream.add('rolloutClosed', { rollout, ending: 'finished', length: 4, reward });
    }
    stream.closeGroup('g', { launched: 2, finished: 2 }).flush();
    expect(ledgerOf(stream, 1)).toMatchObject({ used: 0, noGradient: 2 });
  });

  it('names the group and the rollout when the counts of the job differ', () => {
    const stream = new TestStream().step(1).group('37', 'p', 1, 3);
    stream.rollout('a', '37').rollout('c1.f1.b1', '37').rollout('d', '37').end('a', 1).end('d', 0);
    stream.closeGroup('37', { launched: 3, finished: 3 }).flush();
    const [sentence] = ledgerOf(stream, 1).mismatches;
    expect(sentence).toBe('Group 37: 3 finished, 2 found: rollout c1.f1.b1 has no end.');
    stream.end('c1.f1.b1', 0).flush();
    expect(ledgerOf(stream, 1).mismatches).toEqual([]);
  });

  it('does not call it a mismatch when a rollout changes after the counts had agreed', () => {
    const stream = new TestStream().step(1).wholeGroup('g', 'p', 1, [1, 0]);
    stream.add('rolloutDiscarded', { rollout: 'g.0', reason: 'stale' }).flush();
    expect(ledgerOf(stream, 1).mismatches).toEqual([]);
  });

  it('says when more was launched than planned', () => {
    const stream = new TestStream().step(1).group('g', 'p', 1, 1).rollout('a', 'g').rollout('b', 'g').flush();
    expect(ledgerOf(stream, 1)).toMatchObject({ planned: 2, launched: 2, neverLaunched: 0 });
    expect(ledgerOf(stream, 1).mismatches[0]).toMatch(/2 launched, 1 planned/);
    stream.add('groupPlanned', { group: 'g', planned: 2 }).flush();
    expect(ledgerOf(stream, 1).mismatches).toEqual([]);
  });

  it('carries over what runs when its step closes, and counts it where it was launched when it ends', () => {
    const stream = new TestStream().step(1).group('g', 'p', 1, 1).rollout('a', 'g').endStep(1).flush();
    expect(ledgerOf(stream, 1)).toMatchObject({ running: 0, carriedOver: 1 });
    stream.step(2).end('a', 1).flush();
    expect(ledgerOf(stream, 1)).toMatchObject({ carriedOver: 0, finished: 1, launched: 1 });
    expect(ledgerOf(stream, 2)).toMatchObject({ launched: 0 });
  });

  it('counts a resumed rollout in the place of the one that it goes on from', () => {
    const stream = new TestStream().step(1).group('g', 'p', 1, 1).rollout('a', 'g');
    stream.end('a', null, { ending: 'carriedOver' }).endStep(1).step(2).group('h', 'p', 2, 0);
    stream.rollout('b', 'h', { origin: 'resumed', fromNode: 'a/n', at: 10 }).flush();
    expect(ledgerOf(stream, 1)).toMatchObject({ launched: 1, carriedOver: 1 });
    expect(ledgerOf(stream, 2)).toMatchObject({ launched: 0 });
    stream.end('b', 1).flush();
    expect(ledgerOf(stream, 1)).toMatchObject({ launched: 1, carriedOver: 0, finished: 1 });
  });

  it('counts what runs as killed when the job says that it has ended', () => {
    const stream = new TestStream()
      .step(1)
      .group('g', 'p', 1, 2)
      .rollout('a', 'g')
      .rollout('b', 'g')
      .end('a', 1);
    stream.add('runState', { state: 'failed' }).flush();
    expect(ledgerOf(stream, 1)).toMatchObject({
      running: 0,
      finished: 1,
      killed: 1,
      killedBy: { failed: 1 },
    });
    stream.end('b', 1).flush();
    expect(ledgerOf(stream, 1)).toMatchObject({ finished: 2, killed: 0 });
  });

  it('counts what ran when the process ended as killed by the restart', () => {
    const stream = new TestStream()
      .step(1)
      .group('g', 'p', 1, 2)
      .rollout('a', 'g')
      .rollout('b', 'g')
      .end('a', 1)
      .flush();
    stream.begin({ number: 2, id: 'second' });
    stream.step(1).wholeGroup('g', 'p', 1, [1, 0]).flush();
    expect(runLedger(stream.store)).toMatchObject({
      launched: 4,
      finished: 3,
      killed: 1,
      running: 0,
      killedBy: { restarted: 1 },
    });
    expect(ledgerOf(stream, 1)).toMatchObject({ launched: 2, finished: 2 });
  });
});
