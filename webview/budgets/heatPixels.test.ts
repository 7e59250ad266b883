import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HeatCells } from '../../protocol/panels/budgets';
import { heatOf } from '../../test/panels/fixtures/heatOf';
import { drawHeat } from './heatPixels';
import { cellValue, heatRange } from './heatValues';
import { Pixels } from './pixels';

const COLOURS = { sequential: Uint32Array.of(10, 11, 12, 13, 14, 15, 16), cell: 7, ground: 8, text: 9 };
const cells = (matrix: readonly (readonly number[])[]): HeatCells => ({
  ...heatOf(Float32Array.from(matrix.flat()), matrix[0]?.map((_, i) => i) ?? []),
  changes: [],
});
const draw = (heat: HeatCells, rows: readonly number[], width: number, height: number, top = 0, from = 0) => {
  const pixels = new Pixels();
  pixels.clear(width, height);
  drawHeat(
    pixels,
    {
      cells: heat,
      rows: Int32Array.from(rows),
      range: { least: 0, most: 7 },
      from,
      cellWidth: width / (heat.steps.length - from),
      rowHeight: height / rows.length,
      top,
      inset: 0,
    },
    COLOURS,
  );
  return pixels;
};

describe('cells of the heat map', () => {
  it('are found by row and column; what is not there is not there', () => {
    const heat = cells([
      [3, -1, 5],
      [-1, -1, -1],
      [-1, 0, -1],
    ]);
    expect([0, 1, 2].map((column) => cellValue(heat, 0, column))).toEqual([3, undefined, 5]);
    expect([0, 1, 2].map((column) => cellValue(heat, 1, column))).toEqual([undefined, undefined, undefined]);
    expect([0, 1, 2].map((column) => cellValue(heat, 2, column))).toEqual([undefined, 0, undefined]);
    expect(heatRange(heat, 3)).toEqual({ least: 0, most: 5 });
    expect(heatRange(heat, 1)).toEqual({ least: 5, most: 5 });
    expect(heatRange({ ...heat, measure: 'passRate' }, 3)).toEqual({ least: 0, most: 1 });
  });

  it('are painted in the order of the rows, blank where there is none', () => {
    const { data } = draw(
      cells([
        [6, -1],
        [-1, 2],
      ]),
      [1, 0],
      2,
      2,
    );
    expect([...data]).toEqual([0, 12, 16, 0]);
  });

  it('give the mean of the rows that share a pixel', () => {
    const { data } = draw(cells([[1], [3], [6], [6]]), [0, 1, 2, 3], 1, 2);
    expect([...data]).toEqual([12, 16]);
  });

  it('stay within the picture wherever it is scrolled to', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: -400, max: 10 }),
        fc.integer({ min: 1, max: 200 }),
        (rows, columns, top, height) => {
          const heat = cells(
            Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (__, c) => (r + c) % 8)),
          );
          const order = Array.from({ length: rows }, (_, i) => i);
          const { data } = draw(heat, order, 90, height, top);
          expect(data).toHaveLength(90 * height);
          for (const pixel of data) expect(pixel === 0 || pixel === 7 || pixel >= 10).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });
});
