import { useSignal } from '@preact/signals';
import type { OverviewView, SteeringRow } from '../../protocol/panels/overview';
import { Button } from '../shared/controls';
import { count, decimal, share, withUnit } from '../shared/format';
import { command } from '../shared/host';
import { Icon } from '../shared/icon';
import { IconButton } from '../shared/iconButton';
import { steeringShown, whyNotSteer } from '../shared/steering';
import { moment } from '../shared/times';
import { useView } from '../shared/view';
import { text } from './texts';

const watchedValue = (value: number, unit: string): string => {
  if (unit === 'share') return share(value);
  return withUnit(Number.isInteger(value) ? count(value) : decimal(value), unit);
};

export const Watched = ({ watched }: { watched: OverviewView['watched'] }) =>
  watched.length === 0 ? null : (
    <section class="ov-list" aria-label={text('watchedOnly')}>
      <h2 class="rs-strong rs-small">
        {watched.some(({ limit }) => limit !== '') ? text('watched') : text('watchedOnly')}
      </h2>
      <ul class="rs-small">
        {watched.map(({ label, value, unit, limit }) => (
          <li key={label} class="ov-watched">
            <span class="rs-cut" title={label}>
              {label}
            </span>
            <span class="ov-number">{watchedValue(value, unit)}</span>
            <span class="rs-second rs-cut ov-number">{limit}</span>
          </li>
        ))}
      </ul>
    </section>
  );

const hits = (n: number): string =>
  n === 0 ? text('noHits') : n === 1 ? text('hits1') : text('hits', { n: count(n) });

export const Breakpoints = ({ breakpoints }: { breakpoints: OverviewView['breakpoints'] }) => {
  if (breakpoints.length === 0 && !steeringShown()) return null;
  return (
    <section class="ov-list" aria-label={text('breakpoints')}>
      <div class="rs-row">
        <h2 class="rs-strong rs-small rs-grow">{text('breakpoints')}</h2>
        {steeringShown() && (
          <Button
            look="plain"
            off={whyNotSteer('steer.break')}
            onPress={() => void command({ id: 'breakAdd' })}
          >
            {text('addBreakpoint')}
          </Button>
        )}
      </div>
      <ul class="rs-small">
        {breakpoints.map(({ id, sentence, hits: n }) => (
          <li key={id} class="rs-row ov-break">
            <span class="rs-cut rs-grow" title={sentence}>
              {sentence}
            </span>
            <span class="rs-second">{hits(n)}</span>
            {steeringShown() && (
              <IconButton
                icon="close"
                label={text('removeBreakpoint')}
                off={whyNotSteer('steer.break')}
                onPress={() => void command({ id: 'breakRemove', breakpoint: id })}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};

/** State of a row: what was refused, what is in force from a step on, what was taken back. */
export const stateOf = (row: SteeringRow): string => {
  if (row.undone) return text('undone');
  if (row.state === 'requested') return text('requested');
  if (row.state === 'refused') return text('refused');
  if (row.fromStep !== null) return text('fromStep', { step: row.fromStep });
  return text('done');
};

const UNDOABLE = new Set(['allocate', 'setMethod', 'skip', 'pause', 'break']);
const mayUndo = (row: SteeringRow): boolean =>
  row.state === 'applied' && !row.undone && row.undoes === null && UNDOABLE.has(row.action);

const Row = ({ row }: { row: SteeringRow }) => (
  <li class="ov-steer">
    <span class="rs-second">{moment(row.at)}</span>
    <span class="rs-cut" title={row.author}>
      {row.author}
    </span>
    <span class="rs-cut" title={row.reason === null ? row.sentence : `${row.sentence}\n${row.reason}`}>
      {row.sentence}
    </span>
    <span
      class="rs-second rs-cut ov-steer-state"
      title={row.state === 'refused' && row.reason !== null ? row.reason : stateOf(row)}
    >
      {row.state === 'requested' && <Icon name="sync" small turning />}
      {stateOf(row)}
    </span>
    {mayUndo(row) && steeringShown() && whyNotSteer('steer.undo') === null && (
      <button
        type="button"
        class="rs-link ov-undo"
        aria-label={`${text('undo')}: ${row.sentence}`}
        onClick={() => void command({ id: 'undo', command: row.command })}
      >
        {text('undo')}
      </button>
    )}
  </li>
);

/** The last lines of the steering record; all of them on demand. */
export const Steering = ({ rows, total }: { rows: readonly SteeringRow[]; total: number }) => {
  const all = useSignal(false);
  const page = useView('steering', all.value ? { limit: 500 } : null);
  const shown = all.value && page.value ? page.value.rows : rows;
  return (
    <section class="ov-list" aria-label={text('steering')}>
      <div class="rs-row rs-small">
        <h2 class="rs-strong rs-grow">{text('steering')}</h2>
        {total > rows.length && (
          <button
            type="button"
            class="rs-link"
            aria-expanded={all.value}
            onClick={() => (all.value = !all.value)}
          >
            {all.value ? text('fewer') : text('all', { n: count(total) })}
          </button>
        )}
      </div>
      {shown.length === 0 ? (
        <p class="rs-second rs-small">{text('noSteering')}</p>
      ) : (
        <ul class="rs-small">
          {shown.map((row) => (
            <Row key={row.command} row={row} />
          ))}
        </ul>
      )}
    </section>
  );
};
