import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { BudgetsParams, BudgetsView } from '../../protocol/panels/budgets';
import { Banner } from '../shared/banner';
import { absenceOf, EmptyState } from '../shared/emptyState';
import { count } from '../shared/format';
import { PanelHeader } from '../shared/header';
import { header, select, selection } from '../shared/host';
import { PANE } from '../shared/keys';
import { SidePane } from '../shared/sidePane';
import { say } from '../shared/strings';
import { useView } from '../shared/view';
import { LedgerBar } from './ledgerBar';
import { drawer, filterText, layout, measure, rangeOf, scope, sorting } from './panelState';
import { Pictures } from './pictures';
import { readFilter } from './promptFilter';
import { PromptLedger } from './promptLedger';
import { KeptOrder, type Rows } from './promptOrder';
import { subjectText } from './subjectText';
import { text } from './texts';
import { Toolbar } from './toolbar';
import { differencesFor, sortByDifference, sortedBy } from './whatIfDifferences';
import { WhatIfPane } from './whatIfPane';
import { WhyCard } from './whyCard';

/** Steps of the heat map beside the table, and by itself. */
const HISTORY = { table: 60, heat: 200, treemap: 1 } as const;

const inSubject = ({ prompts }: BudgetsView): Rows => {
  const all = new Int32Array(prompts.id.length);
  let size = 0;
  for (let row = 0; row < all.length; row++) if (prompts.planned[row]! >= 0) all[size++] = row;
  return all.slice(0, size);
};

const Nothing = ({ view, all }: { view: BudgetsView; all: number }) =>
  all === 0 ? (
    <EmptyState
      icon="watch"
      title={text('emptySubject', { subject: subjectText(view.subject) })}
      actions={
        scope.value !== 'run' && view.prompts.id.length > 0
          ? [{ label: text('showRun'), run: () => (scope.value = 'run') }]
          : []
      }
    />
  ) : (
    <EmptyState
      icon="filter"
      title={text('nothingMatches', { filter: filterText.value.trim() })}
      text={text('without', { n: count(all) })}
      actions={[{ label: text('clearFilter'), run: () => (filterText.value = '') }]}
    />
  );

const Body = ({ view }: { view: BudgetsView }) => {
  const order = useRef(new KeptOrder());
  const again = useSignal(0);
  const { prompts, subject } = view;
  const all = useMemo(() => inSubject(view), [view]);
  const filter = useMemo(() => readFilter(filterText.value, prompts), [prompts, filterText.value]);
  const passing = useMemo(() => (filter.test === null ? all : all.filter(filter.test)), [all, filter]);
  const { by, descending } = sorting.value;
  const key = `${subject.kind}/${subject.first}/${subject.kind === 'step' ? subject.last : ''}/${by}/${String(descending)}/${again.value}`;
  const { rows: ordered, moved } = useMemo(
    () => order.current.arrange(key, passing, prompts, sorting.value),
    [key, passing, prompts],
  );
  const column = sortedBy.value;
  const difference =
    column && differencesFor(prompts, false).columns.find(({ place }) => place === column.place);
  const rows = difference ? sortByDifference(ordered, difference, column.descending) : ordered;
  const selected = selection.value.prompt;
  const chosen = useMemo(
    () => (selected === null ? -1 : rows.findIndex((row) => prompts.id[row] === selected)),
    [rows, prompts, selected],
  );
  const shown = Math.max(0, chosen);
  const whyRow = rows[shown] ?? -1;
  const choose = (row: number, step?: number): void => {
    const prompt = prompts.id[row];
    if (prompt === undefined) return;
    const own = subject.kind === 'step' ? view.step : prompts.lastStep[row]!;
    select({
      step: step ?? (own < 0 ? view.step : own),
      prompt,
      group: step === undefined || step === prompts.lastStep[row] ? (prompts.group[row] ?? null) : null,
      rollout: null,
      node: null,
    });
  };
  return (
    <>
      <Toolbar view={view} shown={passing.length} all={all.length} problem={filter.problem} />
      <Banner />
      <LedgerBar view={view} />
      <div class="rs-body rs-scroll bu-body">
        {rows.length === 0 ? (
          <Nothing view={view} all={all.length} />
        ) : (
          <Pictures
            view={view}
            rows={rows}
            chosen={shown}
            onChoose={choose}
            moved={moved}
            onSortAgain={() => (again.value += 1)}
          />
        )}
        <SidePane label={text('whyCard')} width={416} open={drawer}>
          <WhyCard view={view} row={whyRow} />
          {whyRow >= 0 && <PromptLedger view={view} row={whyRow} />}
          <WhatIfPane last={subject.last} steps={Math.max(1, subject.steps)} />
        </SidePane>
      </div>
    </>
  );
};

const crumbOf = ({ subject }: BudgetsView): string =>
  subject.kind === 'step' ? say('step', { step: subject.last }) : subjectText(subject);

export const Budgets = () => {
  const run = header.value;
  const shownStep = selection.value.step;
  const params: BudgetsParams | null = run
    ? {
        step: shownStep,
        range: rangeOf(shownStep ?? run.step),
        measure: measure.value,
        history: HISTORY[layout.value],
        until: layout.value === 'heat' ? 'newest' : 'subject',
      }
    : null;
  const view = useView('budgets', params).value;
  const absence = absenceOf(view);
  const step = view?.step ?? run?.step ?? null;
  const prompts = view ? inSubject(view).length : null;
  const where = view ? crumbOf(view) : step === null ? say('noStep') : say('step', { step });
  return (
    <>
      <div {...PANE} role="presentation">
        <PanelHeader
          step={view?.step ?? null}
          crumbs={
            run
              ? [
                  { label: where },
                  ...(prompts === null
                    ? []
                    : [{ label: prompts === 1 ? text('prompts1') : text('prompts', { n: count(prompts) }) }]),
                ]
              : []
          }
        />
      </div>
      {absence === null && view ? (
        <Body view={view} />
      ) : (
        <>
          <Banner />
          {absence}
        </>
      )}
    </>
  );
};
