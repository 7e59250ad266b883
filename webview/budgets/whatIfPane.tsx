import { useEffect } from 'preact/hooks';
import { allocationMethods } from '../../methods/allocation/methods';
import type { WhatIfRow, WhatIfView } from '../../protocol/panels/whatIf';
import { Checkbox, Dropdown } from '../shared/controls';
import { count } from '../shared/format';
import { useView } from '../shared/view';
import { methodName } from './methodInfo';
import { WhatIfActions } from './whatIfActions';
import { AsRunRow, MethodRow } from './whatIfRows';
import { inTable } from './whatIfDifferences';
import { addChoice, again, choices, chosenRow, DRAWS, MOST_METHODS, SEED, whatIfView } from './whatIfState';
import { extremes, notesOf, signedCount } from './whatIfText';
import { wi } from './whatIfTexts';
import './whatIf.css';

const aboutText = ({ steps, prompts }: WhatIfView): string =>
  steps.length === 1
    ? wi('about', { prompts: count(prompts.length), step: steps[0] ?? 0 })
    : wi('aboutSteps', { steps: count(steps.length), first: steps[0] ?? 0, last: steps.at(-1) ?? 0 });

const NONE = '';

/** Every published rule that is offered; those that are in the comparison too, with other parameters. */
const AddMethod = () =>
  choices.value.length >= MOST_METHODS ? null : (
    <Dropdown
      key={choices.value.length}
      label={wi('addLabel')}
      value={NONE}
      options={[
        { value: NONE, label: wi('add') },
        ...allocationMethods.map(({ id }) => ({ value: id, label: methodName(id) })),
      ]}
      onChange={(id) => {
        if (id !== NONE) addChoice(id);
      }}
    />
  );

const Extremes = ({ view, row }: { view: WhatIfView; row: WhatIfRow }) => {
  const lines = [
    { name: wi('gains'), prompts: extremes(view, row, 1) },
    { name: wi('losses'), prompts: extremes(view, row, -1) },
  ].filter(({ prompts }) => prompts.length > 0);
  if (row.state !== 'done') return null;
  if (lines.length === 0) return <p class="rs-small rs-second wi-note">{wi('noChange')}</p>;
  return (
    <dl class="rs-small wi-extremes">
      {lines.map(({ name, prompts }) => (
        <div key={name}>
          <dt class="rs-second">{name}</dt>
          <dd>
            {prompts.map(({ prompt, by }) => (
              <span key={prompt} class="wi-extreme">
                <span class="rs-cut">{prompt}</span> {signedCount(by)}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
};

const Answered = ({ view }: { view: WhatIfView }) => {
  const row = chosenRow.value;
  return (
    <>
      <table class="wi-table rs-small" aria-label={wi('title')}>
        <thead>
          <tr class="rs-second">
            <th scope="col">{wi('method')}</th>
            <th scope="col">{wi('rollouts')}</th>
            <th scope="col">{wi('gradient')}</th>
            <th scope="col">{wi('successes')}</th>
            <th scope="col">{wi('tokens')}</th>
          </tr>
        </thead>
        <tbody>
          <AsRunRow view={view} />
          {view.rows.map((each, place) => (
            <MethodRow key={place} row={each} place={place} view={view} />
          ))}
        </tbody>
      </table>
      {view.stale && (
        <p class="rs-small wi-note" role="status">
          {wi('stale')}{' '}
          <button type="button" class="rs-link" onClick={() => (again.value += 1)}>
            {wi('again')}
          </button>
        </p>
      )}
      {row && <Extremes view={view} row={row} />}
      <WhatIfActions view={view} row={row} />
      <ul class="rs-small rs-second wi-notes">
        {notesOf(view, row).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </>
  );
};

/**
 * What other methods would have given to the same prompts, from the same inputs and total; over several steps a replay.
 *
 * @param last step asked about; `steps`: how many, that one the last.
 */
export const WhatIfPane = ({ last, steps }: { last: number; steps: number }) => {
  const data = useView('whatIf', {
    step: last,
    steps,
    methods: choices.value,
    draws: DRAWS,
    seed: SEED,
    again: again.value,
  });
  const view = data.value ?? null;
  useEffect(() => {
    whatIfView.value = view;
  }, [view]);
  useEffect(
    () => () => {
      whatIfView.value = null;
    },
    [],
  );
  return (
    <section class="wi" aria-label={wi('title')}>
      <div class="wi-head">
        <h2 class="rs-strong">{wi('title')}</h2>
        <span class="rs-small rs-second rs-cut" title={view ? aboutText(view) : undefined}>
          {view ? aboutText(view) : ''}
        </span>
        <AddMethod />
      </div>
      {view !== null && (
        <Checkbox checked={inTable.value} onChange={(on) => (inTable.value = on)}>
          {wi('inTable')}
        </Checkbox>
      )}
      {view === null ? (
        <p class="rs-small rs-second">{data.value === null ? wi('none') : ''}</p>
      ) : view.problem === null ? (
        <Answered view={view} />
      ) : (
        <p class="rs-small" role="alert">
          {view.problem}
        </p>
      )}
    </section>
  );
};
