import type { WhatIfMissing, WhatIfOutcome, WhatIfRow, WhatIfView } from '../../protocol/panels/whatIf';
import { count, share } from '../shared/format';
import { IconButton } from '../shared/iconButton';
import { methodName } from './methodInfo';
import { change, chosen, edited, methodOf, removeChoice } from './whatIfState';
import { choiceName, ends, figures, signedCount } from './whatIfText';
import { WhatIfForm } from './whatIfForm';
import { wi } from './whatIfTexts';

const COLUMNS = ['rollouts', 'gradientGroups', 'successes', 'tokens'] as const;
type Column = (typeof COLUMNS)[number];

const secondLine = (outcome: WhatIfOutcome, column: Column, total: number): string | null => {
  const interval = ends(outcome[column], figures[column]);
  if (column !== 'rollouts') return interval;
  const over = outcome.rollouts.mean - total;
  const excess = Math.abs(over) < 0.05 ? null : signedCount(over);
  return excess ?? interval;
};

const titleOf = (outcome: WhatIfOutcome, column: Column, total: number): string | undefined => {
  if (column === 'gradientGroups') return wi('of', { groups: figures.gradientGroups(outcome.groups) });
  const over = outcome.rollouts.mean - total;
  if (column !== 'rollouts' || Math.abs(over) < 0.05) return undefined;
  return wi(over > 0 ? 'excess' : 'under', { excess: count(Math.abs(over)) });
};

const Figures = ({ outcome, total }: { outcome: WhatIfOutcome; total: number }) => (
  <>
    {COLUMNS.map((column) => (
      <td key={column} title={titleOf(outcome, column, total)}>
        {column === 'tokens' && outcome.tokens.mean === 0
          ? wi('noTokens')
          : figures[column](outcome[column].mean)}
        <span class="rs-second wi-ends">{secondLine(outcome, column, total) ?? '\u00a0'}</span>
      </td>
    ))}
  </>
);

/** The run itself by the same measure: its counts, its outcomes where they are known. */
export const AsRunRow = ({ view }: { view: WhatIfView }) => (
  <tr class="rs-strong">
    <th scope="row">
      {view.runMethod === null ? wi('asRunUnknown') : wi('asRun', { method: methodName(view.runMethod) })}
    </th>
    {view.asRun ? (
      <Figures outcome={view.asRun} total={view.total} />
    ) : (
      <td colSpan={4} class="rs-second">
        {wi('working', { share: share(view.share) })}
      </td>
    )}
  </tr>
);

const missingText = (method: string, { input, prompts }: WhatIfMissing): string => {
  const gaps = { method: methodName(method), input };
  if (prompts === 0) return wi('missingRun', gaps);
  return prompts === 1 ? wi('missingPrompts1', gaps) : wi('missingPrompts', { ...gaps, n: count(prompts) });
};

/** What lacks, and what a person can do about it: for all that lacks at once. */
const Missing = ({
  row,
  place,
  missing,
}: {
  row: WhatIfRow;
  place: number;
  missing: readonly WhatIfMissing[];
}) => (
  <div class="wi-missing" role="alert">
    {missing.map((one) => (
      <p key={one.input}>{missingText(row.method, one)}</p>
    ))}
    <span class="rs-row">
      {missing.every(({ canLeaveOut }) => canLeaveOut) && (
        <button
          type="button"
          class="rs-link"
          title={wi('leaveOutTitle')}
          onClick={() => change(place, { gaps: 'leaveOut' })}
        >
          {wi('leaveOut')}
        </button>
      )}
      {missing.every(({ canBeHalf }) => canBeHalf) && (
        <button type="button" class="rs-link" onClick={() => change(place, { gaps: 'half' })}>
          {wi('half')}
        </button>
      )}
    </span>
  </div>
);

const Answer = ({ row, place, view }: { row: WhatIfRow; place: number; view: WhatIfView }) => {
  switch (row.state) {
    case 'done':
      return <Figures outcome={row.outcome} total={view.total} />;
    case 'missing':
      return (
        <td colSpan={4} class="wi-words">
          <Missing row={row} place={place} missing={row.missing} />
        </td>
      );
    case 'refused':
      return (
        <td colSpan={4} class="wi-words" role="alert">
          {wi('refused', { method: methodName(row.method), why: row.why })}
        </td>
      );
    default:
      return (
        <td colSpan={4} class="rs-second">
          {row.state === 'running' ? wi('working', { share: share(view.share) }) : wi('waiting')}
        </td>
      );
  }
};

export const MethodRow = ({ row, place, view }: { row: WhatIfRow; place: number; view: WhatIfView }) => {
  const name = choiceName(row);
  const open = edited.value === place;
  return (
    <>
      <tr class={chosen.value === place ? 'wi-chosen' : ''} data-method={row.method} data-state={row.state}>
        <th scope="row">
          <span class="wi-method">
            <button
              type="button"
              class="wi-choose"
              aria-pressed={chosen.value === place}
              title={name}
              aria-label={wi('choose', { method: name })}
              onClick={() => (chosen.value = place)}
            >
              {name}
            </button>
            {(methodOf(row.method)?.parameters.length ?? 0) > 0 && (
              <IconButton
                icon="gear"
                label={wi('set', { method: name })}
                pressed={open}
                onPress={() => (edited.value = open ? -1 : place)}
              />
            )}
            <IconButton
              icon="close"
              label={wi('remove', { method: name })}
              onPress={() => removeChoice(place)}
            />
          </span>
        </th>
        <Answer row={row} place={place} view={view} />
      </tr>
      {open && (
        <tr>
          <td colSpan={5} class="wi-words">
            <WhatIfForm key={row.method} choice={row} place={place} />
          </td>
        </tr>
      )}
    </>
  );
};
