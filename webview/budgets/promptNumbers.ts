import type { BudgetsView } from '../../protocol/panels/budgets';
import { count, large } from '../shared/format';
import type { TableData } from '../shared/tableBehind';
import { COLUMN_KEYS, isMissing, numberColumn, wordColumn, type ColumnKey } from './columns';
import type { Rows } from './promptOrder';
import { subjectText } from './subjectText';
import { text } from './texts';

/** A count of the subject; blank where the prompt is not in it. */
export const number = (n: number): string => (n < 0 || Number.isNaN(n) ? '' : count(n));
export const amount = (n: number): string => (n < 0 || Number.isNaN(n) ? '' : large(n));

const NAME = {
  prompt: 'prompt',
  difficulty: 'colDifficulty',
  domain: 'colDomain',
  status: 'colStatus',
  pin: 'colPin',
  launched: 'asRun',
  planned: 'planned',
  running: 'running',
  finished: 'finished',
  used: 'colUsed',
  discarded: 'discarded',
  killed: 'killed',
  carriedOver: 'carriedOver',
  tokens: 'colTokens',
  rate: 'colRate',
  rateLow: 'colLow',
  rateHigh: 'colHigh',
  before: 'colN',
  rightBefore: 'colC',
  results: 'colResults',
  right: 'colRight',
  spread: 'colSpread',
  groups: 'colGroups',
  zeroGradientGroups: 'colZero',
  gradientShare: 'colGradientShare',
  lastStep: 'colLastStep',
} as const satisfies Readonly<Record<ColumnKey, string>>;

/** Name of a column, as its head and the list of columns to sort by say it. */
export const columnName = (key: ColumnKey): string => text(NAME[key]);

const decimals = (value: number): string => value.toFixed(3).replace(/^0/, '');

/** A cell as text; a word where there is no value. */
export const cellOf = ({ prompts }: BudgetsView, key: ColumnKey, row: number): string => {
  const column = numberColumn(key);
  if (!column) return wordColumn(key)?.of(prompts, row).join(', ') ?? '';
  const value = column.of(prompts)[row] ?? Number.NaN;
  if (column.kind === 'share') return isMissing(value) ? text('noValueHere') : decimals(value);
  return number(value);
};

/** The table behind the pictures: every column as text, the history as `step: value`. */
export const promptNumbers = (view: BudgetsView, rows: Rows): TableData => {
  const { history } = view;
  const byStep = (row: number): string => {
    const parts: string[] = [];
    for (let at = history.start[row + 1]! - 1; at >= history.start[row]!; at--) {
      const value = history.value[at]!;
      const shown = history.measure === 'passRate' ? decimals(value) : count(value);
      parts.push(`${history.steps[history.column[at]!] ?? ''}: ${value < 0 ? text('noValueHere') : shown}`);
    }
    return parts.join(', ');
  };
  return {
    caption: text('table', { subject: subjectText(view.subject) }),
    columns: [
      ...COLUMN_KEYS.map((key) => ({ name: columnName(key), numeric: numberColumn(key) !== undefined })),
      { name: text('colHistory') },
    ],
    rows: rows.length,
    cell: (i, column) => {
      const key = COLUMN_KEYS[column];
      const row = rows[i] ?? -1;
      return key === undefined ? byStep(row) : cellOf(view, key, row);
    },
  };
};
