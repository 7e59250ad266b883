import type { BudgetsView } from '../../protocol/panels/budgets';
import type { CanvasSize } from '../shared/canvas';
import { count } from '../shared/format';
import type { Palette } from '../shared/palette';
import { sequentialStep } from '../shared/scales';
import { isMissing } from './columns';
import { packedColours } from './packedColours';
import { cut } from './paintHeatMap';
import { Pixels } from './pixels';
import { text } from './texts';
import type { TreemapLayout } from './treemapLayout';

export interface TreemapPicture {
  readonly view: BudgetsView;
  readonly layout: TreemapLayout;
  /** Colour's value by row; missing: ground, outlined. */
  readonly values: ArrayLike<number>;
  readonly most: number;
  /** Place in the layout; −1: none. */
  readonly chosen: number;
}

const pixels = new Pixels();
const LEAST_LABEL = { width: 48, height: 16 };

export const paintTreemap = (
  context: CanvasRenderingContext2D,
  { view, layout, values, most, chosen }: TreemapPicture,
  { width, height, ratio }: CanvasSize,
  colours: Palette,
): void => {
  const { rows, edges, others } = layout;
  const { sequential, cell, ground } = packedColours(colours);
  const stepOf = (row: number): number => {
    const value = values[row] ?? Number.NaN;
    return isMissing(value) ? -1 : sequentialStep(value, 0, most);
  };
  pixels.clear(Math.round(width * ratio), Math.round(height * ratio));
  const edge = (list: Float32Array, i: number): number => Math.round((list[i] ?? 0) * ratio);
  for (let i = 0; i < rows.length; i++) {
    const at = i * 4;
    const [x0, y0, x1, y1] = [edge(edges, at), edge(edges, at + 1), edge(edges, at + 2), edge(edges, at + 3)];
    const gap = x1 - x0 >= 4 && y1 - y0 >= 4 ? 1 : 0;
    const step = stepOf(rows[i]!);
    pixels.cell(x0, y0, x1 - gap, y1 - gap, step < 0 ? ground : sequential[step]!, cell);
  }
  if (others)
    pixels.cell(
      edge(others.edges, 0),
      edge(others.edges, 1),
      edge(others.edges, 2),
      edge(others.edges, 3),
      ground,
      cell,
    );
  pixels.put(context, 0, 0);

  context.textBaseline = 'top';
  context.textAlign = 'left';
  context.font = colours.smallFont;
  const label = (list: Float32Array, at: number, words: string, ink: string): void => {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = list.subarray(at, at + 4);
    if (x1 - x0 < LEAST_LABEL.width || y1 - y0 < LEAST_LABEL.height) return;
    context.fillStyle = ink;
    context.fillText(cut(context, words, x1 - x0 - 8), x0 + 4, y0 + 3);
  };
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    // Greatest first: after the first cell that is too small by half, none has room.
    if ((edges[i * 4 + 2]! - edges[i * 4]!) * (edges[i * 4 + 3]! - edges[i * 4 + 1]!) < 384) break;
    const step = stepOf(row);
    const ink = step < 0 ? colours.text : (colours.sequentialInk[step] ?? colours.text);
    label(edges, i * 4, view.prompts.id[row] ?? '', ink);
  }
  if (others) label(others.edges, 0, text('treemapOthers', { n: count(others.count) }), colours.text);
  if (chosen >= 0) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = edges.subarray(chosen * 4, chosen * 4 + 4);
    context.strokeStyle = colours.ground;
    context.lineWidth = 4;
    context.strokeRect(x0 + 1, y0 + 1, Math.max(1, x1 - x0 - 3), Math.max(1, y1 - y0 - 3));
    context.strokeStyle = colours.text;
    context.lineWidth = 2;
    context.strokeRect(x0 + 1, y0 + 1, Math.max(1, x1 - x0 - 3), Math.max(1, y1 - y0 - 3));
  }
};
