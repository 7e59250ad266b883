import type { Signal } from '@preact/signals';
import { Checkbox, Dropdown, TextField } from '../shared/controls';
import { count, rate } from '../shared/format';
import { header, runs } from '../shared/host';
import { PANE } from '../shared/keys';
import { MenuButton } from '../shared/menuButton';
import { Segmented } from '../shared/segmented';
import { SideToggle } from '../shared/sidePane';
import { curveName, KINDS, type DrawnView, type Kind } from './drawnView';
import {
  againstKey,
  chosenRuns,
  curveBy,
  forgetChoices,
  heldOutSet,
  layout,
  shownKey,
  source,
  threshold,
  upTo,
} from './passAtKState';
import { saveCsv, savePng, saveRows, saveSvg } from './saving';
import { promptsOf } from './readoutText';
import { text } from './texts';

const KIND_TEXT = {
  step: 'byStep',
  checkpoint: 'byCheckpoint',
  run: 'byRun',
  method: 'byMethod',
  difficulty: 'byDifficulty',
  domain: 'byDomain',
  prompt: 'byPrompt',
} as const;

const CurveKinds = () => (
  <Dropdown
    label={text('curveBy')}
    value={curveBy.value}
    options={KINDS.map((kind) => ({ value: kind, label: text(KIND_TEXT[kind]) }))}
    onChange={(next: Kind) => {
      // Keys of steps mean something as long as curves are steps, or parts of one.
      const keyed = (kind: Kind): string => (kind === 'checkpoint' || kind === 'method' ? kind : 'step');
      if (keyed(next) !== keyed(curveBy.value)) forgetChoices();
      curveBy.value = next;
    }}
  />
);

/** What is shown and what it is compared with: steps, checkpoints or methods. */
const Keys = ({ view }: { view: DrawnView }) => {
  const { keys } = view;
  const first = keys[0];
  const newest = keys.at(-1);
  if (first === undefined || newest === undefined || keys.length < 2 || view.by === 'run') return null;
  const stepView: DrawnView = view.paired ? view : { ...view, by: 'step' };
  const name = (key: string): string => curveName(stepView, key);
  // An option needs a value that is not empty: a method without a name has one.
  const value = (key: string | null): string => (key === null ? '' : `=${key}`);
  const read = (chosen: string): string | null => (chosen === '' ? null : chosen.slice(1));
  return (
    <>
      <Dropdown
        label={text(view.paired ? 'shownLabel' : 'measuredLabel')}
        value={value(shownKey.value)}
        options={[
          { value: '', label: text('newest', { name: name(newest) }) },
          ...keys
            .toReversed()
            .map((key) => ({ value: value(key), label: text('shownOne', { name: name(key) }) })),
        ]}
        onChange={(chosen) => {
          shownKey.value = read(chosen);
        }}
      />
      <Dropdown
        label={text('against')}
        value={value(againstKey.value)}
        options={[
          { value: '', label: text('againstFirst', { name: name(first) }) },
          ...keys.map((key) => ({ value: value(key), label: text('againstKey', { name: name(key) }) })),
        ]}
        onChange={(chosen) => {
          againstKey.value = read(chosen);
        }}
      />
    </>
  );
};

/** The fixed set: more prompts to a smaller k, or fewer to a greater one. */
const Ranges = ({ view }: { view: DrawnView }) => {
  // Of ks with the same prompts the greatest says it all.
  const ranges = view.ranges.filter(({ prompts }, i) => view.ranges[i + 1]?.prompts !== prompts);
  if (ranges.length < 2) return null;
  return (
    <Dropdown
      label={text('rangeLabel')}
      value={upTo.value === null ? '' : String(upTo.value)}
      options={[
        {
          value: '',
          label: text('rangeDefault', { count: count(view.fixedPrompts), k: count(view.largestK) }),
        },
        ...ranges.map(({ k, prompts }) => ({
          value: String(k),
          label: text('range', { prompts: promptsOf(prompts), k: count(k) }),
        })),
      ]}
      onChange={(chosen) => {
        upTo.value = chosen === '' ? null : Number(chosen);
      }}
    />
  );
};

