import type { RunHeader } from '../../protocol/panels/selection';
import { count } from '../format';
import { t } from '../l10n';
import { plain } from '../statusText';
import { pick, whole } from './ask';
import { MAX_ROLLOUTS } from './readNumbers';
import type { Own } from './request';

/** Questions of who gets how many rollouts. */

type Rollouts = NonNullable<Own<'allocate'>['rollouts']>;

/** What "Re-allocate…" may mean, as far as the job offers it and a prompt is selected. */
export async function askReallocation(
  { capabilities }: RunHeader,
  prompt: string | null,
): Promise<'rollouts' | 'method' | 'pin' | 'skip' | undefined> {
  const can = (what: string): boolean => capabilities.some((one) => one.startsWith(`steer.${what}`));
  const choices = [
    {
      offered: can('allocate'),
      label: t('Give or take rollouts'),
      detail: t('Of the run, a prompt, a group or what lies below a node.'),
      value: 'rollouts' as const,
    },
    {
      offered: can('method'),
      label: t('Change the method or its parameters'),
      detail: t('From the next step on.'),
      value: 'method' as const,
    },
    {
      offered: can('allocate.prompt') && prompt !== null,
      label: t('Pin prompt {0}', plain(prompt ?? '')),
      detail: t('Keeps a number of rollouts until it is undone.'),
      value: 'pin' as const,
    },
    {
      offered: can('skip') && prompt !== null,
      label: t('Skip prompt {0}', plain(prompt ?? '')),
      detail: t('Leaves it out of planning until it is undone.'),
      value: 'skip' as const,
    },
  ].filter(({ offered }) => offered);
  return pick(choices, t('Re-allocate'), t('What shall change?'));
}

/** A number of rollouts that a prompt is pinned to. */
export const askPin = (prompt: string): Promise<number | undefined> =>
  whole(t('Pin prompt {0}', plain(prompt)), t('Rollouts in every step.'), '8', 0, MAX_ROLLOUTS);

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

/** How long budgets hold: for one step, or until they are undone. */
export function askSpan(
  { lastStep }: RunHeader,
  whom: string,
): Promise<{ readonly untilStep?: number } | undefined> {
  const next = lastStep === null ? 0 : lastStep + 1;
  return pick(
    [
      {
        label: t('For step {0} only', count(next)),
        detail: t('Then the method plans again.'),
        value: { untilStep: next },
      },
      { label: t('Until undone'), detail: t('These prompts are drawn in every step.'), value: {} },
    ],
    t('Re-allocate: {0}', plain(whom)),
    t('How long do these budgets hold?'),
  );
}
