import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BudgetsParams, BudgetsView, PromptBudgetView } from '../../protocol/panels/budgets';
import type { Ledger, TokenLedger } from '../../protocol/panels/ledger';
import { anyEvent, type AnyEvent } from '../testing/randomEvents';
import { TestStream } from '../testing/testStream';
import { viewOf } from './answer';

const STEP: BudgetsParams = { step: null, range: null, measure: 'launched', history: 200, until: 'subject' };
const RUN: BudgetsParams = { ...STEP, range: { from: null, to: null } };
const view = (stream: TestStream, params: Partial<BudgetsParams> = {}): BudgetsView =>
  viewOf(stream.store, 'budgets', { ...STEP, ...params })!;
const prompt = (stream: TestStream, id: string, params: Partial<BudgetsParams> = {}): PromptBudgetView =>
  viewOf(stream.store, 'promptBudget', { step: null, range: null, ...params, prompt: id })!;

/** Three steps of two prompts: all right and mixed, discarded and pruned, a probe and one that runs. */
function threeSteps(): TestStream {
  const stream = new TestStream();
  stream.step(1, 4).wholeGroup('a1', 'p1', 1, [1, 1]).wholeGroup('b1', 'p2', 1, [1, 0]).endStep(1);
  stream.step(2, 5).group('b2', 'p2', 2, 3);
  for (const name of ['b2.0', 'b2.1', 'b2.2']) stream.rollout(name, 'b2');
  stream.end('b2.0', 1, { length: 7 }).end('b2.1', 0, { length: 5 });
  stream.end('b2.2', null, { ending: 'pruned', length: 3 });
  stream.add('rolloutDiscarded', { rollout: 'b2.1', reason: 'stale' });
  stream.closeGroup('b2', { launched: 3, finished: 1, discarded: 1, killed: 1 }).endStep(2);
  stream.step(3, 2).group('a3', 'p1', 3, 2).rollout('a3.0', 'a3');
  stream.add('nodeUpdated', { node: 'a3.0/n', length: 4 });
  stream.rollout('a3.p', 'a3', { use: 'probe' }).end('a3.p', 1, { length: 9 });
  return stream.flush();
}

describe('budgets of several steps', () => {
  const stream = threeSteps();

  it('sums the ledger, the rows and the tokens over the range', () => {
    const range = view(stream, { range: { from: 1, to: 2 } });
    expect(range.subject).toEqual({ kind: 'range', first: 1, last: 2, steps: 2 });
    expect(range.ledger).toMatchObject({ planned: 9, launched: 7, used: 2, noGradient: 2, undecided: 1 });
    expect(range.ledger).toMatchObject({
      discardedBy: { stale: 1 },
      killedBy: { pruned: 1 },
      neverLaunched: 2,
    });
    expect(range.prompts.id).toEqual(['p2', 'p1']);
    expect([...range.prompts.launched]).toEqual([5, 2]);
    expect([...range.prompts.used]).toEqual([2, 0]);
    expect([...range.prompts.groups]).toEqual([2, 1]);
    expect([...range.prompts.zeroGradientGroups]).toEqual([0, 1]);
    expect([...range.prompts.lastStep]).toEqual([2, 1]);
    expect(range.tokens).toMatchObject({ used: 20, noGradient: 20, undecided: 7, discarded: 5, pruned: 3 });
  });

  it('has the pass rate of one step from before it, of several from the results in them', () => {
    const before = view(stream, { step: 2 }).prompts;
    expect([before.n[0], before.c[0], before.rate[0]]).toEqual([2, 1, 0.5]);
    const run = view(stream, RUN).prompts;
    const p2 = run.id.indexOf('p2');
    expect([run.n[p2], run.stepN[p2], run.stepC[p2]]).toEqual([0, 4, 2]);
    expect(run.rate[p2]).toBeCloseTo(3 / 6);
  });

  it('has no rate where there is no result, and no spread', () => {
    const { rate, rateLow, spread } = view(stream, { step: 1 }).prompts;
    expect([rate[0], rateLow[0]]).toEqual([NaN, NaN]);
    expect(view(stream, { step: 3 }).prompts.spread[0]).toBeNaN();
    expect(spread[1]).toBeCloseTo(0.5);
  });

  it('counts tokens of probes and of what runs beside the others', () => {
    expect(view(stream).tokens).toMatchObject({ running: 4, probes: 9, total: 13 });
    const all = view(stream, RUN).tokens;
    expect(all.total).toBe(20 + 20 + 7 + 5 + 3 + 4 + 9);
  });

  it('has the heat map of each measure', () => {
    const cells = (measure: BudgetsParams['measure']) => {
      const { history, prompts } = view(stream, { ...RUN, measure });
      const row = prompts.id.indexOf('p2');
      return [...history.value.subarray(history.start[row], history.start[row + 1])];
    };
    expect(cells('launched')).toEqual([2, 3]);
    expect(cells('finished')).toEqual([2, 1]);
    expect(cells('tokens')).toEqual([20, 15]);
    expect(cells('gradient')).toEqual([1, -1]);
    expect(cells('passRate')[0]).toBeCloseTo(0.5);
  });

  it('takes the ends of a range in any order, and a range without steps as empty', () => {
    expect(view(stream, { range: { from: 3, to: 2 } }).subject).toMatchObject({ first: 2, last: 3 });
    const none = view(stream, { range: { from: 80, to: 90 } });
    expect(none.subject).toMatchObject({ steps: 0 });
    expect(none.ledger).toMatchObject({ planned: 0, launched: 0 });
    expect(new Set(none.prompts.planned)).toEqual(new Set([-1]));
  });

  it('tells the ledger and the groups of one prompt', () => {
    const p2 = prompt(stream, 'p2', RUN);
    expect(p2.ledger).toMatchObject({ planned: 5, launched: 5, used: 2, discarded: 1, killed: 1 });
    expect(p2.groups.map(({ step, gradient }) => [step, gradient])).toEqual([
      [2, -1],
      [1, 1],
    ]);
    expect(p2.tokens.total).toBe(35);
    expect(viewOf(stream.store, 'promptBudget', { step: null, range: null, prompt: 'nobody' })).toBeNull();
  });

  it('names the group of a mismatch, so that its events can be shown', () => {
    const wrong = threeSteps();
    wrong.closeGroup('a3', { launched: 2, finished: 2 }).flush();
    const { mismatches, mismatchGroups } = view(wrong).ledger;
    expect(mismatchGroups).toEqual(['a3']);
    expect(mismatches[0]).toMatch(/^Group a3: 2 launched, 1 found/);
    expect(view(wrong, RUN).ledger.mismatchGroups).toEqual(['a3']);
    expect(prompt(wrong, 'p1').ledger.mismatchGroups).toEqual(['a3']);
  });
});

