import type { PromptRow, PromptsParams } from '../../protocol/panels/lists';
import { count } from '../format';
import { t } from '../l10n';
import { plain } from '../statusText';

export interface PromptText {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** File of the mark in media/marks. */
  readonly mark: 'running' | 'full' | 'ring' | 'half' | 'none';
}

export function promptRow(row: PromptRow): PromptText {
  const before =
    row.nBefore > 0 ? t('{0} of {1} right before', count(row.cBefore), count(row.nBefore)) : t('new');
  const parts = [t('{0} planned', count(row.planned)), before];
  if (row.pin === 'skip') parts.unshift(t('skipped'));
  else if (row.pin !== null) parts.unshift(t('pinned to {0}', plain(row.pin)));
  const outcome = outcomeWord(row);
  return {
    label: plain(row.prompt),
    description: parts.join(', '),
    tooltip: [
      plain(row.prompt),
      t(
        '{0} planned, {1} finished, {2} running',
        count(row.planned),
        count(row.finished),
        count(row.running),
      ),
      t(
        'In this step {0} of {1} right. Before it {2} of {3}.',
        count(row.stepC),
        count(row.stepN),
        count(row.cBefore),
        count(row.nBefore),
      ),
      outcome,
    ]
      .filter((line) => line !== '')
      .join('\n'),
    mark: markOf(row),
  };
}

function markOf({ running, outcome }: PromptRow): PromptText['mark'] {
  if (running > 0) return 'running';
  return ({ all1: 'full', all0: 'ring', mixed: 'half', none: 'none' } as const)[outcome];
}

function outcomeWord({ outcome, closed }: PromptRow): string {
  if (outcome === 'all0') return closed ? t('All rewards 0: no gradient.') : t('All rewards 0 so far.');
  if (outcome === 'all1') return closed ? t('All rewards 1: no gradient.') : t('All rewards 1 so far.');
  return '';
}

export const SORTS: Readonly<Record<PromptsParams['sort'], () => string>> = {
  rollouts: () => t('most rollouts first'),
  rate: () => t('lowest pass rate first'),
  spread: () => t('widest reward spread first'),
  id: () => t('by name'),
};
