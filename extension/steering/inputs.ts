import { window } from 'vscode';
import type { BreakCondition } from '../../protocol/wire/values';
import type { RunHeader } from '../../protocol/panels/selection';
import { PAUSE_MODES, type PauseMode } from '../../protocol/wire/words';
import { t } from '../l10n';
import { plain } from '../statusText';
import { pick, whole } from './ask';
import { MAX_FORK, MAX_STEPS, readNumber } from './readNumbers';
import type { Own } from './request';
import { BREAK_METRICS } from './wording';

/** Questions of pauses, steps, forks and breaks. */

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
