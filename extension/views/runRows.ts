import type { StepRow } from '../../protocol/panels/lists';
import type { RunHeader } from '../../protocol/panels/selection';
import { count, rate, seconds } from '../format';
import { t } from '../l10n';
import { plain } from '../statusText';

/** Words of the Runs view, apart from VS Code so that they can be tested. */
export interface RowText {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
}

export function runRow(header: RunHeader, now: number): RowText {
  const step = header.step === null ? null : t('step {0}', count(header.step));
  const join = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(', ');
  const label = plain(header.name);
  const life = header.incarnation > 1 ? t('{0} start', ordinal(header.incarnation)) : null;
  switch (header.state) {
    case 'none':
    case 'connecting':
      return { label, description: t('attaching'), icon: 'sync' };
    case 'live':
      return { label, description: join(step, t('live'), life), icon: 'circle-filled' };
    case 'behind':
      return {
        label,
        description: join(step, t('{0} behind', seconds(header.behindSeconds ?? 0)), life),
        icon: 'watch',
      };
    case 'paused': {
      const by = header.paused?.by ?? '';
      const paused = by === '' ? t('paused') : t('paused by {0}', plain(by));
      return { label, description: join(paused, step, life), icon: 'debug-pause' };
    }
    case 'lost': {
      const { since, nextTryAt } = header.lost ?? { since: now, nextTryAt: null };
      const wait = nextTryAt === null ? 0 : Math.max(0, Math.ceil((nextTryAt - now) / 1000));
      const lost = t('lost {0} ago', seconds(Math.max(0, Math.round((now - since) / 1000))));
      return {
        label,
        description: join(lost, wait > 0 ? t('next try in {0}', seconds(wait)) : t('trying now')),
        icon: 'debug-disconnect',
      };
    }
    case 'refused':
      return { label, description: t('not attached'), icon: 'error' };
    case 'recorded': {
      const steps = header.recorded?.steps ?? null;
      return {
        label,
        description: steps === null ? t('reading') : t('{0} steps', count(steps)),
        icon: 'archive',
      };
    }
    case 'ended':
      return { label, description: join(t('ended'), step, life), icon: 'check' };
  }
}

/**
 * What a step cost, and what it brought.
 *
 * @param live whether the run goes on; of one that does not, an open step is what was last seen.
 */
export function stepRow(row: StepRow, live: boolean): RowText {
  const label = count(row.step);
  if (row.open) {
    const phase = row.phase === null ? t('running') : phaseWord(row.phase);
    return {
      label,
      description: live
        ? t('{0}, {1} of {2} rollouts', phase, count(row.ended), count(row.planned))
        : t('last seen {0}, {1} of {2} rollouts', phase, count(row.ended), count(row.planned)),
      icon: live ? 'circle-filled' : 'circle-outline',
    };
  }
  const none = t(
    '{0} of {1} groups without gradient',
    count(row.zeroGradientGroups),
    count(row.closedGroups),
  );
  return {
    label,
    description: row.seconds === null ? none : `${none}, ${seconds(row.seconds)}`,
    icon: 'check',
  };
}

/** What a step holds, as rows below it: every share names its whole. */
export function stepFacts(row: StepRow): { readonly label: string; readonly value: string }[] {
  const facts = [
    { label: t('rollouts ended'), value: t('{0} of {1} launched', count(row.ended), count(row.launched)) },
    {
      label: t('rollouts launched'),
      value: t('{0} of {1} planned', count(row.launched), count(row.planned)),
    },
    { label: t('groups closed'), value: t('{0} of {1}', count(row.closedGroups), count(row.groups)) },
    {
      label: t('groups without gradient'),
      value: t('{0} of {1} closed', count(row.zeroGradientGroups), count(row.closedGroups)),
    },
  ];
  return row.seconds === null ? facts : [...facts, { label: t('time'), value: seconds(row.seconds) }];
}

export function evaluationRow(one: {
  step: number;
  set: string;
  problems: number;
  passAt1: number;
}): RowText {
  return {
    label: t('step {0}', count(one.step)),
    description: t('pass@1 {0}, {1} problems, {2}', rate(one.passAt1), count(one.problems), plain(one.set)),
    icon: 'graph-line',
  };
}

function phaseWord(phase: string): string {
  switch (phase) {
    case 'plan':
      return t('planning');
    case 'generate':
      return t('generating');
    case 'reward':
      return t('rewarding');
    case 'filter':
      return t('filtering');
    case 'train':
      return t('training');
    case 'evaluate':
      return t('evaluating');
    case 'sync':
      return t('loading weights');
    case 'idle':
      return t('idle');
    default:
      return plain(phase);
  }
}

/** `2nd`, `3rd`, `11th`. */
export function ordinal(value: number): string {
  const teen = value % 100 > 10 && value % 100 < 14;
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${ending}`;
}
