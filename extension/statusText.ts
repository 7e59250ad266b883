import type { RunHeader } from '../protocol/panels/selection';
import { count, seconds } from './format';
import { t } from './l10n';

/** What the status bar item says. `background`: only where a person must know (warning) or act (error). */
export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  readonly background: 'warning' | 'error' | null;
  readonly click: 'attach' | 'overview' | 'enterToken' | 'retry';
}

/** After this long a first connection says that it is still being tried, seconds. */
const STILL_TRYING = 10;

/** @param connectingSince Unix ms at which the connection was begun; for "still trying". */
export function statusText(
  header: RunHeader | null,
  facts: { readonly now: number; readonly tokenRefused: boolean; readonly connectingSince: number },
): StatusText {
  if (!header) {
    return {
      text: `$(plug) ${t('Attach to a run')}`,
      tooltip: t('No run is attached.'),
      background: null,
      click: 'attach',
    };
  }
  const name = plain(header.name);
  const step = header.step === null ? null : t('step {0}', count(header.step));
  const say = (icon: string, ...parts: (string | null)[]) =>
    `$(${icon}) ${[name, ...parts].filter((part) => part !== null).join(' · ')}`;
  const quiet = (text: string, tooltip: string, click: StatusText['click'] = 'overview'): StatusText => ({
    text,
    tooltip,
    background: null,
    click,
  });
  const warn = (text: string, tooltip: string, click: StatusText['click'] = 'overview'): StatusText => ({
    text,
    tooltip,
    background: 'warning',
    click,
  });

  switch (header.state) {
    case 'none':
    case 'connecting': {
      const long = facts.now - facts.connectingSince > STILL_TRYING * 1000;
      return quiet(say('sync', long ? t('still attaching') : t('attaching')), t('Connecting to the run.'));
    }
    case 'live':
      return quiet(say('pulse', step, t('live')), t('Open the overview of {0}.', name));
    case 'behind': {
      const left =
        header.droppedSamples > 0
          ? t(
              '{0} samples were left out in the last minute, no structure was lost.',
              count(header.droppedSamples),
            )
          : t('Nothing was left out.');
      return quiet(say('watch', step, t('{0} behind', seconds(header.behindSeconds ?? 0))), left);
    }
    case 'paused': {
      const by = header.paused?.by ?? '';
      const how = header.paused?.mode ?? '';
      return warn(
        say('debug-pause', step, by === '' ? t('paused') : t('paused by {0}', plain(by))),
        t('Paused ({0}). No rollout goes on until somebody resumes.', plain(how)),
      );
    }
    case 'lost': {
      const next = header.lost?.nextTryAt ?? null;
      const wait = next === null ? null : Math.max(0, Math.ceil((next - facts.now) / 1000));
      const text =
        wait === null || wait === 0 ? t('lost, trying now') : t('lost, next try in {0}', seconds(wait));
      return warn(
        say('debug-disconnect', text),
        `${header.lost?.sentence ?? ''} ${t('Data stays on the screen.')}`,
        'retry',
      );
    }
    case 'refused': {
      const tooltip = header.lost?.sentence ?? '';
      const text = say('error', facts.tokenRefused ? t('token refused') : t('not attached'));
      return { text, tooltip, background: 'error', click: facts.tokenRefused ? 'enterToken' : 'retry' };
    }
    case 'recorded':
      return quiet(say('archive', t('recorded'), step), t('A recorded run: it can be read, not steered.'));
    case 'ended':
      return quiet(
        say('check', step === null ? t('ended') : t('ended at {0}', step)),
        t('The run has ended.'),
      );
  }
}

/** Names come from the job: an icon in one would be drawn as ours, and a line break would tear the bar. */
export function plain(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 39)}…` : text;
  return short.replace(/\$\(/g, '$ (').replace(/\s+/g, ' ');
}
