import { describe, expect, it } from 'vitest';
import { asRun } from '../../methods/whatIf/whatIf';
import { CHUNK_ROWS } from '../tables/chunks';
import { TestStream } from '../testing/testStream';
import { whatIfRecord } from './whatIfSteps';

/** Step 1 without, step 2 with a decision; step 3 runs. */
function run(): TestStream {
  const stream = new TestStream();
  stream.add('promptDeclared', { prompt: 'a', domain: 'algebra' });
  stream.step(1, 5).wholeGroup('g1', 'a', 1, [1, 0, 0]).wholeGroup('g2', 'b', 1, [1, 1]).endStep(1, 2, 50);
  stream.add('decision', {
    decision: 'd2',
    kind: 'allocate',
    method: 'knapsack-rl',
    step: 2,
    sentence: 'Shares.',
    body: {
      parameters: { n_low: 2 },
      shared: { failureRate: 0.25 },
      subjects: { type: 'prompt', ids: ['a', 'c'] },
      inputs: { passRate: [0.75, null], samples: [4, null] },
      outcome: { rollouts: [3, 2] },
    },
  });
  stream.step(2, 6);
  for (const [group, prompt, planned] of [
    ['h1', 'a', 3],
    ['h2', 'c', 2],
    ['h3', 'b', 1],
  ] as const) {
    const decision = prompt === 'b' ? null : 'd2';
    stream.add('groupOpened', { group, prompt, step: 2, planned, decision });
  }
  stream.rollout('r1', 'h1').rollout('r2', 'h1').rollout('r3', 'h1');
  // They end in another order than they were launched in; the second is killed, its outcome is not known.
  stream.end('r3', 0, { length: 30 }).end('r1', 1, { length: 10 });
  stream.end('r2', null, { length: 2, ending: 'aborted' });
  stream.closeGroup('h1', { launched: 3, finished: 2, killed: 1 });
  return stream.flush();
}

describe('the record for a what-if', () => {
  const { store } = run();
  const record = whatIfRecord(store, 2, 1)!;
  const [step] = record.steps;
  const prompts = new Map(step!.prompts.map((prompt) => [prompt.input.id, prompt]));

  it('has the prompts of the step with what the run gave them: launched where closed, else the plan', () => {
    expect([...prompts].map(([id, { asRun: n }]) => [id, n])).toEqual([
      ['a', 3],
      ['c', 2],
      ['b', 1],
    ]);
    expect(record.open).toBe(1);
    expect(record.method).toBe('knapsack-rl');
    expect(record.parameters).toEqual({ n_low: 2 });
  });

  it('takes inputs from the decision on record, else from statistics before the step', () => {
    expect(prompts.get('a')?.input).toMatchObject({
      passRate: { value: 0.75, samples: 4 },
      domain: 'algebra',
    });
    expect(prompts.get('c')?.input.passRate).toBeUndefined();
    expect(prompts.get('b')?.input.passRate).toEqual({ value: 1, samples: 2 });
    expect(record.rates).toEqual({ decision: 1, statistics: 1, none: 1 });
    expect(step?.inputs).toEqual({ failureRate: 0.25, step: 2 });
    expect(prompts.get('a')?.input.history).toEqual([
      { step: 1, rollouts: 3, successes: 1, meanReward: 1 / 3 },
    ]);
    expect(prompts.get('c')?.input.history).toEqual([]);
  });

  it('has known outcomes in launch order, with lengths, and the posterior of all that is recorded', () => {
    const a = prompts.get('a')!;
    expect([...a.recorded]).toEqual([1, 0]);
    expect([...a.tokens]).toEqual([10, 30]);
    expect(a.meanTokens).toBe(14);
    expect(a.posterior).toEqual({ a: 1 + 1 + 1, b: 1 + 2 + 1 });
    // Nothing of it has ended: the mean length of the step stands.
    expect(prompts.get('c')?.meanTokens).toBe(14);
    expect(record.withoutLength).toBe(2);
    expect(record.outcomes).toBe(2);
  });

  it('takes several steps, oldest first, and never a later one', () => {
    const both = whatIfRecord(store, null, 8)!;
    expect(both.steps.map(({ number }) => number)).toEqual([1, 2]);
    expect(whatIfRecord(store, 1, 8)!.steps.map(({ number }) => number)).toEqual([1]);
    expect(both.steps[0]!.prompts[0]!.input.passRate).toBeUndefined();
    expect(whatIfRecord(new TestStream().store, null, 1)).toBeNull();
  });

  it('gives for the run itself what the ledger says of the closed step', () => {
    const { steps } = whatIfRecord(store, 1, 1)!;
    const work = asRun(steps, { draws: 200, seed: 1 });
    let next = work.next();
    while (next.done !== true) next = work.next();
    const { totals } = store.findStep(1)!.step;
    expect(next.value.successes.mean).toBe(totals.c);
    expect(next.value.gradientGroups.mean).toBe(totals.gradientGroups);
    expect(next.value.tokens.mean).toBe(totals.tokens);
    expect(next.value.simulated).toBe(0);
  });

  it('names the threshold where rewards are graded', () => {
    const stream = new TestStream({}, { successThreshold: 0.6 });
    stream.step(1, 4).wholeGroup('g1', 'a', 1, [0.5, 0.7]).wholeGroup('g2', 'b', 1, [1, 0]).flush();
    const graded = whatIfRecord(stream.store, 1, 1)!;
    expect(graded.threshold).toBe(0.6);
    expect([...graded.steps[0]!.prompts[0]!.recorded]).toEqual([0, 1]);
    expect(record.threshold).toBeNull();
  });

  it('keeps the counts of a step whose rollouts were given up, and says that their order is gone', () => {
    const stream = new TestStream({ nodeLimit: CHUNK_ROWS });
    for (let step = 1; step <= 4; step++) {
      stream.step(step, 8).wholeGroup(`g${step}`, 'a', step, [1, 0, 0, 1, 0, 0, 0, 0]);
      stream.group(`fill${step}`, 'b', step, CHUNK_ROWS);
      for (let i = 0; i < CHUNK_ROWS; i++) {
        const rollout = `f${step}.${i}`;
        stream.add('rolloutOpened', { rollout, group: `fill${step}`, origin: 'sampled', use: 'train' });
        stream.add('nodeOpened', { node: `${rollout}/n`, rollout, kind: 'tokens', origin: 'sampled' });
        stream.add('rolloutClosed', { rollout, ending: 'finished', length: 1, reward: 0 });
      }
      stream.endStep(step).flush();
    }
    const { outcomes, unordered, steps } = whatIfRecord(stream.store, 1, 1)!;
    expect([stream.store.hasStep(1), outcomes, unordered]).toEqual([false, CHUNK_ROWS + 8, CHUNK_ROWS + 8]);
    const old = steps[0]!.prompts.find(({ input }) => input.id === 'a');
    expect([old?.meanTokens, old?.recorded.reduce((sum, one) => sum + one, 0)]).toEqual([10, 2]);
  });
});
