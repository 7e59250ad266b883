import { useSignal } from '@preact/signals';
import type { OverviewView } from '../../protocol/panels/overview';
import type { RunHeader } from '../../protocol/panels/selection';
import type { Phase } from '../../protocol/wire/words';
import { Banner } from '../shared/banner';
import type { BannerItem } from '../shared/bannerItems';
import { absenceOf } from '../shared/emptyState';
import { count } from '../shared/format';
import { PanelHeader } from '../shared/header';
import { command, header, selection } from '../shared/host';
import { PANE } from '../shared/keys';
import { mismatchOf } from '../shared/ledgerSums';
import { breakpoint } from '../shared/panelSize';
import { SidePane, SideToggle } from '../shared/sidePane';
import { steeringShown } from '../shared/steering';
import { say } from '../shared/strings';
import { duration } from '../shared/times';
import { useView } from '../shared/view';
import { FigureCells } from './figureCells';
import { Findings, GravestLine } from './findings';
import { RunControls } from './runControls';
import { Breakpoints, Steering, Watched } from './sideLists';
import { Slowest } from './slowest';
import { StepBars } from './stepBars';
import { text } from './texts';

/** Word of a phase, as it is said in the note. */
const PHASES = {
  plan: 'phasePlan',
  generate: 'phaseGenerate',
  reward: 'phaseReward',
  filter: 'phaseFilter',
  train: 'phaseTrain',
  evaluate: 'phaseEvaluate',
  sync: 'phaseSync',
  idle: 'phaseIdle',
} as const satisfies Readonly<Record<Phase, string>>;
const isPhase = (word: string): word is Phase => Object.hasOwn(PHASES, word);

/** `generating, 955 of 1,016 ended · 31 h 14 min · 8 × H100`. */
const noteOf = (run: RunHeader, view: OverviewView): string => {
  const { ledger } = view;
  const phase = view.phase !== null && isPhase(view.phase) ? PHASES[view.phase] : undefined;
  const ended = ledger.launched - ledger.running;
  const parts = [
    phase === undefined
      ? ''
      : text('noteEnded', {
          phase: text(phase),
          ended: count(ended),
          launched: count(ledger.launched),
        }),
    run.state === 'live' || run.state === 'behind' || run.state === 'paused'
      ? duration((Date.now() - run.startedAt) / 1000)
      : '',
    run.device ?? '',
  ];
  return parts.filter((part) => part !== '').join(' \u00a0·\u00a0 ');
};

const mismatchBanner = (view: OverviewView): readonly BannerItem[] => {
  const mismatch = mismatchOf(view.ledger);
  if (mismatch === null) return [];
  return [
    {
      key: `mismatch-${view.step ?? 0}`,
      level: 'warning',
      icon: 'error',
      title: say('mismatchTitle'),
      text: mismatch,
      link: {
        label: say('events'),
        run: () => void command({ id: 'showEvents', subjectType: 'step', subject: String(view.step ?? 0) }),
      },
    },
  ];
};

const Body = ({ view }: { view: OverviewView }) => {
  const drawer = useSignal(false);
  const wide = breakpoint.value === 'wide';
  return (
    <>
      <Banner items={mismatchBanner(view)} />
      <div class="ov-figures">
        <FigureCells view={view} />
        <SideToggle label={text('findings')} open={drawer} />
      </div>
      <div class="rs-body rs-scroll ov-body">
        <div class="ov-main">
          {!wide && !drawer.value && <GravestLine view={view} />}
          <Slowest view={view} />
          <StepBars bars={view.bars} shown={view.step} />
        </div>
        <SidePane label={text('findings')} width={432} open={drawer}>
          <Findings view={view} mayBePrimary={wide || drawer.value} />
          <Watched watched={view.watched} />
          <Breakpoints breakpoints={view.breakpoints} />
          <Steering rows={view.steering} total={view.steeringTotal} />
        </SidePane>
      </div>
    </>
  );
};

export const Overview = () => {
  const run = header.value;
  const view = useView('overview', run ? { step: selection.value.step } : null).value;
  const absence = absenceOf(view);
  const step = view?.step ?? run?.step ?? null;
  return (
    <>
      <div {...PANE} role="presentation">
        <PanelHeader
          crumbs={run ? [{ label: step === null ? say('noStep') : say('step', { step }) }] : []}
          step={view?.step ?? null}
          note={run && view ? noteOf(run, view) : ''}
        >
          {run && steeringShown() ? <RunControls /> : null}
        </PanelHeader>
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
