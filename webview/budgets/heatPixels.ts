import type { HeatCells } from '../../protocol/panels/budgets';
import { sequentialStep } from '../shared/scales';
import type { Range } from './heatValues';
import type { PackedColours } from './packedColours';
import type { Pixels } from './pixels';
import type { Rows } from './promptOrder';

export interface HeatWindow {
  readonly cells: HeatCells;
  /** In the order shown. */
  readonly rows: Rows;
  readonly range: Range;
  /** First column shown; the others follow to the last. */
  readonly from: number;
  /** Device pixels a column, a row; both may be fractions. */
  readonly cellWidth: number;
  readonly rowHeight: number;
  /** Device pixels above the picture's top that the rows begin at (scrolled: negative). */
  readonly top: number;
  /** Device pixels left blank above and below a cell, where rows are high enough for it. */
  readonly inset: number;
}

/** Rows that one pixel stands for are looked at through at most so many of them, evenly spread. */
const SAMPLES = 8;

/** Cells of the rows in view; where several rows share a pixel, the mean of their cells. */
export const drawHeat = (pixels: Pixels, window: HeatWindow, colours: PackedColours): void => {
  if (window.rowHeight >= 1) drawRows(pixels, window, colours);
  else drawMeans(pixels, window, colours);
};

const drawRows = (pixels: Pixels, window: HeatWindow, { sequential, cell, ground }: PackedColours): void => {
  const { cells, rows, range, from, cellWidth, rowHeight, top } = window;
  const { start, column, value } = cells;
  const first = Math.max(0, Math.floor(-top / rowHeight));
  const end = Math.min(rows.length, Math.ceil((pixels.height - top) / rowHeight));
  const inset = rowHeight >= 4 * window.inset + 4 ? window.inset : rowHeight >= 3 ? 0.5 : 0;
  const gap = cellWidth >= 3 ? 1 : 0;
  for (let i = first; i < end; i++) {
    const row = rows[i]!;
    const y0 = Math.round(top + i * rowHeight + inset);
    const y1 = Math.max(y0 + 1, Math.round(top + (i + 1) * rowHeight - inset));
    // Columns rise: from the last one back, until one lies left of the picture.
    for (let at = start[row + 1]! - 1; at >= start[row]!; at--) {
      const place = column[at]! - from;
      if (place < 0) break;
      const x0 = Math.round(place * cellWidth);
      const x1 = Math.max(x0 + 1, Math.round((place + 1) * cellWidth) - gap);
      const step = value[at]! < 0 ? -1 : sequentialStep(value[at]!, range.least, range.most);
      // In a narrow cell the outline would take the colour's place; only the palest need it to be seen.
      if (step > 0 && x1 - x0 < 6) pixels.fill(x0, y0, x1, y1, sequential[step]!);
      else pixels.cell(x0, y0, x1, y1, step < 0 ? ground : sequential[step]!, cell);
    }
  }
};

const drawMeans = (pixels: Pixels, window: HeatWindow, { sequential }: PackedColours): void => {
  const { cells, rows, range, from, cellWidth, rowHeight, top } = window;
  const { start, column, value, steps } = cells;
  const columns = steps.length - from;
  const sums = new Float64Array(columns);
  const counts = new Int32Array(columns);
  const bottom = Math.min(pixels.height, Math.ceil(top + rows.length * rowHeight));
  for (let y = Math.max(0, Math.floor(top)); y < bottom; y++) {
    const first = Math.max(0, Math.floor((y - top) / rowHeight));
    const end = Math.min(rows.length, Math.max(first + 1, Math.floor((y + 1 - top) / rowHeight)));
    const stride = Math.max(1, (end - first) / SAMPLES);
    sums.fill(0);
    counts.fill(0);
    for (let sample = first; sample < end; sample += stride) {
      const row = rows[Math.floor(sample)]!;
      for (let at = start[row + 1]! - 1; at >= start[row]!; at--) {
        const place = column[at]! - from;
        if (place < 0) break;
        if (value[at]! < 0) continue;
        sums[place]! += value[at]!;
        counts[place]! += 1;
      }
    }
    for (let place = 0; place < columns; place++) {
      if (counts[place] === 0) continue;
      const step = sequentialStep(sums[place]! / counts[place]!, range.least, range.most);
      const x0 = Math.round(place * cellWidth);
      pixels.fill(x0, y, Math.max(x0 + 1, Math.round((place + 1) * cellWidth)), y + 1, sequential[step]!);
    }
  }
};