const Sets = ({ view }: { view: DrawnView }) =>
  view.source === 'heldOut' && view.sets.length > 1 ? (
    <Dropdown
      label={text('setLabel')}
      value={view.set}
      options={view.sets.map((set) => ({ value: set, label: set }))}
      onChange={(set) => {
        forgetChoices();
        heldOutSet.value = set;
      }}
    />
  ) : null;

/** Which rewards are a success: a person's choice, where rewards are not just 0 and 1. */
const Threshold = ({ view }: { view: DrawnView }) => {
  const asked = view.notes.some(({ code }) => code === 'nonBinary') || threshold.value !== null;
  if (view.source !== 'training' || !asked) return null;
  return (
    <span class="rs-row pk-threshold" title={text('thresholdTitle')}>
      <span class="rs-second">{text('thresholdLabel')}</span>
      <TextField
        label={text('thresholdTitle')}
        value={threshold.value === null ? '' : String(threshold.value)}
        placeholder={view.threshold === null ? '' : text('thresholdJob', { value: rate(view.threshold) })}
        onInput={(typed) => {
          const value = Number(
            typed
              .trim()
              .replace(/^([−-]?)\./, '$10.')
              .replace('−', '-'),
          );
          threshold.value = typed.trim() === '' || !Number.isFinite(value) ? null : value;
        }}
      />
    </span>
  );
};

/** Other runs of this window that stand beside the shown one. */
const Runs = () => {
  const others = runs.value.filter(({ key }) => key !== header.value?.run);
  const chosen = chosenRuns.value ?? others.map(({ key }) => key);
  return (
    <span class="rs-row" role="group" aria-label={text('otherRuns')}>
      {others.map(({ key, name }) => (
        <Checkbox
          key={key}
          checked={chosen.includes(key)}
          onChange={(on) => {
            chosenRuns.value = on ? [...chosen, key] : chosen.filter((each) => each !== key);
          }}
        >
          {name}
        </Checkbox>
      ))}
      {others.length === 0 && <span class="rs-second rs-small">{text('noOtherRun')}</span>}
    </span>
  );
};

const Exports = ({ view }: { view: DrawnView }) => (
  <MenuButton
    text={text('export')}
    icon="export"
    items={
      layout.value === 'prompts'
        ? [{ label: text('exportCsv'), detail: text('exportRowsTitle'), run: () => saveRows(view) }]
        : [
            { label: text('exportSvg'), detail: text('exportSvgTitle'), run: () => saveSvg(view) },
            { label: text('exportPng'), detail: text('exportPngTitle'), run: () => void savePng(view) },
            { label: text('exportCsv'), detail: text('exportCsvTitle'), run: () => saveCsv(view) },
          ]
    }
  />
);

/** Which samples, one curve a what, which two are compared, over which prompts; at the right the layout and the exports. */
export const Toolbar = ({
  view,
  drawer,
}: {
  view: DrawnView | null;
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
        forgetChoices();
      }}
    />
    {view && <Sets view={view} />}
    <CurveKinds />
    {curveBy.value === 'run' && <Runs />}
    {view && <Keys view={view} />}
    {view && <Ranges view={view} />}
    {view && <Threshold view={view} />}
    <span class="rs-grow" />
    <Segmented
      label={text('layoutLabel')}
      value={layout.value}
      options={[
        { value: 'curves', label: text('curves'), title: text('curvesTitle') },
        { value: 'prompts', label: text('promptList'), title: text('promptListTitle') },
      ]}
      onChange={(next) => {
        layout.value = next;
      }}
    />
    {view && <Exports view={view} />}
    {view && <SideToggle label={text('over')} open={drawer} />}
  </div>
);
