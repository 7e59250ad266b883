import { describe, expect, it } from 'vitest';
import { passAtK } from '../../methods/estimators/passAtK';
import { NEWEST_CURVES, type PassAtKParams, type PassAtKView } from '../../protocol/panels/passAtK';
import { TestStream } from '../testing/testStream';
import { passAtKView } from './passAtK';

const TRAINING: PassAtKParams = { ...NEWEST_CURVES, source: 'training' };

function evaluate(
  stream: TestStream,
  step: number,
  problems: readonly (readonly [prompt: string, n: number, c: number])[],
): void {
  stream.add('evaluation', {
    evaluation: `e${step}`,
    name: 'held-out',
    step,
    policyVersion: step,
    sampling: { temperature: 1 },
    problems: {
      prompts: problems.map(([prompt]) => prompt),
      n: problems.map(([, n]) => n),
      c: problems.map(([, , c]) => c),
    },
  });
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
const ofStep = (view: PassAtKView, step: number) => view.curves.find(({ key }) => key === String(step))!;

describe('pass@k of a held-out set', () => {
  const stream = new TestStream();
  stream.add('promptDeclared', { prompt: 'a', difficulty: 'easy' });
  stream.add('promptDeclared', { prompt: 'b', difficulty: 'hard' });
  // From step 0 to 5 the easy one is learnt and the hard one lost: accuracy up, coverage down.
  evaluate(stream, 0, [
    ['a', 8, 2],
    ['b', 8, 2],
    ['short', 2, 1],
  ]);
  evaluate(stream, 5, [
    ['a', 8, 8],
    ['b', 8, 0],
    ['short', 2, 1],
  ]);
  const view = passAtKView(stream.flush().store, NEWEST_CURVES)!;

  it('stands over the prompts with n of at least the greatest k', () => {
    expect(view.k).toEqual([1, 2, 4, 8]);
    expect(view).toMatchObject({
      set: 'held-out',
      largestK: 8,
      fixedPrompts: 2,
      allPrompts: 3,
      shown: '5',
      against: '0',
    });
    const reference = view.k.map((k) => mean([passAtK(8, 2, k)!, passAtK(8, 2, k)!]));
    ofStep(view, 0).value.forEach((value, i) => expect(value).toBeCloseTo(reference[i]!, 12));
    expect(ofStep(view, 5).value).toEqual([0.5, 0.5, 0.5, 0.5]);
  });

  it('gives paired differences in points and the crossing between the curves', () => {
    expect(view.difference.find(({ k }) => k === 1)).toMatchObject({ key: '5', value: 25, prompts: 2 });
    expect(view.difference.find(({ k }) => k === 8)!.value).toBeCloseTo(-50, 10);
    expect(ofStep(view, 5).crossing).toBeGreaterThan(1);
    expect(ofStep(view, 5).crossing).toBeLessThan(4);
    expect(ofStep(view, 0).crossing).toBeNull();
  });

  it('says how the interval was made and gives the same one again', () => {
    expect(view.interval).toBe('bootstrap');
    const again = passAtKView(stream.store, NEWEST_CURVES)!;
    expect(again).toEqual(view);
    const { low, high, value } = ofStep(view, 0);
    value.forEach((x, i) => {
      expect(low[i]).toBeLessThanOrEqual(x + 1e-12);
      expect(high[i]).toBeGreaterThanOrEqual(x - 1e-12);
    });
  });

  it('has a bucket a declared difficulty', () => {
    expect(view.buckets.map(({ name, prompts }) => [name, prompts])).toEqual([
      ['easy', 1],
      ['hard', 1],
    ]);
    expect(view.buckets[1]!.shown).toEqual([0, 0, 0, 0]);
  });

  it('uses cluster standard errors from 200 prompts on', () => {
    const large = new TestStream();
    const problems = Array.from({ length: 200 }, (_, i) => [`p${i}`, 4, i % 5] as const);
    evaluate(large, 0, problems);
    const one = passAtKView(large.flush().store, NEWEST_CURVES)!;
    expect(one.interval).toBe('cluster');
    expect(ofStep(one, 0).high[0]! - ofStep(one, 0).value[0]!).toBeCloseTo(
      1.96 * Math.sqrt(0.5 ** 2 / 2 / 199),
      2,
    );
    expect(one.difference).toEqual([]);
  });

  it('shows nothing before anything was measured', () => {
    expect(passAtKView(new TestStream().step(1).flush().store, NEWEST_CURVES)).toBeNull();
  });

  it('is quick for counts that no job has', () => {
    const hostile = new TestStream();
    evaluate(hostile, 0, [['a', 2 ** 52, 2 ** 51]]);
    expect(passAtKView(hostile.flush().store, NEWEST_CURVES)!.largestK).toBe(16_384);
  });
});

describe('pass@k of training groups', () => {
  it('counts only rollouts that began at the prompt', () => {
    const stream = new TestStream().step(1).group('g', 'p', 1, 3).rollout('a', 'g').rollout('b', 'g');
    stream.rollout('f', 'g', { origin: 'forked', fromNode: 'a/n', at: 2 });
    stream.end('a', 1).end('b', 0).end('f', 1).endStep(1).flush();
    const view = passAtKView(stream.store, TRAINING)!;
    expect(view.k).toEqual([1, 2]);
    expect(ofStep(view, 1)).toMatchObject({ value: [0.5, 1], nMin: 2, nMax: 2 });
    expect(view.sampling).toEqual({ temperature: null, topP: null });
  });
});
