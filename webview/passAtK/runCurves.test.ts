import { describe, expect, it } from 'vitest';
import { passAtK } from '../../methods/estimators/passAtK';
import type { PassAtKView } from '../../protocol/panels/passAtK';
import { runCurves, type RunView } from './runCurves';

type Count = readonly [prompt: string, n: number, c: number];

const runOf = (name: string, counts: readonly Count[]): RunView => {
  const view: PassAtKView = {
    source: 'heldOut',
    set: 'held-out',
    sets: ['held-out'],
    by: 'step',
    sampling: { temperature: 1, topP: 1 },
    k: [1],
    extrapolatedK: [],
    curves: [],
    keys: ['3'],
    shown: '3',
    against: '3',
    paired: true,
    fixedPrompts: counts.length,
    allPrompts: counts.length,
    largestK: 1,
    ranges: [],
    interval: 'cluster',
    difference: [],
    buckets: [],
    notes: [],
    threshold: null,
    rows: {
      prompt: counts.map(([prompt]) => prompt),
      difficulty: counts.map(([, , c]) => (c > 2 ? 'easy' : 'hard')),
      n: Int32Array.from(counts, ([, n]) => n),
      c: Int32Array.from(counts, ([, , c]) => c),
      againstN: new Int32Array(counts.length),
      againstC: new Int32Array(counts.length),
      needHalf: new Float64Array(counts.length),
      needNine: new Float64Array(counts.length),
      mixed: new Float64Array(counts.length),
      trained: new Uint8Array(counts.length),
      adviceRollouts: 8,
    },
  };
  return { key: `recorded:/${name}`, name, view };
};

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

describe('runs side by side', () => {
  const a = runOf('a', [
    ['p', 8, 4],
    ['q', 8, 1],
    ['only a', 8, 8],
  ]);
  const b = runOf('b', [
    ['q', 4, 2],
    ['p', 4, 1],
    ['only b', 4, 0],
  ]);

  it('stand over the prompts that all have, whatever their order, to the least n', () => {
    const view = runCurves([a, b], null);
    expect(view).toMatchObject({ k: [1, 2, 4], largestK: 4, fixedPrompts: 2, shown: a.key, against: b.key });
    const value = (key: string) => view?.curves.find((curve) => curve.key === key)?.value;
    const of = (counts: readonly (readonly [number, number])[]) =>
      [1, 2, 4].map((k) => mean(counts.map(([n, c]) => passAtK(n, c, k) ?? NaN)));
    expect(value(a.key)).toEqual(
      of([
        [8, 4],
        [8, 1],
      ]),
    );
    expect(value(b.key)).toEqual(
      of([
        [4, 1],
        [4, 2],
      ]),
    );
    expect(view?.difference.map(({ prompts }) => prompts)).toEqual([2, 2, 2]);
    expect(view?.notes.map(({ code }) => code)).toEqual(['fewerPrompts']);
    expect(view?.buckets.map(({ name, prompts }) => [name, prompts])).toEqual([
      ['easy', 1],
      ['hard', 1],
    ]);
  });

  it('without a common prompt stand each over their own, and nothing is compared', () => {
    const view = runCurves([a, runOf('c', [['z', 4, 2]])], null);
    expect(view?.curves.map(({ prompts }) => prompts)).toEqual([3, 1]);
    expect(view?.difference).toEqual([]);
    expect(view?.curves.every(({ crossing }) => crossing === null)).toBe(true);
    expect(view?.buckets).toEqual([]);
    expect(view?.notes.map(({ code }) => code)).toEqual(['differentPrompts']);
  });

  it('of one run alone is its own curve', () => {
    expect(runCurves([a], null)).toMatchObject({
      shown: a.key,
      against: a.key,
      largestK: 8,
      fixedPrompts: 3,
    });
    expect(runCurves([], null)).toBeNull();
  });
});
