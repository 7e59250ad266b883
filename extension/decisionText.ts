import type { DecisionView } from '../protocol/panels/budgets';
import { count } from './format';
import { t } from './l10n';

type Cells = DecisionView['inputs'];

const block = (head: string, cells: Cells): string[] => {
  const names = Object.keys(cells);
  if (names.length === 0) return [];
  const width = Math.max(...names.map((name) => name.length));
  return ['', head, ...names.map((name) => `  ${name.padEnd(width)}  ${String(cells[name])}`)];
};

/** A recorded decision as text: what, by which method, from which inputs, and why for this subject. */
export function decisionText(decision: DecisionView): string {
  const { method, step, author, command, subject, subjects, reason, reasonCode, alternatives } = decision;
  const lines = [
    decision.sentence,
    '',
    t('decision {0}, {1} by {2}', decision.decision, decision.kind, method),
    step === null ? null : t('for step {0}', count(step)),
    author === null ? null : t('asked for by {0}, request {1}', author, command ?? ''),
    subjects > 1
      ? t('shown for {0}, one of {1} subjects', subject, count(subjects))
      : t('about {0}', subject),
    reason === null && reasonCode === null
      ? null
      : t('Reason: {0}', [reasonCode, reason].filter((one) => one !== null).join(', ')),
    decision.position === null
      ? null
      : t('position {0}, children {1}', decision.position, decision.children ?? ''),
    ...block(t('Inputs as they were then'), decision.inputs),
    ...block(t('Outcome'), decision.outcome),
    ...block(t('Numbers of the rule'), decision.numbers),
    ...block(t('Shared by all subjects'), decision.shared),
    ...block(t('Parameters'), decision.parameters),
    ...(alternatives.length === 0
      ? []
      : [
          '',
          t('Alternatives'),
          ...alternatives.map(({ label, score }) => `  ${label}  ${score === null ? '' : String(score)}`),
        ]),
    '',
    t('The whole record'),
    decision.json,
  ];
  return `${lines.filter((line) => line !== null).join('\n')}\n`;
}
