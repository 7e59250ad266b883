import { window, type QuickPickItem } from 'vscode';
import type { BreakCondition } from '../../protocol/wire/values';
import type { RunHeader } from '../../protocol/panels/selection';
import { PAUSE_MODES, type PauseMode } from '../../protocol/wire/words';
import { t } from '../l10n';
import { plain } from '../statusText';
import { MAX_FORK, MAX_ROLLOUTS, MAX_STEPS, readNumber, readWhole } from './readNumbers';
import type { Own } from './request';
import { BREAK_METRICS } from './wording';

/**
 * Quick picks and input boxes of the steering commands. undefined: a person cancelled. They stay when the focus
 * goes elsewhere: a question of several steps is not lost because a panel took it, or a person looked something up.
 */

interface Choice<T> extends QuickPickItem {
  readonly value: T;
}

async function pick<T>(
  choices: readonly Choice<T>[],
  title: string,
  placeHolder: string,
): Promise<T | undefined> {
  const chosen = await window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true });
  return chosen?.value;
}

async function whole(
  title: string,
  prompt: string,
  value: string,
  least: number,
  most: number,
): Promise<number | undefined> {
  const text = await window.showInputBox({
    ignoreFocusOut: true,
    title,
    prompt,
    value,
    validateInput: (input) =>
      readWhole(input, least, most) === null ? t('A whole number from {0} to {1}.', least, most) : undefined,
  });
  return text === undefined ? undefined : (readWhole(text, least, most) ?? undefined);
}

const MODES: Readonly<Record<PauseMode, { label: () => string; detail: () => string }>> = {
  'step-boundary': {
    label: () => t('At the end of the step'),
    detail: () => t('The step is finished and trained on; then nothing runs.'),
  },
  drain: {
    label: () => t('When running rollouts have ended'),
    detail: () => t('No rollout is launched any more; the running ones go to their end.'),
  },
  now: {
    label: () => t('Now'),
    detail: () => t('Between two tokens. Running rollouts go on from there after Resume.'),
  },
};

export function askPauseMode({ capabilities }: RunHeader): Promise<PauseMode | undefined> {
  const offered = PAUSE_MODES.filter((mode) => capabilities.includes(`steer.pause.${mode}`));
  const choices = offered.map((value) => ({
    label: MODES[value].label(),
    detail: MODES[value].detail(),
    value,
  }));
  return pick(choices, t('Pause'), t('When does it pause?'));
}

export function askSteps(): Promise<number | undefined> {
  return whole(t('Run One Step'), t('Steps to run before the run pauses again.'), '1', 1, MAX_STEPS);
}

type Rollouts = NonNullable<Own<'allocate'>['rollouts']>;

export async function askRollouts(whom: string): Promise<Rollouts | undefined> {
  const title = t('Re-allocate: {0}', plain(whom));
  const kind = await pick(
    [
      { label: t('Give more'), detail: t('Adds rollouts to what the method plans.'), value: 'add' as const },
      {
        label: t('Take away'),
        detail: t('Takes rollouts from what the method plans.'),
        value: 'take' as const,
      },
      {
        label: t('Set to a number'),
        detail: t('Pins the budget until it is undone.'),
        value: 'set' as const,
      },
      {
        label: t('Give back to the method'),
        detail: t('Clears what a person set.'),
        value: 'clear' as const,
      },
    ],
    title,
    t('What shall change?'),
  );
  if (kind === undefined) return undefined;
  if (kind === 'clear') return { clear: true };
  const least = kind === 'set' ? 0 : 1;
  const n = await whole(title, t('Rollouts a prompt and step.'), '8', least, MAX_ROLLOUTS);
  if (n === undefined) return undefined;
  if (kind === 'set') return { set: n };
  return { add: kind === 'add' ? n : -n };
}

export async function askCharge(
  { capabilities }: RunHeader,
  whom: string,
): Promise<'total' | 'extra' | undefined> {
  if (capabilities.includes('steer.allocate.fixed-total')) return 'total';
  return pick(
    [
      { label: t('Extra'), detail: t('The step gets larger: nobody loses.'), value: 'extra' as const },
      {
        label: t('From the total'),
        detail: t('The step stays as large as it is: other prompts get fewer.'),
        value: 'total' as const,
      },
    ],
    t('Re-allocate: {0}', plain(whom)),
    t('Where do the rollouts come from?'),
  );
}

type Method = RunHeader['methods'][number];

