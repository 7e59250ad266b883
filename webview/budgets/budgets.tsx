import { signal, useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { BudgetsView } from '../../protocol/panels/budgets';
import { Banner } from '../shared/banner';
import { Button, TextField } from '../shared/controls';
import { absenceOf, EmptyState } from '../shared/emptyState';
import { count, decimal } from '../shared/format';
import { PanelHeader } from '../shared/header';
import { command, header, searchAsked, selection } from '../shared/host';
import { PANE } from '../shared/keys';
import { Segmented } from '../shared/segmented';
import { SidePane, SideToggle } from '../shared/sidePane';
import { steeringShown, whyNotSteer } from '../shared/steering';
import { say } from '../shared/strings';
import { readOneOf, readText, uiState } from '../shared/uiState';
import { useView } from '../shared/view';
import { LedgerBar } from './ledgerBar';
import { readFilter } from './promptFilter';
import { KeptOrder, SORT_KEYS, type Sort } from './promptOrder';
import { PromptTable } from './promptTable';
import { text } from './texts';
import { WhatIfPane } from './whatIfPane';
import { WhyCard } from './whyCard';

/** Steps of the heat map. */
const HISTORY = 60;

/** The drawer of the why card, in medium panels. */
const drawer = signal(false);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const filterText = uiState('budgets.filter', 1, '', readText);
const scope = uiState<'step' | 'all'>('budgets.scope', 1, 'step', readOneOf(['step', 'all']));
const sorting = uiState<Sort>('budgets.sort', 1, { by: 'launched', descending: true }, (value) => {
  if (!isRecord(value)) return undefined;
  const by = SORT_KEYS.find((key) => key === value['by']);
  return by === undefined ? undefined : { by, descending: value['descending'] === true };
});

const inScope = ({ prompts }: BudgetsView): readonly number[] => {
  const all: number[] = [];
  for (let row = 0; row < prompts.id.length; row++) {
    if (scope.value === 'all' || (prompts.planned[row] ?? -1) >= 0) all.push(row);
  }
  return all;
};

const zeroGradientText = (view: BudgetsView): string => {
  const { observedZeroGradient: observed, expectedZeroGradient: expected, closedGroups } = view;
  if (observed === null || closedGroups === 0) return '';
  const gaps = { observed: count(observed), closed: count(closedGroups) };
  return expected === null
    ? text('zeroGradient', gaps)
    : text('zeroGradientExpected', {
        ...gaps,
        expected: expected < 100 ? decimal(expected, 1) : count(expected),
      });
};

const Toolbar = ({
  view,
  shown,
  all,
  problem,
}: {
  view: BudgetsView;
  shown: number;
  all: number;
  problem: string | null;
}) => (
  <div class="rs-toolbar" role="toolbar" aria-label={text('filter')} {...PANE}>
    <Segmented
      label={text('scope')}
      value={scope.value}
      options={[
        { value: 'step', label: text('scopeStep'), title: text('scopeStepTitle', { step: view.step }) },
        { value: 'all', label: text('scopeAll'), title: text('scopeAllTitle') },
      ]}
      onChange={(value) => (scope.value = value)}
    />
    <TextField
      label={text('filter')}
      value={filterText.value}
      placeholder={text('filterExample')}
      icon="search"
      focusAsked={searchAsked.value}
      onInput={(value) => (filterText.value = value)}
    />
    <span
      class={`rs-small rs-cut${problem === null ? ' rs-second' : ' bu-problem'}`}
      role="status"
      title={problem ?? undefined}
    >
      {problem ?? text('shown', { shown: count(shown), all: count(all) })}
    </span>
    <span class="rs-grow rs-small rs-second rs-cut bu-zero" title={zeroGradientText(view)}>
      {problem === null ? zeroGradientText(view) : ''}
    </span>
    {steeringShown() && (
      <Button
        icon="arrow-swap"
        off={whyNotSteer()}
        title={text('reallocateTitle')}
        onPress={() => void command({ id: 'reallocate' })}
      >
        {text('reallocate')}
      </Button>
    )}
    <SideToggle label={text('whyCard')} open={drawer} />
  </div>
);

const Nothing = ({ view, all }: { view: BudgetsView; all: number }) =>
  all === 0 ? (
    <EmptyState
      icon="watch"
      title={text('emptyStep', { step: view.step })}
      actions={
        scope.value === 'step' && view.prompts.id.length > 0
          ? [{ label: text('showAll'), run: () => (scope.value = 'all') }]
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
  const all = useMemo(() => inScope(view), [view, scope.value]);
  const filter = useMemo(() => readFilter(filterText.value, view.prompts), [view, filterText.value]);
  const passing = useMemo(() => (filter.test === null ? all : all.filter(filter.test)), [all, filter]);
  const key = `${view.step}/${scope.value}/${sorting.value.by}/${String(sorting.value.descending)}/${again.value}`;
  const { rows, moved } = useMemo(
    () => order.current.arrange(key, passing, view.prompts, sorting.value),
    [key, passing, view],
  );
  const chosen = rows.findIndex((row) => view.prompts.id[row] === selection.value.prompt);
  const whyRow = chosen >= 0 ? (rows[chosen] ?? -1) : (rows[0] ?? -1);
  return (
    <>
      <Toolbar view={view} shown={passing.length} all={all.length} problem={filter.problem} />
      <Banner />
      <LedgerBar view={view} />
      <div class="rs-body rs-scroll bu-body">
        {rows.length === 0 ? (
          <Nothing view={view} all={all.length} />
        ) : (
          <PromptTable
            view={view}
            rows={rows}
            sort={sorting.value}
            onSort={(sort) => (sorting.value = sort)}
            chosen={chosen >= 0 ? chosen : 0}
            moved={moved}
            onSortAgain={() => (again.value += 1)}
          />
        )}
        <SidePane label={text('whyCard')} width={416} open={drawer}>
          <WhyCard view={view} row={whyRow} />
          <WhatIfPane last={view.step} steps={1} />
        </SidePane>
      </div>
    </>
  );
};

export const Budgets = () => {
  const run = header.value;
  const view = useView('budgets', run ? { step: selection.value.step, history: HISTORY } : null).value;
  const absence = absenceOf(view);
  const step = view?.step ?? run?.step ?? null;
  const inStep = view ? view.prompts.planned.reduce((n, planned) => n + (planned >= 0 ? 1 : 0), 0) : null;
  return (
    <>
      <div {...PANE} role="presentation">
        <PanelHeader
          step={view?.step ?? null}
          crumbs={
            run
              ? [
                  { label: step === null ? say('noStep') : say('step', { step }) },
                  ...(inStep === null
                    ? []
                    : [{ label: inStep === 1 ? text('prompts1') : text('prompts', { n: count(inStep) }) }]),
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
