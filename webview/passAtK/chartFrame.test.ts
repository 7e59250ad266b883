import { describe, expect, it } from 'vitest';
import type { Curve } from '../../protocol/panels/passAtK';
import { frameOf, freeBaseline } from './chartFrame';
import type { DrawnView } from './drawnView';

const frame = (ends: readonly number[]) => {
  const curves = ends.map((end, i) => ({ key: String(i), value: [end, end], extrapolated: [end, end] }));
  const view = { k: [1, 2], largestK: 2, extrapolatedK: [2, 4], shown: '0', against: '1' };
  return frameOf({ ...view, curves: curves as unknown as Curve[] } as unknown as DrawnView, 600, 356, true);
};

describe('the word in the extrapolated ground', () => {
  it('stands at the top where no line runs there', () => {
    expect(freeBaseline(frame([0.5, 0.6]))).toBe(24);
  });

  it('stands below lines that run at the top, and below what is written there', () => {
    const made = frame([0.95, 0.98]);
    const at = freeBaseline(made);
    expect(at).toBeGreaterThan(made.y(0.95) + 34);
    expect(at).toBeLessThan(made.bottom - 64);
  });

  it('stands at the top where lines run everywhere', () => {
    expect(freeBaseline(frame([0, 1]))).toBe(24);
  });
});
