import type { BudgetsView } from '../../protocol/panels/budgets';
import { count, interval, rate } from '../shared/format';
import { text } from './texts';

/** Pass rate before the step in words: counts, mean, interval. */
export const rateText = ({ prompts }: BudgetsView, row: number): string => {
  const value = prompts.rate[row] ?? Number.NaN;
  if (Number.isNaN(value)) return text('rateNone');
  const before = text('rateText', {
    c: count(prompts.c[row] ?? 0),
    n: count(prompts.n[row] ?? 0),
    rate: rate(value),
  });
  return `${before}, ${interval(rate(prompts.rateLow[row] ?? value), rate(prompts.rateHigh[row] ?? value))}`;
};

export const cellText = ({ history }: BudgetsView, row: number, column: number): string => {
  const step = history.steps[column] ?? 0;
  const n = history.launched[row * history.steps.length + column] ?? -1;
  if (n < 0) return text('cellNone', { step });
  return n === 1 ? text('cellCount1', { step }) : text('cellCount', { step, count: count(n) });
};

const gradientText = (gradient: number): string =>
  gradient === 1 ? text('gradientYes') : gradient === 0 ? text('gradientNo') : text('gradientOpen');

export const pinText = (pin: string): string =>
  pin === 'skip' ? text('skipped') : text('pinned', { n: pin });

/** The hover card of a prompt; `column`: the step of the heat map under the pointer. */
export const PromptCard = ({
  view,
  row,
  column,
}: {
  view: BudgetsView;
  row: number;
  column: number | null;
}) => {
  const { prompts } = view;
  const planned = prompts.planned[row] ?? -1;
  const kind = [
    prompts.difficulty[row] == null ? '' : text('difficulty', { name: prompts.difficulty[row] }),
    prompts.domain[row] == null ? '' : text('domain', { name: prompts.domain[row] }),
  ].filter((part) => part !== '');
  const pin = prompts.pin[row] ?? null;
  return (
    <>
      <div class="rs-strong bu-card-id">{prompts.id[row]}</div>
      {kind.length > 0 && <div class="rs-second">{kind.join(', ')}</div>}
      {column !== null && <div>{cellText(view, row, column)}</div>}
      <div>{rateText(view, row)}</div>
      {planned < 0 ? (
        <div>{text('notInStep', { step: view.step })}</div>
      ) : (
        <div>
          {text('launchedOf', { launched: count(prompts.launched[row] ?? 0), planned: count(planned) })},{' '}
          {text('stepRate', { c: count(prompts.stepC[row] ?? 0), n: count(prompts.stepN[row] ?? 0) })},{' '}
          {gradientText(prompts.gradient[row] ?? -1)}
        </div>
      )}
      {pin !== null && <div>{pinText(pin)}</div>}
    </>
  );
};
