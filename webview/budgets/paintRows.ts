import type { BudgetsView } from '../../protocol/panels/budgets';
import type { Palette } from '../shared/palette';
import { sequentialStep } from '../shared/scales';
import type { RowWindow } from '../shared/virtualWindow';
import { ROW, type TableGeometry } from './tableGeometry';

export interface RowsPicture {
  readonly view: BudgetsView;
  /** Places in the view's columns, in the order shown. */
  readonly rows: readonly number[];
  readonly geometry: TableGeometry;
  readonly chosen: number;
  readonly range: { readonly least: number; readonly most: number };
}

/** Least and greatest count of rollouts of a prompt in the steps shown; 0 and 0 when there is none. */
export const countRange = (
  view: BudgetsView,
  steps: number,
): { readonly least: number; readonly most: number } => {
  const all = view.history.steps.length;
  const from = Math.max(0, all - steps);
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let row = 0; row < view.prompts.id.length; row++) {
    for (let i = from; i < all; i++) {
      const n = view.history.launched[row * all + i] ?? -1;
      if (n < 0) continue;
      if (n < least) least = n;
      if (n > most) most = n;
    }
  }
  return Number.isFinite(least) ? { least, most } : { least: 0, most: 0 };
};

/** Heat cells, pass rates with intervals and count bars of the rendered rows; one canvas for all of them. */
export const paintRows = (
  context: CanvasRenderingContext2D,
  window: RowWindow,
  { view, rows, geometry, chosen, range }: RowsPicture,
  colours: Palette,
): void => {
  const { prompts, history } = view;
  const { heat, rate, run } = geometry;
  const all = history.steps.length;
  const from = Math.max(0, all - heat.steps);
  const barMost = run.width - run.bar - 8;
  const highest = Math.max(1, range.most);
  for (let i = window.first; i < window.end; i++) {
    const row = rows[i];
    if (row === undefined) continue;
    const y = (i - window.first) * ROW;
    const ink = i === chosen ? colours.activeText : colours.text;

    context.lineWidth = 0.5;
    context.strokeStyle = colours.cell;
    for (let s = from; s < all; s++) {
      const n = history.launched[row * all + s] ?? -1;
      if (n < 0) continue;
      const step = sequentialStep(n, range.least, range.most);
      const x = heat.x + (s - from) * heat.cell;
      context.fillStyle = colours.sequential[Math.max(0, step)] ?? colours.text;
      context.fillRect(x, y + 2, heat.cell - 1, ROW - 4);
      context.strokeRect(x + 0.25, y + 2.25, heat.cell - 1.5, ROW - 4.5);
    }

    const value = prompts.rate[row] ?? Number.NaN;
    const middle = y + ROW / 2 + 0.5;
    context.lineWidth = 1;
    context.strokeStyle = colours.grid;
    context.beginPath();
    context.moveTo(rate.x, middle);
    context.lineTo(rate.x + rate.width, middle);
    context.stroke();
    if (!Number.isNaN(value)) {
      const low = prompts.rateLow[row] ?? value;
      const high = prompts.rateHigh[row] ?? value;
      context.lineWidth = 1.5;
      context.strokeStyle = i === chosen ? ink : colours.second;
      context.beginPath();
      context.moveTo(rate.x + low * rate.width, middle);
      context.lineTo(rate.x + high * rate.width, middle);
      context.stroke();
      context.fillStyle = ink;
      context.beginPath();
      context.arc(rate.x + value * rate.width, middle, 3, 0, 2 * Math.PI);
      context.fill();
    }

    const launched = prompts.launched[row] ?? -1;
    if (launched > 0) {
      context.fillStyle = i === chosen ? ink : colours.second;
      context.fillRect(run.x + run.bar, y + 6, Math.max(1, (launched / highest) * barMost), 8);
    }
  }
};
