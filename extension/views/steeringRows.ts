import type { SteeringRow } from '../../protocol/panels/overview';
import { count, moment } from '../format';
import { t } from '../l10n';
import { plain } from '../statusText';

export interface SteeringText {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly icon: string;
  readonly canUndo: boolean;
}

/** Actions that leave something behind which can be taken back. */
const UNDOABLE = new Set(['allocate', 'setMethod', 'skip', 'pause']);

/** What was asked for, in a word or two. An action of a later version is its own word. */
function act({ action }: SteeringRow): string {
  switch (action) {
    case 'pause':
      return t('Pause');
    case 'resume':
      return t('Resume');
    case 'step':
      return t('Step');
    case 'allocate':
      return t('Budget');
    case 'setMethod':
      return t('Method');
    case 'skip':
      return t('Skip');
    case 'undo':
      return t('Undo');
    case 'fork':
      return t('Fork');
    case 'stop':
      return t('Stop');
    case 'break':
      return t('Break');
    default:
      return plain(action);
  }
}

/** The thing, or how many; the run itself is not named. */
function subject({ subjects }: SteeringRow): string {
  const things = subjects.filter(({ type }) => type !== 'run');
  const [only] = things;
  if (!only) return '';
  return things.length === 1 ? ` ${plain(only.id)}` : ` ${count(things.length)}×`;
}

/**
 * State first (the icon), then the act, the author, the time; last the sentence, or for a refusal its reason: where
 * the side bar is narrow, what is cut off stands in the tooltip.
 */
export function steeringRow(row: SteeringRow, now: number): SteeringText {
  const at = moment(row.at, now);
  const author = plain(row.author);
  const refused = row.state === 'refused';
  const undone = row.undone || row.state === 'undone';
  const sentence = oneLine(row.sentence);
  const description = refused
    ? t('{0}, {1}, refused: {2}', author, at, plain(row.reason ?? ''))
    : row.state === 'requested'
      ? t('{0}, requested · {1}', author, sentence)
      : undone
        ? t('{0}, {1}, undone · {2}', author, at, sentence)
        : t('{0}, {1} · {2}', author, at, sentence);
  return {
    label: `${act(row)}${subject(row)}`,
    description,
    tooltip: [
      sentence,
      t('By {0}, connection {1}, scope {2}.', author, plain(row.connection), plain(row.scope)),
      ...(row.reason === null ? [] : [t('Reason: {0}', oneLine(row.reason))]),
    ].join('\n'),
    icon: refused ? 'circle-slash' : row.state === 'requested' ? 'sync' : undone ? 'discard' : 'check',
    canUndo: canUndo(row),
  };
}

/** Applied, not taken back yet, and of a kind that can be. */
export const canUndo = ({ state, undone, undoes, action }: SteeringRow): boolean =>
  state === 'applied' && !undone && undoes === null && UNDOABLE.has(action);

const oneLine = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > 160 ? `${flat.slice(0, 159)}…` : flat;
};
