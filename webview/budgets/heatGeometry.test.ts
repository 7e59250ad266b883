import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AXIS, heatCellAt, heatGeometry, scrollAbout } from './heatGeometry';

describe('the heat map', () => {
  it('fits all rows and all columns until a person zooms', () => {
    const all = heatGeometry(1000, 624, 100_000, 200, 0, false);
    expect(all.total).toBeCloseTo(600);
    expect(all.labels + 200 * all.cellWidth).toBeLessThanOrEqual(1000);
    expect(heatGeometry(1000, 624, 100_000, 200, 8, false).rowHeight).toBe(8);
    expect(heatGeometry(1000, 624, 5, 200, 0, false).rowHeight).toBe(20);
    expect(heatGeometry(0, 0, 0, 0, 0, true)).toMatchObject({ total: 0, height: 0 });
  });

  it('finds the cell under a point, scrolled or not', () => {
    const geometry = heatGeometry(1000, 624, 500, 50, 10, false);
    const { labels, cellWidth } = geometry;
    expect(heatCellAt(geometry, 500, 50, labels + 1, AXIS + 1, 0)).toEqual({ row: 0, column: 0 });
    expect(heatCellAt(geometry, 500, 50, labels + 3.5 * cellWidth, AXIS + 25, 1000)).toEqual({
      row: 102,
      column: 3,
    });
    expect(heatCellAt(geometry, 500, 50, labels - 1, AXIS + 1, 0)).toBeNull();
    expect(heatCellAt(geometry, 500, 50, labels + 1, AXIS - 1, 0)).toBeNull();
  });

  it('keeps the row under the pointer while it zooms', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 20, noNaN: true }),
        fc.double({ min: 0.5, max: 20, noNaN: true }),
        fc.double({ min: 0, max: 600, noNaN: true }),
        fc.integer({ min: 0, max: 50_000 }),
        (before, after, y, scrollTop) => {
          const total = 100_000 * after;
          const place = scrollAbout(scrollTop, y, before, after, total, 600);
          const row = (scrollTop + y) / before;
          // At the ends the rows stop before they leave the picture.
          if (place > 0 && place < total - 600) expect((place + y) / after).toBeCloseTo(row, 3);
        },
      ),
    );
  });
});