describe('expected zero-gradient groups of several steps', () => {
  it('judges each group by what was known before its own step', () => {
    const stream = new TestStream();
    stream.step(1, 2).wholeGroup('g1', 'p', 1, [1, 0]).endStep(1);
    stream.step(2, 2).wholeGroup('g2', 'p', 2, [1, 1]).endStep(2).flush();
    // Before step 1 nothing: 2/3 under Beta(1, 1); before step 2 one of two right, so no pair of one outcome: 0.
    const { expected, deviation, unbiased, posterior, judged, observed } = view(stream, RUN).zeroGradient;
    expect(expected).toBeCloseTo(2 / 3);
    expect(deviation).toBeCloseTo(Math.sqrt(2 / 9));
    expect([unbiased, posterior, judged, observed]).toEqual([1, 1, 2, 1]);
    expect(view(stream, { step: 2 }).zeroGradient).toMatchObject({ expected: 0, observed: 1, unbiased: 1 });
  });

  it('says when rewards are not only 0 and 1', () => {
    const stream = new TestStream();
    stream.step(1, 2).wholeGroup('g1', 'p', 1, [0.5, 0.25]).flush();
    expect(view(stream).zeroGradient.binary).toBe(false);
  });
});

/** Two lives of random events. */
function lives(first: readonly AnyEvent[], second: readonly AnyEvent[]): TestStream {
  const stream = new TestStream();
  for (const [kind, fields] of first) stream.add(kind, fields);
  stream.flush().begin({ number: 2 });
  for (const [kind, fields] of second) stream.add(kind, fields);
  return stream.flush();
}

const PARTS = ['used', 'noGradient', 'undecided', 'running', 'discarded', 'killed', 'carriedOver'] as const;
const sumOf = (ledgers: readonly Ledger[], key: (typeof PARTS)[number] | 'launched' | 'finished'): number =>
  ledgers.reduce((sum, ledger) => sum + ledger[key], 0);
const FATES: Readonly<Record<Exclude<keyof TokenLedger, 'total'>, true>> = {
  used: true,
  noGradient: true,
  undecided: true,
  running: true,
  discarded: true,
  pruned: true,
  aborted: true,
  carriedOver: true,
  probes: true,
  outside: true,
  released: true,
};
const fatesOf = (tokens: TokenLedger): number =>
  Object.keys(FATES).reduce((sum, fate) => sum + tokens[fate as keyof typeof FATES], 0);

describe('under any order of events', () => {
  const events = fc.array(anyEvent, { minLength: 1, maxLength: 80 });

  it('adds up: parts to wholes, rows to the ledger, prompts to the run', () => {
    fc.assert(
      fc.property(events, events, (first, second) => {
        const stream = lives(first, second);
        const run = viewOf(stream.store, 'budgets', RUN);
        if (!run) return;
        const { ledger, prompts, tokens } = run;
        expect(PARTS.reduce((sum, part) => sum + ledger[part], 0)).toBe(ledger.launched);
        expect(fatesOf(tokens)).toBe(tokens.total);
        const own = prompts.id.map((id) => prompt(stream, id, RUN));
        own.forEach((each, row) => {
          expect(each.ledger.launched).toBe(Math.max(0, prompts.launched[row]!));
          expect(each.ledger.used).toBe(Math.max(0, prompts.used[row]!));
          expect(each.ledger.planned).toBe(each.ledger.launched + each.ledger.neverLaunched);
          expect(fatesOf(each.tokens)).toBe(each.tokens.total);
        });
        // Groups that were spoken of and never opened belong to no prompt.
        for (const key of [...PARTS, 'launched'] as const)
          expect(
            sumOf(
              own.map((each) => each.ledger),
              key,
            ),
          ).toBeLessThanOrEqual(ledger[key]);
      }),
      { numRuns: 200 },
    );
  });

  it('gives away arrays of its own', () => {
    const { prompts, history } = view(threeSteps(), RUN);
    const columns: readonly unknown[] = [Object.values(prompts), Object.values(history)].flat();
    for (const column of columns) {
      if (ArrayBuffer.isView(column)) expect(column.buffer.byteLength).toBe(column.byteLength);
    }
  });
});
