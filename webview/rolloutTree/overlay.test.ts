import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TreeView } from '../../protocol/panels/tree';
import { eachRun, overlaysOf, type Run } from './overlay';

const view = (series: readonly number[], bin: number, length: number, entropy = NaN): TreeView => {
  const f = (...x: number[]) => Float32Array.from(x);
  const i = (...x: number[]) => Int32Array.from(x);
  const part = {
    series: Float32Array.from(series),
    bin,
    nodes: {
      rollout: i(0),
      length: i(length),
      entropy: f(entropy),
      logProb: f(NaN),
      seriesFrom: i(0),
      seriesCount: i(series.length),
    },
    rollouts: { advantage: f(NaN), reward: f(NaN) },
  };
  return part as unknown as TreeView;
};
const ENTROPY = { name: 'entropy', scale: 'seq', min: 0, max: 3.2 } as const;

const runs = (tree: TreeView, perPixel: number): readonly Run[] => {
  const list: Run[] = [];
  eachRun(tree, ENTROPY, 0, perPixel, (from, to, step) => list.push({ from, to, step }));
  return list;
};

describe('runs of a strip', () => {
  it('cover the node without gap or overlap, each differing from the one before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 4, noNaN: true }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 16 }),
        fc.double({ min: 0.05, max: 60, noNaN: true }),
        (series, bin, perPixel) => {
          const length = series.length * bin;
          const list = runs(view(series, bin, length), perPixel);
          expect(list[0]?.from).toBe(0);
          expect(list.at(-1)?.to).toBe(length);
          for (let i = 1; i < list.length; i++) {
            expect(list[i]?.from).toBe(list[i - 1]?.to);
            expect(list[i]?.step).not.toBe(list[i - 1]?.step);
          }
          const top = Math.max(...list.map((run) => run.step));
          expect(top).toBe(Math.min(6, Math.floor((Math.max(...series) / 3.2) * 7)));
        },
      ),
    );
  });

  it('are the mean of the node when there are no bins', () => {
    expect(runs(view([], 8, 30, 3), 1)).toEqual([{ from: 0, to: 30, step: 6 }]);
    expect(runs(view([], 8, 30), 1)).toEqual([{ from: 0, to: 30, step: -1 }]);
  });
});

describe('overlays', () => {
  it('are offered only where there are numbers', () => {
    expect(overlaysOf(view([], 8, 30))).toEqual([]);
    expect(overlaysOf(view([0.4], 8, 30)).map((o) => o.name)).toEqual(['entropy']);
  });
});
