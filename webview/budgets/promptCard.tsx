import type { BudgetsView } from '../../protocol/panels/budgets';
import { count, interval, rate } from '../shared/format';
import { cellText } from './heatValues';
import { subjectText } from './subjectText';
import { text } from './texts';

/** Pass rate in words: counts, mean, interval; of one step from before it, of several in them. */
export const rateText = ({ prompts, subject }: BudgetsView, row: number): string => {
  const value = prompts.rate[row] ?? Number.NaN;
  const isStep = subject.kind === 'step';
  if (Number.isNaN(value)) return text(isStep ? 'rateNone' : 'rateNoneIn', { subject: subjectText(subject) });
  const [n, c] = isStep ? [prompts.n, prompts.c] : [prompts.stepN, prompts.stepC];
  const before = text(isStep ? 'rateText' : 'rateTextIn', {
    c: count(c[row] ?? 0),
    n: count(n[row] ?? 0),
    rate: rate(value),
    subject: subjectText(subject),
  });
  return `${before}, ${interval(rate(prompts.rateLow[row] ?? value), rate(prompts.rateHigh[row] ?? value))}`;
};

/** What the groups of a prompt gave: of one group in a sentence, of several in counts. */
const gradientText = ({ prompts }: BudgetsView, row: number): string => {
  const groups = prompts.groups[row] ?? 0;
  const gradient = prompts.gradientGroups[row] ?? 0;
  const zero = prompts.zeroGradientGroups[row] ?? 0;
  if (groups > 1)
    return text('gradientOf', { gradient: count(gradient), zero: count(zero), groups: count(groups) });
  return gradient > 0 ? text('gradientYes') : zero > 0 ? text('gradientNo') : text('gradientOpen');
};

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
        <div>{text('notIn', { subject: subjectText(view.subject) })}</div>
      ) : (
        <div>
          {text('launchedOf', { launched: count(prompts.launched[row] ?? 0), planned: count(planned) })},{' '}
          {text('stepRate', { c: count(prompts.stepC[row] ?? 0), n: count(prompts.stepN[row] ?? 0) })},{' '}
          {gradientText(view, row)}
        </div>
      )}
      {pin !== null && <div>{pinText(pin)}</div>}
    </>
  );
};
