import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellAt, neighbourOf, treemapLayout } from './treemapLayout';

const area = (edges: ArrayLike<number>, i: number): number =>
  (edges[i * 4 + 2]! - edges[i * 4]!) * (edges[i * 4 + 3]! - edges[i * 4 + 1]!);
const proportion = (edges: ArrayLike<number>, i: number): number => {
  const [w, h] = [edges[i * 4 + 2]! - edges[i * 4]!, edges[i * 4 + 3]! - edges[i * 4 + 1]!];
  return Math.max(w / h, h / w);
};
const layout = (values: readonly number[], width = 900, height = 600) =>
  treemapLayout(
    values.map((_, i) => i),
    (row) => values[row]!,
    width,
    height,
  );

describe('the treemap', () => {
  it('gives areas in proportion, without gap or overlap, greatest first', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 80 }), (values) => {
        const { rows, edges, others, total } = layout(values);
        expect(others).toBeNull();
        const sum = values.reduce((a, b) => a + b, 0);
        expect(total).toBe(sum);
        let covered = 0;
        rows.forEach((row, i) => {
          covered += area(edges, i);
          expect(area(edges, i)).toBeCloseTo((values[row]! / sum) * 900 * 600, -1);
          if (i > 0) expect(values[row]!).toBeLessThanOrEqual(values[rows[i - 1]!]!);
        });
        expect(covered).toBeCloseTo(900 * 600, -1);
      }),
    );
  });

  it('makes nearly square cells', () => {
    const { rows, edges } = layout(Array.from({ length: 128 }, (_, i) => 2 + ((i * 7) % 30)));
    const proportions = Array.from(rows, (_, i) => proportion(edges, i)).sort((a, b) => a - b);
    expect(proportions[64]).toBeLessThan(1.4);
    expect(proportions.at(-1)).toBeLessThan(4);
  });

  it('puts those too small to see into one cell that says how many they are', () => {
    const { rows, others, count } = layout([1_000_000, ...Array.from({ length: 500 }, () => 1)], 300, 200);
    expect([...rows]).toEqual([0]);
    expect(others).toMatchObject({ count: 500, sum: 500 });
    expect(count).toBe(501);
  });

  it('leaves out what has no amount', () => {
    const { rows, total } = layout([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 4]);
    expect([...rows]).toEqual([4]);
    expect(total).toBe(4);
    expect(layout([]).rows).toHaveLength(0);
    expect(layout([3], 0, 0).rows).toHaveLength(0);
  });

  it('finds the cell under a point and the one beyond an edge', () => {
    const four = layout([1, 1, 1, 1], 200, 200);
    const at = cellAt(four, 10, 10);
    expect(at).toBeGreaterThanOrEqual(0);
    const right = neighbourOf(four, at, 'ArrowRight');
    expect(right).not.toBe(at);
    expect(neighbourOf(four, right, 'ArrowLeft')).toBe(at);
    expect(neighbourOf(four, at, 'ArrowUp')).toBe(at);
    expect(cellAt(four, 500, 10)).toBe(-1);
  });
});
