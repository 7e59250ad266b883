import { signal } from '@preact/signals';
import type { Strings } from '../../protocol/panels/messages';

/** Names of the `{gaps}` in a text. */
type Gaps<Text extends string> = Text extends `${string}{${infer Gap}}${infer Rest}`
  ? Gap | Gaps<Rest>
  : never;
type Fill<Text extends string> = [Gaps<Text>] extends [never]
  ? []
  : [gaps: Readonly<Record<Gaps<Text>, string | number>>];

const localised = signal<Strings>({});

/** Texts of the host in the user's language, by `<group>.<key>`. */
export const setStrings = (strings: Strings): void => {
  localised.value = strings;
};

export const fill = (text: string, gaps: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(gaps[name] ?? whole));

/** Gives the text of a key; a text with `{gaps}` asks for what fills them. */
export type Say<Table extends Readonly<Record<string, string>>> = <Key extends keyof Table & string>(
  key: Key,
  ...gaps: Fill<Table[Key]>
) => string;

/**
 * The texts of one part of the pages, in English; the host's text of the same key, `<group>.<key>`, stands
 * above. The gaps of a text are checked by the compiler, so declare the table `as const`.
 */
export const defineTexts =
  <Table extends Readonly<Record<string, string>>>(group: string, table: Table): Say<Table> =>
  (key, ...gaps) =>
    fill(localised.value[`${group}.${key}`] ?? table[key] ?? key, gaps[0] ?? {});

const TABLE = {
  live: 'Live',
  behind: '{seconds} behind',
  connecting: 'Attaching',
  paused: 'Paused by {who}',
  lost: 'Connection lost',
  refused: 'Not attached',
  ended: 'Ended at step {step}',
  recorded: 'Recorded',
  recordedSteps: '{date}, {steps} steps',
  secondStart: '{nth} start',
  policyVersion: 'policy v{version}',
  step: 'step {step}',
  noStep: 'no step yet',

  steps: 'Steps',
  stepBack: 'Previous step',
  stepOn: 'Next step',
  stepFirst: 'Step {step} is the first one.',
  stepLast: 'Step {step} is the newest one.',
  stepSlider: 'Step shown',
  follow: 'Follow',
  followTitle: 'Show the newest step and go on with it',

  lostTitle: 'Connection lost at {time}.',
  lostText: 'Shown: everything to seq {seq}. {sentence}',
  lostNext: 'Next try in {seconds}.',
  tryNow: 'Try now',
  refusedTitle: 'Not attached.',
  enterToken: 'Enter token…',
  behindTitle: '{seconds} behind.',
  behindText: '{samples} token samples left out in the last minute, no structure lost.',
  behindTextNone: 'Nothing was left out.',
  pausedTitle: 'Paused by {who} at {time}.',
  pausedText: '{mode}; the job waits for Resume.',
  pauseAtBoundary: 'At the step boundary',
  pauseDrained: 'After what ran had ended',
  pauseNow: 'Between two tokens',
  resume: 'Resume',
  restartedTitle: 'The job restarted: this is its {nth} start.',
  restartedText: 'Steps of the starts before it are kept.',
  recordedTitle: 'Recorded run, {date}, {steps} steps.',
  recordedTitle1: 'Recorded run, {date}, 1 step.',
  resultsText: 'Read from files of results, which hold no texts and no times. Steering needs a live run.',
  recordedText: 'Read from its journal. Figures and reasons work here; steering needs a live run.',
  standsStillTitle: 'This picture stands still.',
  standsStillText: '{problem}. What is shown is from before; the run goes on. The log says more.',
  mismatchTitle: 'Counts do not add up.',
  events: 'Events',
  more: '+{count} more',
  dismiss: 'Dismiss',

  noRunTitle: 'No run attached.',
  noRunText: 'Start a job with the publisher and attach to it, or try the sample run.',
  startSampleRun: 'Start Sample Run',
  attach: 'Attach…',
  waitingTitle: 'Nothing to show yet.',
  waitingText: 'The picture appears with the first event of the run.',
  stepNotBegunTitle: 'Step {step} has not begun.',
  showStep: 'Show step {step}',
  loading: 'Loading',
  amounts: '{done} of {all}',
  brokenTitle: 'The picture could not be drawn.',
  brokenText: '{error}. Nothing in the run was changed. Close and open the panel again.',

  planned: 'planned',
  launched: 'launched',
  neverLaunched: 'never launched',
  running: 'running',
  lastSeen: 'last seen running',
  finished: 'finished',
  discarded: 'discarded',
  killed: 'killed',
  carriedOver: 'carried over',
  used: 'used for a gradient',
  noGradient: 'finished, no gradient',
  undecided: 'finished, group still open',
  addsUp: 'adds up, recounted at seq {seq}',
  addsUpShort: 'adds up',
  doesNotAddUp: 'does not add up: {sentence}',
  outside: 'outside the sum: {parts}',

  table: 'The table behind this picture (T)',
  picture: 'Back to the picture (T)',
  rows: '{count} rows',
  side: 'Side column',
  requested: 'Requested: the job has not answered yet.',
  notOffered: 'This job does not offer {capability}.',
  noSteering: 'This run cannot be steered from here.',
  undefined: 'undefined',
  none: 'none',
} as const;

/** Texts that all panels share. */
export const say: Say<typeof TABLE> = defineTexts('shared', TABLE);
