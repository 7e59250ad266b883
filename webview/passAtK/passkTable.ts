import type { PassAtKView } from '../../protocol/panels/passAtK';
import { count, passAt } from '../shared/format';
import type { TableData } from '../shared/tableBehind';
import { text } from './texts';

/** Every curve with its interval as text: one row a step and k. */
export const passkTable = (view: PassAtKView): TableData => ({
  caption: text('tableCaption'),
  columns: [
    { name: text('colStep'), numeric: true },
    { name: 'k', numeric: true },
    { name: text('chart'), numeric: true },
    { name: '95 %, low', numeric: true },
    { name: '95 %, high', numeric: true },
    { name: 'n', numeric: true },
    { name: text('colPrompts'), numeric: true },
  ],
  rows: view.curves.length * view.k.length,
  cell: (row, column) => {
    const curve = view.curves[Math.floor(row / view.k.length)];
    const i = row % view.k.length;
    if (!curve) return '';
    const p = (x: number | undefined): string =>
      x === undefined || !Number.isFinite(x) ? text('undefinedN') : passAt(x);
    return (
      [
        count(curve.step),
        count(view.k[i] ?? 1),
        p(curve.value[i]),
        p(curve.low[i]),
        p(curve.high[i]),
        count(curve.nMin),
        count(curve.prompts),
      ][column] ?? ''
    );
  },
});
