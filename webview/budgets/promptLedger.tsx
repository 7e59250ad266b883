import type { BudgetsView, PromptBudgetView, PromptGroup } from '../../protocol/panels/budgets';
import { count, large, share } from '../shared/format';
import { command, select, selection } from '../shared/host';
import { Icon } from '../shared/icon';
import { ledgerSums, sumText } from '../shared/ledgerSums';
import { outsideText } from '../shared/ledgerLine';
import { isStill } from '../shared/steering';
import { say } from '../shared/strings';
import { useView } from '../shared/view';
import { tokenParts } from './ledgerBar';
import { rangeOf } from './panelState';
import { subjectText } from './subjectText';
import { text } from './texts';

const Sums = ({ found }: { found: PromptBudgetView }) => {
  const { ledger, tokens } = found;
  const lost = isStill();
  const outside = outsideText(ledger);
  const parts = tokenParts(tokens, true, lost);
  const judged = ledger.finished;
  return (
    <ul>
      {ledgerSums(ledger, lost).map((sum) => (
        <li key={sumText(sum)}>{sumText(sum)}</li>
      ))}
      {judged > 0 && (
        <li>
          {text('finishedSum', {
            finished: count(judged),
            used: count(ledger.used),
            noGradient: count(ledger.noGradient),
            undecided: count(ledger.undecided),
          })}
        </li>
      )}
      {tokens.total > 0 && (
        <li title={parts.map(({ n, word }) => `${count(n)} ${word}`).join('\n')}>
          {`${text('tokensWhole', { n: large(tokens.total) })} = ${parts
            .map(({ n, word }) => `${large(n)} ${word} (${share(n / tokens.total)})`)
            .join(' + ')}`}
        </li>
      )}
      {outside !== null && <li class="rs-second">{outside}</li>}
      {ledger.mismatches.map((sentence, i) => (
        <li key={sentence} class="bu-problem">
          <Icon name="error" small /> {sentence}{' '}
          <button
            type="button"
            class="rs-link"
            onClick={() =>
              void command({
                id: 'showEvents',
                subjectType: 'group',
                subject: ledger.mismatchGroups[i] ?? '',
              })
            }
          >
            {say('events')}
          </button>
        </li>
      ))}
    </ul>
  );
};

const gradientWord = ({ gradient }: PromptGroup): string =>
  text(gradient === 1 ? 'groupGradient' : gradient === 0 ? 'groupNone' : 'groupOpen');

/** Its groups in the subject, newest first; one leads to its step. */
const Groups = ({ found, shown }: { found: PromptBudgetView; shown: number }) => (
  <table class="bu-groups">
    <thead>
      <tr class="rs-second">
        <th scope="col">{text('groupStep')}</th>
        <th scope="col">{text('planned')}</th>
        <th scope="col">{text('asRun')}</th>
        <th scope="col">{text('groupRight')}</th>
        <th scope="col">{text('groupGave')}</th>
      </tr>
    </thead>
    <tbody>
      {found.groups.map((group) => (
        <tr key={`${group.step}-${group.group}`} class={group.step === shown ? 'rs-strong' : ''}>
          <th scope="row">
            <button
              type="button"
              class="rs-link"
              title={text('groupShow', { step: group.step })}
              onClick={() =>
                select({
                  step: group.step,
                  prompt: found.prompt,
                  group: group.group,
                  rollout: null,
                  node: null,
                })
              }
            >
              {group.step}
            </button>
          </th>
          <td>{count(group.planned)}</td>
          <td>{count(group.launched)}</td>
          <td>
            {group.n === 0 ? text('noValueHere') : text('rightOf', { c: count(group.c), n: count(group.n) })}
          </td>
          <td>{gradientWord(group)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The ledger of one prompt in the subject, every figure with its whole. */
export const PromptLedger = ({ view, row }: { view: BudgetsView; row: number }) => {
  const prompt = view.prompts.id[row] ?? '';
  const shown = selection.value.step;
  const found = useView('promptBudget', { step: shown, range: rangeOf(view.step), prompt }).value;
  const title = text('promptLedger', { subject: subjectText(view.subject) });
  return (
    <section class="bu-own rs-small" aria-label={title}>
      <h2 class="rs-strong">{title}</h2>
      {found && found.prompt === prompt ? (
        <>
          <Sums found={found} />
          {found.allGroups > 1 && <Groups found={found} shown={view.step} />}
          {found.allGroups > found.groups.length && (
            <p class="rs-second">
              {text('groupsLeftOut', { shown: count(found.groups.length), all: count(found.allGroups) })}
            </p>
          )}
        </>
      ) : null}
    </section>
  );
};
