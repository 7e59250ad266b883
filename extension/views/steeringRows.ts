import type { SteeringRow } from '../../protocol/panels/overview';
import { moment } from '../format';
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

/** State first, then the act, the author, the time; a refusal with its reason. */
export function steeringRow(row: SteeringRow, now: number): SteeringText {
  const at = moment(row.at, now);
  const author = plain(row.author);
  const refused = row.state === 'refused';
  const undone = row.undone || row.state === 'undone';
  const description = refused
    ? t('refused: {0}, {1}', plain(row.reason ?? ''), at)
    : row.state === 'requested'
      ? t('{0}, requested', author)
      : undone
        ? t('{0}, undone, {1}', author, at)
        : `${author}, ${at}`;
  return {
    label: oneLine(row.sentence),
    description,
    tooltip: [
      oneLine(row.sentence),
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