/** @param kind of method; undefined: all are offered. */
export async function askMethod(
  { methods }: RunHeader,
  kind: string | undefined,
): Promise<{ readonly method: Method; readonly parameters: Own<'setMethod'>['parameters'] } | undefined> {
  const choices = methods
    .filter((one) => kind === undefined || one.kind === kind)
    .map((value) => ({
      label: plain(value.title),
      description: value.active ? t('{0}, active', value.kind) : value.kind,
      detail: parametersText(value.parameters),
      value,
    }));
  const method = await pick(choices, t('Change Method'), t('From the next step on.'));
  if (!method) return undefined;
  const parameters = await askParameters(method);
  return parameters && { method, parameters };
}

const parametersText = (parameters: Method['parameters']): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} = ${String(value)}`)
    .join(', ');

async function askParameters(method: Method): Promise<Own<'setMethod'>['parameters'] | undefined> {
  const parameters = { ...method.parameters };
  for (;;) {
    const names = Object.keys(parameters);
    if (names.length === 0) return parameters;
    const name = await pick(
      [
        { label: t('$(check) Use these'), value: null },
        ...names.map((value) => ({ label: plain(value), description: String(parameters[value]), value })),
      ],
      plain(method.title),
      t('Change a parameter, or use these.'),
    );
    if (name === undefined) return undefined;
    if (name === null) return parameters;
    const before = parameters[name];
    const text = await window.showInputBox({
      ignoreFocusOut: true,
      title: plain(method.title),
      prompt: plain(name),
      value: String(before),
    });
    if (text !== undefined) parameters[name] = likeBefore(text, before);
  }
}

function likeBefore(
  text: string,
  before: string | number | boolean | null | undefined,
): string | number | boolean | null {
  if (typeof before === 'boolean') return text.trim() === 'true';
  const number = readNumber(text);
  if (typeof before === 'number') return number ?? before;
  return before === null || before === undefined ? (number ?? (text === 'null' ? null : text)) : text;
}

export async function askFork(
  { capabilities }: RunHeader,
  node: string,
  at: number,
): Promise<Own<'fork'> | undefined> {
  const title = t('Fork at position {0} of {1}', at, plain(node));
  const n = await whole(title, t('Rollouts that are launched from here.'), '4', 1, MAX_FORK);
  if (n === undefined) return undefined;
  const train = capabilities.includes('steer.fork.train');
  const use = train
    ? await pick(
        [
          { label: t('Probe'), detail: t('To look at; never enters training.'), value: 'probe' as const },
          {
            label: t('Train'),
            detail: t('Enters training while its group is open; charged to the prompt.'),
            value: 'train' as const,
          },
        ],
        title,
        t('What are they for?'),
      )
    : 'probe';
  if (use === undefined) return undefined;
  const own: Own<'fork'> = { node, at, n, use };
  return capabilities.includes('steer.fork.edited') ? askBeginning(title, own) : own;
}

async function askBeginning(title: string, own: Own<'fork'>): Promise<Own<'fork'> | undefined> {
  const how = await pick(
    [
      { label: t('As it is'), detail: t('The policy goes on from this position.'), value: 'plain' as const },
      {
        label: t('With a text of mine'),
        detail: t('The text stands from here on; it is not trained.'),
        value: 'edit' as const,
      },
      {
        label: t('With a hint'),
        detail: t('A hint is put before it goes on; it is not trained.'),
        value: 'hint' as const,
      },
    ],
    title,
    t('How does it begin?'),
  );
  if (how === undefined) return undefined;
  if (how === 'plain') return own;
  const text = await window.showInputBox({
    ignoreFocusOut: true,
    title,
    prompt: how === 'edit' ? t('Text from here on.') : t('Hint.'),
  });
  if (text === undefined || text === '') return undefined;
  return how === 'edit' ? { ...own, edit: { text } } : { ...own, hint: { text } };
}

export async function askCondition(): Promise<BreakCondition | undefined> {
  const title = t('Break When');
  const metrics = Object.keys(BREAK_METRICS) as BreakCondition['metric'][];
  const metric = await pick(
    metrics.map((value) => ({ label: BREAK_METRICS[value].label(), value })),
    title,
    t('The run pauses when …'),
  );
  if (metric === undefined) return undefined;
  const op = await pick(
    [
      { label: t('is above'), value: '>' as const },
      { label: t('is below'), value: '<' as const },
    ],
    title,
    BREAK_METRICS[metric].label(),
  );
  if (op === undefined) return undefined;
  const { share, label } = BREAK_METRICS[metric];
  const text = await window.showInputBox({
    ignoreFocusOut: true,
    title,
    prompt: `${label()} ${op}`,
    validateInput: (input) => {
      const number = readNumber(input);
      if (number === null) return t('A number.');
      return share && (number < 0 || number > 1) ? t('A share from 0 to 1.') : undefined;
    },
  });
  const value = text === undefined ? null : readNumber(text);
  return value === null ? undefined : { metric, op, value };
}
