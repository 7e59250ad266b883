import { count, passAt } from '../shared/format';
import type { TableData } from '../shared/tableBehind';
import { shortName, type DrawnView } from './drawnView';
import { text } from './texts';

/** What a column of curves is called. */
export const kindHead = (view: DrawnView): string =>
  text(
    (
      {
        step: 'colStep',
        checkpoint: 'colCheckpoint',
        run: 'colRun',
        method: 'colMethod',
        difficulty: 'colDifficulty',
        domain: 'colDomain',
        prompt: 'colPrompt',
      } as const
    )[view.by],
  );

/** Every curve with its interval as text: one row a curve and k, the extrapolated ones marked. */
export const passkTable = (view: DrawnView): TableData => {
  const beyond = view.extrapolatedK.filter((k) => k > view.largestK);
  const each = view.k.length + beyond.length;
  return {
    caption: text('tableCaption'),
    columns: [
      { name: kindHead(view), numeric: view.by === 'step' },
      { name: 'k', numeric: true },
      { name: text('chart'), numeric: true },
      { name: '95 %, low', numeric: true },
      { name: '95 %, high', numeric: true },
      { name: 'n', numeric: true },
      { name: text('colCorrect'), numeric: true },
      { name: text('colPrompts'), numeric: true },
      { name: text('colHow') },
    ],
    rows: view.curves.length * each,
    cell: (row, column) => {
      const curve = view.curves[Math.floor(row / each)];
      if (!curve) return '';
      const i = row % each;
      const k = view.k[i] ?? beyond[i - view.k.length] ?? 1;
      const modelled = i >= view.k.length;
      const value = modelled ? curve.extrapolated[view.extrapolatedK.indexOf(k)] : curve.value[i];
      const p = (x: number | undefined): string =>
        x === undefined || !Number.isFinite(x) ? text(modelled ? 'noFit' : 'undefinedN') : passAt(x);
      const end = (x: number | undefined): string =>
        modelled || x === undefined || !Number.isFinite(x) ? text('none') : passAt(x);
      return (
        [
          shortName(view, curve.key),
          count(k),
          p(value),
          end(curve.low[i]),
          end(curve.high[i]),
          count(curve.nMin),
          count(curve.correct),
          count(curve.prompts),
          text(modelled ? 'extrapolated' : 'counted'),
        ][column] ?? ''
      );
    },
  };
};
