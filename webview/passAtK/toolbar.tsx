import type { Signal } from '@preact/signals';
import type { PassAtKView } from '../../protocol/panels/passAtK';
import { Button, Dropdown } from '../shared/controls';
import { command } from '../shared/host';
import { PANE } from '../shared/keys';
import { MenuButton } from '../shared/menuButton';
import { palette } from '../shared/palette';
import { breakpoint } from '../shared/panelSize';
import { Segmented } from '../shared/segmented';
import { SideToggle } from '../shared/sidePane';
import { csvOf, fileName, svgOf } from './exports';
import { againstStep, shownStep, source } from './passAtKState';
import { text } from './texts';

const Steps = ({ view }: { view: PassAtKView }) => {
  const { steps } = view.over;
  const options = [...steps].sort((a, b) => a - b).map(String);
  const first = options[0];
  const newest = options[options.length - 1];
  if (first === undefined || newest === undefined || options.length < 2) return null;
  const read = (value: string): number | null => (value === '' ? null : Number(value));
  return (
    <>
      <Dropdown
        label={text('step')}
        value={shownStep.value === null ? '' : String(shownStep.value)}
        options={[
          { value: '', label: text('newest', { step: newest }) },
          ...options.toReversed().map((step) => ({ value: step, label: text('atStep', { step }) })),
        ]}
        onChange={(value) => {
          shownStep.value = read(value);
        }}
      />
      <Dropdown
        label={text('against')}
        value={againstStep.value === null ? '' : String(againstStep.value)}
        options={[
          { value: '', label: text('firstStep', { step: first }) },
          ...options.map((step) => ({ value: step, label: text('againstStep', { step }) })),
        ]}
        onChange={(value) => {
          againstStep.value = read(value);
        }}
      />
    </>
  );
};

const saveCsv = (view: PassAtKView): void => {
  void command({ id: 'save', name: fileName(view, 'csv'), text: csvOf(view) });
};

const saveSvg = (view: PassAtKView): void => {
  const chart = document.querySelector('svg.pk-chart');
  if (!(chart instanceof SVGSVGElement)) return;
  void command({ id: 'save', name: fileName(view, 'svg'), text: svgOf(chart, palette.value.ground) });
};

const Exports = ({ view }: { view: PassAtKView }) =>
  breakpoint.value === 'narrow' ? (
    <MenuButton
      text={text('export')}
      icon="export"
      items={[
        { label: text('exportCsv'), detail: text('exportCsvTitle'), run: () => saveCsv(view) },
        { label: text('exportSvg'), detail: text('exportSvgTitle'), run: () => saveSvg(view) },
      ]}
    />
  ) : (
    <>
      <Button icon="export" title={text('exportCsvTitle')} onPress={() => saveCsv(view)}>
        {text('exportCsv')}
      </Button>
      <Button icon="export" title={text('exportSvgTitle')} onPress={() => saveSvg(view)}>
        {text('exportSvg')}
      </Button>
    </>
  );

/** Which prompts, which steps; at the right the exports. */
export const Toolbar = ({
  view,
  drawer,
}: {
  view: PassAtKView | null;
  /** The side column, where it is a drawer. */
  drawer: Signal<boolean>;
}) => (
  <div class="rs-toolbar pk-toolbar" role="toolbar" aria-label={text('chart')} {...PANE}>
    <Segmented
      label={text('sourceLabel')}
      value={source.value}
      options={[
        { value: 'heldOut', label: text('heldOut'), title: text('heldOutTitle') },
        { value: 'training', label: text('training'), title: text('trainingTitle') },
      ]}
      onChange={(next) => {
        source.value = next;
        shownStep.value = null;
        againstStep.value = null;
      }}
    />
    {view && <Steps view={view} />}
    <span class="rs-grow" />
    {view && <Exports view={view} />}
    {view && <SideToggle label={text('over')} open={drawer} />}
  </div>
);
