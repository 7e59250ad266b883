import type { BudgetsView } from '../../protocol/panels/budgets';
import type { CanvasSize } from '../shared/canvas';
import { count } from '../shared/format';
import type { Palette } from '../shared/palette';
import { roundTicks } from '../shared/scales';
import { AXIS, NAMED_ROW, type HeatGeometry } from './heatGeometry';
import { drawHeat } from './heatPixels';
import type { Range } from './heatValues';
import { packedColours } from './packedColours';
import { Pixels } from './pixels';
import type { Rows } from './promptOrder';

export interface HeatPicture {
  readonly view: BudgetsView;
  readonly rows: Rows;
  readonly geometry: HeatGeometry;
  readonly range: Range;
  /** Place in `rows`; −1: none. */
  readonly chosen: number;
  readonly scrollTop: number;
}

const pixels = new Pixels();

export const paintHeatMap = (
  context: CanvasRenderingContext2D,
  picture: HeatPicture,
  size: CanvasSize,
  colours: Palette,
): void => {
  const { view, rows, geometry, range, scrollTop } = picture;
  const { ratio } = size;
  const { labels, cellWidth, rowHeight, height } = geometry;
  const columns = view.history.steps.length;
  pixels.clear(Math.ceil(columns * cellWidth * ratio), Math.ceil(height * ratio));
  drawHeat(
    pixels,
    {
      cells: view.history,
      rows,
      range,
      from: 0,
      cellWidth: cellWidth * ratio,
      rowHeight: rowHeight * ratio,
      top: -scrollTop * ratio,
      inset: ratio,
    },
    packedColours(colours),
  );
  pixels.put(context, Math.round(labels * ratio), Math.round(AXIS * ratio));
  paintSteps(context, picture, size, colours);
  paintNames(context, picture, colours);
  paintChosen(context, picture, size, colours);
};

/** Numbers of steps above, lines where the method changed, a bracket over the steps of the subject. */
const paintSteps = (
  context: CanvasRenderingContext2D,
  { view, geometry: { labels, cellWidth } }: HeatPicture,
  { height }: CanvasSize,
  colours: Palette,
): void => {
  const { steps, changes } = view.history;
  const { first, last } = view.subject;
  context.font = colours.smallFont;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((n) => n * cellWidth >= 44) ?? 1000;
  const middle = (i: number): number => labels + (i + 0.5) * cellWidth;
  const inSubject = steps.flatMap((step, i) => (step >= first && step <= last ? [i] : []));
  const [from, to] = [inSubject[0], inSubject.at(-1)];
  context.fillStyle = colours.second;
  steps.forEach((step, i) => {
    if (step % every === 0) context.fillText(String(step), middle(i), 10);
  });
  if (from !== undefined && to !== undefined) {
    context.fillStyle = colours.text;
    context.fillRect(labels + from * cellWidth, AXIS - 4, Math.max(2, (to - from + 1) * cellWidth - 1), 2);
  }
  context.strokeStyle = colours.text;
  context.lineWidth = 1;
  context.setLineDash([2, 2]);
  for (const { step } of changes) {
    const i = steps.indexOf(step);
    if (i < 0) continue;
    const x = Math.round(labels + i * cellWidth) - 0.5;
    context.beginPath();
    context.moveTo(x, AXIS - 6);
    context.lineTo(x, height);
    context.stroke();
  }
  context.setLineDash([]);
};

/** Ids beside their rows; where rows have no room for them, the places in the order. */
const paintNames = (
  context: CanvasRenderingContext2D,
  { view, rows, geometry, chosen, scrollTop }: HeatPicture,
  colours: Palette,
): void => {
  const { labels, rowHeight, height } = geometry;
  context.save();
  context.beginPath();
  context.rect(0, AXIS, labels - 8, height);
  context.clip();
  context.font = colours.smallFont;
  context.textBaseline = 'middle';
  if (rowHeight >= NAMED_ROW) {
    context.textAlign = 'left';
    const first = Math.max(0, Math.floor(scrollTop / rowHeight));
    const end = Math.min(rows.length, Math.ceil((scrollTop + height) / rowHeight));
    for (let i = first; i < end; i++) {
      context.font = i === chosen ? colours.strongFont : colours.smallFont;
      context.fillStyle = colours.text;
      const id = view.prompts.id[rows[i]!] ?? '';
      context.fillText(cut(context, id, labels - 32), 16, AXIS + (i + 0.5) * rowHeight - scrollTop);
    }
  } else {
    context.textAlign = 'right';
    context.fillStyle = colours.second;
    for (const tick of roundTicks(rows.length, 8)) {
      const y = AXIS + tick * rowHeight - scrollTop;
      if (y < AXIS - 1 || y > AXIS + height) continue;
      context.fillText(count(tick), labels - 12, Math.min(AXIS + height - 6, Math.max(AXIS + 6, y)));
    }
  }
  context.restore();
};

/** A text that fits, with its end cut off if need be. */
export const cut = (context: CanvasRenderingContext2D, whole: string, width: number): string => {
  if (whole.length * 4 < width || context.measureText(whole).width <= width) return whole;
  let low = 0;
  let high = whole.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${whole.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return `${whole.slice(0, low)}…`;
};

const paintChosen = (
  context: CanvasRenderingContext2D,
  { view, geometry, chosen, scrollTop }: HeatPicture,
  { width }: CanvasSize,
  colours: Palette,
): void => {
  if (chosen < 0) return;
  const { labels, rowHeight, cellWidth, height } = geometry;
  const y = AXIS + chosen * rowHeight - scrollTop;
  if (y + rowHeight < AXIS || y > AXIS + height) return;
  const right = Math.min(width, labels + view.history.steps.length * cellWidth + 2);
  context.strokeStyle = colours.text;
  context.lineWidth = 1.5;
  context.strokeRect(labels - 2, y - 1, right - labels + 2, Math.max(3, rowHeight + 1));
};
