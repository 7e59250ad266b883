import { useSignal, type Signal } from '@preact/signals';
import type { PassAtKView } from '../../protocol/panels/passAtK';
import { Banner } from '../shared/banner';
import { absenceOf, EmptyState } from '../shared/emptyState';
import { decimal } from '../shared/format';
import { PanelHeader } from '../shared/header';
import { header } from '../shared/host';
import { PANE } from '../shared/keys';
import { breakpoint } from '../shared/panelSize';
import { SidePane } from '../shared/sidePane';
import { TableBehind } from '../shared/tableBehind';
import { useView } from '../shared/view';
import { curveAt, headlineOf } from './headline';
import { heightsIn, NARROW } from './heights';
import { MainChart } from './mainChart';
import { Multiples } from './multiples';
import { OverChart } from './overChart';
import { againstStep, shownStep, source } from './passAtKState';
import { PasskLegend } from './passkLegend';
import { passkTable } from './passkTable';
import { text } from './texts';
import { Toolbar } from './toolbar';
import { useWidth } from './useWidth';
import { ValuesTable } from './valuesTable';

/** What the job has told of its sampling: `T 1.0, top-p 1`. */
const samplingText = ({ temperature, topP }: PassAtKView['sampling']): string =>
  [
    temperature === null ? '' : text('temperature', { value: decimal(temperature, 1) }),
    topP === null ? '' : text('topP', { value: decimal(topP, Number.isInteger(topP) ? 0 : 2) }),
  ]
    .filter((part) => part !== '')
    .join(', ') || text('samplingUnknown');

const NoEvaluation = () => {
  const heldOut = source.value === 'heldOut';
  return (
    <EmptyState
      icon="graph-line"
      title={text(heldOut ? 'noneTitle' : 'noneTrainingTitle')}
      text={text(heldOut ? 'noneText' : 'noneTrainingText')}
      actions={[
        {
          label: text(heldOut ? 'showTraining' : 'showHeldOut'),
          run: () => {
            source.value = heldOut ? 'training' : 'heldOut';
          },
        },
      ]}
    />
  );
};

const Over = ({ view }: { view: PassAtKView }) => (
  <section class="pk-over-box" aria-label={text('over')}>
    <div class="rs-pane-title">
      <h2 class="rs-strong">{text('over')}</h2>
    </div>
    <OverChart view={view} />
  </section>
);

const Body = ({ view, drawer }: { view: PassAtKView; drawer: Signal<boolean> }) => {
  const narrow = breakpoint.value === 'narrow';
  const headline = headlineOf(view);
  const compared = view.over.steps.length > 1;
  const column = useWidth();
  const top = useWidth();
  const heights = narrow ? NARROW : heightsIn(column.height.value, top.height.value);
  return (
    <div class="rs-body rs-scroll pk-body">
      <div ref={column.box} class="pk-main">
        <div ref={top.box} class="pk-headline">
          <h2 class="rs-large">{headline.title}</h2>
          <span class="rs-second rs-cut">{headline.text}</span>
        </div>
        <TableBehind
          class="pk-behind"
          label={text('chart')}
          head={<h3 class="rs-strong rs-grow pk-chart-title">{text('chart')}</h3>}
          table={() => passkTable(view)}
        >
          <MainChart view={view} height={heights.chart} />
          <Multiples view={view} height={heights.small} />
        </TableBehind>
        {narrow && compared && <Over view={view} />}
        {narrow && <ValuesTable view={view} />}
        <PasskLegend view={view} />
      </div>
      {!narrow && (
        <SidePane label={text('over')} width={528} open={drawer}>
          {compared && <Over view={view} />}
          <ValuesTable view={view} />
        </SidePane>
      )}
    </div>
  );
};

export const PassAtK = () => {
  const run = header.value;
  const view = useView(
    'passAtK',
    run ? { source: source.value, against: againstStep.value, step: shownStep.value } : null,
  ).value;
  // Counts in medium panels only, where the side column is a drawer.
  const drawer = useSignal(false);
  const absence = absenceOf(view);
  const nothing = run !== null && (view === null || view?.curves.length === 0);
  const drawn = view && view.curves.length > 0 ? view : null;
  return (
    <>
      <div {...PANE} role="presentation">
        <PanelHeader
          crumbs={run ? [{ label: text('crumb') }, { label: view?.set ?? text(source.value) }] : []}
          version={drawn ? (curveAt(drawn, drawn.shown)?.policyVersion ?? null) : null}
          note={drawn ? samplingText(drawn.sampling) : ''}
        />
      </div>
      {run && <Toolbar view={drawn} drawer={drawer} />}
      <Banner />
      {nothing ? (
        <NoEvaluation />
      ) : absence === null && drawn ? (
        <Body view={drawn} drawer={drawer} />
      ) : (
        absence
      )}
    </>
  );
};
