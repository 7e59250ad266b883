import type { ResultsRead } from '../../run-store/dumps/loadDumps';
import { count } from '../format';
import { t } from '../l10n';

/** What was read of files of results, in one sentence. */
export function resultsSentence({ sets, unusable, rows, formats }: ResultsRead): string {
  const samples = sets.reduce((sum, one) => sum + one.samples, 0);
  const read = t('{0} samples were read ({1}).', count(samples), formats.join(', '));
  if (unusable === 0) return read;
  return `${read} ${t('{0} of {1} rows could not be used.', count(unusable), count(rows))}`;
}

/** All that a person needs to trust the numbers, as lines of text. */
export function resultsReport(results: ResultsRead, files: readonly string[]): string {
  const lines = [resultsSentence(results), '', ...files, ''];
  for (const set of results.sets) {
    const use = set.use === 'training' ? t('training groups') : t('evaluation');
    const told =
      set.score === null || set.threshold === null
        ? t('n and c as the file gives them')
        : t('a success is {0} ≥ {1}', set.score, set.threshold);
    lines.push(`${set.name} (${use}): ${told}`);
    lines.push(
      `  ${t('steps {0}; {1} results of prompts, {2} samples', shortened(set.steps), count(set.prompts), count(set.samples))}`,
    );
    if (set.ungraded > 0) {
      lines.push(`  ${t('{0} samples were not graded: they are in neither n nor c', count(set.ungraded))}`);
    }
    if (set.use === 'training')
      lines.push(`  ${t('lengths and times are not in the file: they are shown as 0')}`);
  }
  if (results.notes.length > 0) lines.push('', ...results.notes);
  if (results.unusable > 0) {
    lines.push('', t('Rows that could not be used: {0}', count(results.unusable)));
    lines.push(...results.named.map(({ place, why }) => `  ${place}: ${why}`));
    const more = results.unusable - results.named.length;
    if (more > 0) lines.push(`  ${t('and {0} more', count(more))}`);
  }
  return `${lines.join('\n')}\n`;
}

const shortened = (steps: readonly number[]): string =>
  steps.length <= 8 ? steps.join(', ') : `${steps.slice(0, 4).join(', ')} … ${steps.slice(-3).join(', ')}`;

/** A threshold as a person types it; null: not a number. */
export function readThreshold(text: string): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(value) ? value : null;
}
