import type { BudgetsView } from '../../protocol/panels/budgets';
import type { CanvasSize } from '../shared/canvas';
import type { Palette } from '../shared/palette';
import type { RowWindow } from '../shared/virtualWindow';
import { drawHeat } from './heatPixels';
import type { Range } from './heatValues';
import { packedColours } from './packedColours';
import { Pixels } from './pixels';
import type { Rows } from './promptOrder';
import { ROW, type TableGeometry } from './tableGeometry';

export interface RowsPicture {
  readonly view: BudgetsView;
  /** Places in the view's columns, in the order shown. */
  readonly rows: Rows;
  readonly geometry: TableGeometry;
  readonly chosen: number;
  readonly range: Range;
  /** Greatest count as run, for the bars. */
  readonly mostLaunched: number;
}

const pixels = new Pixels();

/** Heat cells, pass rates with intervals and count bars of the rendered rows; one canvas for all of them. */
export const paintRows = (
  context: CanvasRenderingContext2D,
  window: RowWindow,
  picture: RowsPicture,
  size: CanvasSize,
  colours: Palette,
): void => {
  paintCells(context, window, picture, size, colours);
  paintRates(context, window, picture, colours);
  paintBars(context, window, picture, colours);
};

const paintCells = (
  context: CanvasRenderingContext2D,
  window: RowWindow,
  { view, rows, geometry, range }: RowsPicture,
  { ratio }: CanvasSize,
  colours: Palette,
): void => {
  const { heat } = geometry;
  const { steps } = view.history;
  const count = window.end - window.first;
  pixels.clear(Math.round(heat.steps * heat.cell * ratio), Math.round(count * ROW * ratio));
  drawHeat(
    pixels,
    {
      cells: view.history,
      rows,
      range,
      from: Math.max(0, steps.length - heat.steps),
      cellWidth: heat.cell * ratio,
      rowHeight: ROW * ratio,
      top: -window.first * ROW * ratio,
      inset: 2 * ratio,
    },
    packedColours(colours),
  );
  pixels.put(context, Math.round(heat.x * ratio), 0);
};

const paintRates = (
  context: CanvasRenderingContext2D,
  window: RowWindow,
  { view, rows, geometry, chosen }: RowsPicture,
  colours: Palette,
): void => {
  const { x, width } = geometry.rate;
  const { rate, rateLow, rateHigh } = view.prompts;
  const middleOf = (i: number): number => (i - window.first) * ROW + ROW / 2;
  const line = (i: number, from: number, to: number, thick: number): void =>
    context.fillRect(x + from * width, middleOf(i) - thick / 2 + 0.5, (to - from) * width, thick);
  context.fillStyle = colours.grid;
  for (let i = window.first; i < window.end; i++) line(i, 0, 1, 1);
  for (const [colour, own] of [
    [colours.second, false],
    [colours.activeText, true],
  ] as const) {
    context.fillStyle = colour;
    for (let i = window.first; i < window.end; i++) {
      const row = rows[i]!;
      if ((i === chosen) === own && !Number.isNaN(rate[row]!)) line(i, rateLow[row]!, rateHigh[row]!, 1.5);
    }
    context.fillStyle = own ? colour : colours.text;
    context.beginPath();
    for (let i = window.first; i < window.end; i++) {
      const value = rate[rows[i]!]!;
      if ((i === chosen) !== own || Number.isNaN(value)) continue;
      context.moveTo(x + value * width + 3, middleOf(i) + 0.5);
      context.arc(x + value * width, middleOf(i) + 0.5, 3, 0, 2 * Math.PI);
    }
    context.fill();
  }
};

const paintBars = (
  context: CanvasRenderingContext2D,
  window: RowWindow,
  { view, rows, geometry, chosen, mostLaunched }: RowsPicture,
  colours: Palette,
): void => {
  const { run } = geometry;
  const most = run.width - run.bar - 8;
  for (let i = window.first; i < window.end; i++) {
    const launched = view.prompts.launched[rows[i]!]!;
    if (launched <= 0) continue;
    context.fillStyle = i === chosen ? colours.activeText : colours.second;
    const width = Math.max(1, (launched / Math.max(1, mostLaunched)) * most);
    context.fillRect(run.x + run.bar, (i - window.first) * ROW + 6, width, 8);
  }
};
