import { useSignal, type Signal } from '@preact/signals';
import type { PassAtKView } from '../../protocol/panels/passAtK';
import { Banner } from '../shared/banner';
import { Checkbox, Dropdown } from '../shared/controls';
import { absenceOf, EmptyState } from '../shared/emptyState';
import { count, decimal } from '../shared/format';
import { PanelHeader } from '../shared/header';
import { header } from '../shared/host';
import { PANE } from '../shared/keys';
import { breakpoint } from '../shared/panelSize';
import { SidePane } from '../shared/sidePane';
import { TableBehind } from '../shared/tableBehind';
import { curveAt, type DrawnView } from './drawnView';
import { headlineOf } from './headline';
import { heightsIn, NARROW } from './heights';
import { MainChart } from './mainChart';
import { Multiples } from './multiples';
import { caveats, Notes } from './notes';
import { OverChart } from './overChart';
import { isInTime, overSteps } from './overSteps';
import { overTable, tradeText } from './overText';
import { coverageK, curveBy, extrapolate, layout, source } from './passAtKState';
import { PasskLegend } from './passkLegend';
import { passkTable } from './passkTable';
import { PromptGrid } from './promptGrid';
import { text } from './texts';
import { Toolbar } from './toolbar';
import { useDrawn } from './useDrawn';
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

/** Measured, and yet there is no curve: why, and the way back. */
const NoCurve = ({ view }: { view: DrawnView }) => (
  <EmptyState
    icon="graph-line"
    title={text('noCurveTitle')}
    text={caveats(view).join(' ')}
    actions={
      view.by === 'step'
        ? []
        : [
            {
              label: text('showSteps'),
              run: () => {
                curveBy.value = 'step';
              },
            },
          ]
    }
  />
);

const Over = ({ view }: { view: DrawnView }) => {
  const ks = view.k.filter((k) => k > 1);
  const k = coverageK.value !== null && ks.includes(coverageK.value) ? coverageK.value : view.largestK;
  const over = overSteps(view, k);
  return (
    <TableBehind
      class="pk-over-box"
      label={text('over')}
      head={
        <>
          <h2 class="rs-strong rs-grow pk-over-title">{text('over')}</h2>
          {ks.length > 1 && (
            <Dropdown
              label={text('coverageLabel')}
              value={String(k)}
              options={ks.map((each) => ({ value: String(each), label: text('passAt', { k: count(each) }) }))}
              onChange={(next) => {
                coverageK.value = Number(next);
              }}
            />
          )}
        </>
      }
      table={() => overTable(view, over)}
    >
      <p class="pk-trade rs-small">{tradeText(view, over)}</p>
      <OverChart view={view} over={over} />
    </TableBehind>
  );
};

const Curves = ({ view, height, small }: { view: DrawnView; height: number; small: number }) => (
  <TableBehind
    class="pk-behind"
    label={text('chart')}
    head={
      <>
        <h3 class="rs-strong rs-grow pk-chart-title">{text('chart')}</h3>
        <Checkbox
          checked={extrapolate.value}
          onChange={(on) => {
            extrapolate.value = on;
          }}
        >
          {text('extrapolate')}
        </Checkbox>
      </>
    }
    table={() => passkTable(view)}
  >
    <MainChart view={view} height={height} />
    <Multiples view={view} height={small} />
  </TableBehind>
);

const Body = ({ view, drawer }: { view: DrawnView; drawer: Signal<boolean> }) => {
  const narrow = breakpoint.value === 'narrow';
  const headline = headlineOf(view);
  const column = useWidth();
  const top = useWidth();
  const heights = narrow ? NARROW : heightsIn(column.height.value, top.height.value);
  const prompts = layout.value === 'prompts' && view.rows !== null ? view.rows : null;
  const compared = isInTime(view) && overSteps(view, view.largestK).steps.length > 1;
  return (
    <div class="rs-body rs-scroll pk-body">
      <div ref={column.box} class="pk-main">
        <div ref={top.box} class="pk-top">
          <div class="pk-headline">
            <h2 class="rs-large">{headline.title}</h2>
            <span class="rs-second rs-cut">{headline.text}</span>
          </div>
          <Notes view={view} />
        </div>
        {prompts ? (
          <PromptGrid view={view} rows={prompts} />
        ) : (
          <>
            <Curves view={view} height={heights.chart} small={heights.small} />
            {narrow && compared && <Over view={view} />}
            {narrow && <ValuesTable view={view} />}
            <PasskLegend view={view} />
          </>
        )}
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
  const view = useDrawn();
  // Counts in medium panels only, where the side column is a drawer.
  const drawer = useSignal(false);
  const absence = absenceOf(view);
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
      {run && <Toolbar view={view ?? null} drawer={drawer} />}
      <Banner />
      {run && view === null ? (
        <NoEvaluation />
      ) : absence === null && view ? (
        drawn ? (
          <Body view={drawn} drawer={drawer} />
        ) : (
          <NoCurve view={view} />
        )
      ) : (
        absence
      )}
    </>
  );
};
