import type { BudgetsView } from '../../protocol/panels/budgets';
import { HEAT_MEASURES } from '../../protocol/panels/budgets';
import { Button, Dropdown, TextField } from '../shared/controls';
import { count } from '../shared/format';
import { command, header, searchAsked } from '../shared/host';
import { PANE } from '../shared/keys';
import { Segmented } from '../shared/segmented';
import { SideToggle } from '../shared/sidePane';
import { steeringShown, whyNotSteer } from '../shared/steering';
import { measureText } from './heatValues';
import {
  area,
  AREAS,
  chosenRange,
  drawer,
  filterText,
  layout,
  LAYOUTS,
  measure,
  rangeOf,
  scope,
  treemapColour,
  TREEMAP_COLOURS,
} from './panelState';
import { text } from './texts';

const COLOUR = { rate: 'colourRate', spread: 'colourSpread', gradientShare: 'colourGradient' } as const;
export const colourText = (name: keyof typeof COLOUR): string => text(COLOUR[name]);

const AREA = { tokens: 'areaTokens', launched: 'areaLaunched' } as const;
export const areaText = (name: keyof typeof AREA): string => text(AREA[name]);

const LAYOUT = { table: 'layoutTable', heat: 'layoutHeat', treemap: 'layoutTreemap' } as const;

/** One end of the range: a step number; empty, the first or the newest. */
const End = ({ end, value, hint }: { end: 'from' | 'to'; value: number | null; hint: number | null }) => (
  <input
    class="bu-end"
    type="number"
    min={0}
    value={value ?? ''}
    placeholder={hint === null ? '' : String(hint)}
    aria-label={text(end === 'from' ? 'rangeFrom' : 'rangeTo')}
    title={text(end === 'from' ? 'rangeFrom' : 'rangeTo')}
    onChange={({ currentTarget }) => {
      const typed = currentTarget.value === '' ? null : currentTarget.valueAsNumber;
      if (typed !== null && (!Number.isInteger(typed) || typed < 0)) return;
      const before = rangeOf(header.value?.step ?? null) ?? { from: null, to: null };
      chosenRange.value = { ...before, [end]: typed };
    }}
  />
);

const RangeEnds = () => {
  const run = header.value;
  const range = rangeOf(run?.step ?? null);
  return (
    <span class="bu-ends rs-small" role="group" aria-label={text('rangeSteps')}>
      <End end="from" value={range?.from ?? null} hint={run?.firstStep ?? null} />
      <span class="rs-second">{text('rangeBetween')}</span>
      <End end="to" value={range?.to ?? null} hint={run?.lastStep ?? null} />
    </span>
  );
};

/** What the colours of the picture mean; of the treemap also its areas. */
const Colours = () =>
  layout.value === 'treemap' ? (
    <>
      <Dropdown
        label={text('area')}
        value={area.value}
        options={AREAS.map((value) => ({ value, label: areaText(value) }))}
        onChange={(value) => (area.value = value)}
      />
      <Dropdown
        label={text('colour')}
        value={treemapColour.value}
        options={TREEMAP_COLOURS.map((value) => ({ value, label: colourText(value) }))}
        onChange={(value) => (treemapColour.value = value)}
      />
    </>
  ) : (
    <Dropdown
      label={text('colour')}
      value={measure.value}
      options={HEAT_MEASURES.map((value) => ({ value, label: measureText(value) }))}
      onChange={(value) => (measure.value = value)}
    />
  );

export const Toolbar = ({
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
  <div class="rs-toolbar bu-toolbar" role="toolbar" aria-label={text('toolbar')} {...PANE}>
    <Segmented
      label={text('scope')}
      value={scope.value}
      options={[
        { value: 'step', label: text('scopeStep'), title: text('scopeStepTitle', { step: view.step }) },
        { value: 'range', label: text('scopeRange'), title: text('scopeRangeTitle') },
        { value: 'run', label: text('scopeRun'), title: text('scopeRunTitle') },
      ]}
      onChange={(value) => {
        if (value === 'range' && chosenRange.value === null) {
          scope.value = value;
          chosenRange.value = rangeOf(view.step);
        } else scope.value = value;
      }}
    />
    {scope.value === 'range' && <RangeEnds />}
    <Segmented
      label={text('layout')}
      value={layout.value}
      options={LAYOUTS.map((value) => ({ value, label: text(LAYOUT[value]) }))}
      onChange={(value) => (layout.value = value)}
    />
    <Colours />
    <TextField
      label={text('filter')}
      value={filterText.value}
      placeholder={text('filterExample')}
      icon="search"
      focusAsked={searchAsked.value}
      onInput={(value) => (filterText.value = value)}
    />
    <span
      class={`rs-small rs-cut bu-shown${problem === null ? ' rs-second' : ' bu-problem'}`}
      role="status"
      title={problem ?? undefined}
    >
      {problem ?? text('shown', { shown: count(shown), all: count(all) })}
    </span>
    <span class="rs-grow" />
    {steeringShown() && (
      <Button
        icon="arrow-swap"
        off={whyNotSteer('steer.method')}
        title={text('reallocateTitle')}
        onPress={() => void command({ id: 'setMethod', kind: 'allocation' })}
      >
        {text('reallocate')}
      </Button>
    )}
    <SideToggle label={text('whyCard')} open={drawer} />
  </div>
);
