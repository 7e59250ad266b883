import { describe, expect, it } from 'vitest';
import {
  NEWEST_CURVES,
  type PassAtKParams,
  type PassAtKView,
  type PasskNote,
} from '../../protocol/panels/passAtK';
import type { EventFields } from '../../protocol/wire/event';
import { TestStream } from '../testing/testStream';
import { passAtKView } from './passAtK';

const TRAINING: PassAtKParams = { ...NEWEST_CURVES, source: 'training' };

type Body = EventFields<'decision'>['body'];

/** Four rollouts from the prompt and two that leave the first of them at token 4. */
function forked(
  body: Partial<Body> | null,
  ends: readonly (number | null)[] = [1, 0, 0, 1, 1, 0],
): TestStream {
  const stream = new TestStream().step(1).group('g', 'p', 1, 6);
  for (let i = 0; i < 4; i++) stream.rollout(`r${i}`, 'g');
  if (body !== null) {
    stream.add('decision', {
      decision: 'd',
      kind: 'fork',
      method: 'rule',
      step: 1,
      sentence: 'Forked.',
      body: { parameters: {}, subjects: { type: 'node', ids: ['r0/n'] }, ...body },
    });
  }
  for (const i of [4, 5]) {
    stream.rollout(`r${i}`, 'g', {
      origin: 'forked',
      fromNode: 'r0/n',
      at: 4,
      ...(body === null ? {} : { decision: 'd' }),
    });
  }
  ends.forEach((reward, i) => {
    if (reward === null) stream.end(`r${i}`, null, { ending: 'pruned' });
    else stream.end(`r${i}`, reward);
  });
  return stream.closeGroup('g', { launched: 6, finished: 6 }).endStep(1).flush();
}

const viewOf = (stream: TestStream, params: Partial<PassAtKParams> = {}): PassAtKView => {
  const view = passAtKView(stream.store, { ...TRAINING, ...params });
  if (!view) throw new Error('nothing to show');
  return view;
};
const noted = (view: PassAtKView, code: PasskNote['code']) => view.notes.find((note) => note.code === code);
const ONLINE = { position: 'online', children: 'same-policy' } as const;
const ROOTS = [0.5, 1 - 1 / 6, 1];

describe('training groups that fork', () => {
  it('count all leaves, a tree a unit, where the rule looked only at what came before', () => {
    const view = viewOf(forked(ONLINE));
    // Trees: (1 + 1 + 0) / 3 by children, then 0, 0, 1; pass@k by the subsets of their misses.
    const misses = [1 / 3, 1, 1, 0];
    const pairs = misses.flatMap((x, i) => misses.slice(i + 1).map((y) => x * y));
    const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length;
    const expected = [1 - mean(misses), 1 - mean(pairs), 1];
    view.curves[0]?.value.forEach((value, i) => expect(value).toBeCloseTo(expected[i] ?? NaN, 12));
    expect(noted(view, 'treeAware')?.values).toEqual({ groups: 1, all: 1 });
    expect(noted(view, 'rootsOnly')).toBeUndefined();
  });

  it.each([
    ['position', { position: 'after-outcome', children: 'same-policy' }],
    ['position', { children: 'same-policy' }],
    ['position', null],
    ['children', { position: 'online', children: 'forced-token' }],
    ['version', { ...ONLINE, versionBefore: 1, versionAfter: 2 }],
    ['sampling', { ...ONLINE, samplingBefore: { temperature: 1 }, samplingAfter: { temperature: 0.6 } }],
  ] as const)('fall back to the rollouts from the prompt: %s', (because, body) => {
    const view = viewOf(forked(body));
    view.curves[0]?.value.forEach((value, i) => expect(value).toBeCloseTo(ROOTS[i] ?? NaN, 12));
    expect(noted(view, 'rootsOnly')?.values).toEqual({ groups: 1, all: 1, because });
    expect(noted(view, 'treeAware')).toBeUndefined();
  });

  it('fall back where a child was pruned: what is left was selected', () => {
    const view = viewOf(forked(ONLINE, [1, 0, 0, 1, 1, null]));
    view.curves[0]?.value.forEach((value, i) => expect(value).toBeCloseTo(ROOTS[i] ?? NaN, 12));
    expect(noted(view, 'rootsOnly')?.values).toMatchObject({ because: 'pruned' });
  });

  it('put the samples of several steps together by method, and say so', () => {
    const stream = new TestStream();
    for (const [step, rewards] of [
      [1, [1, 0, 0, 0]],
      [2, [1, 1, 0, 0]],
    ] as const) {
      stream.step(step);
      stream.add('decision', {
        decision: `d${step}`,
        kind: 'allocate',
        method: 'knapsack',
        step,
        sentence: 'Planned.',
        body: { parameters: {}, subjects: { type: 'prompt', ids: ['p'] } },
      });
      stream.wholeGroup(`g${step}`, 'p', step, rewards).endStep(step);
    }
    const view = viewOf(stream.flush(), { by: 'method' });
    expect(view.curves).toHaveLength(1);
    expect(view.curves[0]).toMatchObject({ key: 'knapsack', pooled: 2, samples: 8, correct: 3 });
    expect(view.curves[0]?.value[0]).toBe(3 / 8);
    expect(noted(view, 'pooled')?.values).toEqual({ most: 2 });
  });
});

describe('rewards that are not binary', () => {
  const stream = new TestStream().step(1).wholeGroup('g', 'p', 1, [1, 0.6, 0.2, 0]).endStep(1).flush();

  it('are counted by the job’s threshold, and that is said', () => {
    const view = viewOf(stream);
    expect(view.curves[0]?.value[0]).toBe(0.5);
    expect(view.threshold).toBe(0.5);
    expect(noted(view, 'nonBinary')?.values).toEqual({ groups: 1, all: 1, threshold: 0.5 });
  });

  it('are counted anew by a threshold that a person chose', () => {
    for (const [threshold, share] of [
      [1, 0.25],
      [0.2, 0.75],
      [-1, 1],
    ] as const) {
      const view = viewOf(stream, { threshold });
      expect(view.curves[0]?.value[0]).toBe(share);
      expect(noted(view, 'threshold')?.values).toEqual({ value: threshold });
    }
  });

  it('are left alone where they are 0 and 1', () => {
    const binary = new TestStream().step(1).wholeGroup('g', 'p', 1, [1, 0, 0, 1]).endStep(1).flush();
    expect(noted(viewOf(binary), 'nonBinary')).toBeUndefined();
  });
});

describe('an allocator that stops at the first success', () => {
  const groups = (rewards: (i: number) => readonly number[]): TestStream => {
    const stream = new TestStream().step(1);
    for (let i = 0; i < 8; i++) stream.wholeGroup(`g${i}`, `p${i}`, 1, rewards(i));
    return stream.endStep(1).flush();
  };

  it('is flagged: n depends on the outcomes', () => {
    const view = viewOf(groups((i) => [...Array.from({ length: 2 + (i % 4) }, () => 0), 1]));
    expect(noted(view, 'stopsOnSuccess')?.values).toEqual({ groups: 8 });
  });

  it('is not suspected where one group goes on after a success', () => {
    const view = viewOf(groups((i) => (i === 3 ? [0, 1, 0] : [0, 0, 0, 1])));
    expect(noted(view, 'stopsOnSuccess')).toBeUndefined();
  });
});
