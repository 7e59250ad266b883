import type { BudgetsView } from '../../protocol/panels/budgets';
import { count } from '../shared/format';
import type { TableData } from '../shared/tableBehind';
import { COUNT_COLUMNS, type CountColumn } from './tableGeometry';
import { text } from './texts';

/** A count of the step; blank where the prompt is not in it. */
export const number = (n: number): string => (n < 0 ? '' : count(n));

/** The table behind the picture: every number of the prompts as text, the history as `step: rollouts`. */
export const promptNumbers = (view: BudgetsView, rows: readonly number[]): TableData => {
  const { prompts, history } = view;
  const all = history.steps.length;
  const decimals = (value: number | undefined): string =>
    value === undefined || Number.isNaN(value) ? text('rateNone') : value.toFixed(3).replace(/^0/, '');
  const byStep = (row: number): string =>
    history.steps
      .flatMap((step, i) => {
        const n = history.launched[row * all + i] ?? -1;
        return n < 0 ? [] : [`${step}: ${n}`];
      })
      .reverse()
      .join(', ');
  const columns: readonly { name: string; numeric?: boolean; cell: (row: number) => string }[] = [
    { name: text('prompt'), cell: (row) => prompts.id[row] ?? '' },
    { name: text('colDifficulty'), cell: (row) => prompts.difficulty[row] ?? '' },
    { name: text('colDomain'), cell: (row) => prompts.domain[row] ?? '' },
    { name: text('colN'), numeric: true, cell: (row) => count(prompts.n[row] ?? 0) },
    { name: text('colC'), numeric: true, cell: (row) => count(prompts.c[row] ?? 0) },
    { name: text('colRate'), numeric: true, cell: (row) => decimals(prompts.rate[row]) },
    { name: text('colLow'), numeric: true, cell: (row) => decimals(prompts.rateLow[row]) },
    { name: text('colHigh'), numeric: true, cell: (row) => decimals(prompts.rateHigh[row]) },
    { name: text('asRun'), numeric: true, cell: (row) => number(prompts.launched[row] ?? -1) },
    ...COUNT_COLUMNS.map((column: CountColumn) => ({
      name: text(column),
      numeric: true,
      cell: (row: number) => number(prompts[column][row] ?? -1),
    })),
    { name: text('carriedOver'), numeric: true, cell: (row) => number(prompts.carriedOver[row] ?? -1) },
    { name: text('colTokens'), numeric: true, cell: (row) => number(prompts.tokens[row] ?? -1) },
    { name: text('colHistory'), cell: byStep },
  ];
  return {
    caption: text('table', { step: view.step }),
    columns,
    rows: rows.length,
    cell: (i, column) => columns[column]?.cell(rows[i] ?? -1) ?? '',
  };
};
