import type { RunHeader } from '../../protocol/panels/selection';
import { count } from './format';
import { header } from './host';
import { Icon, type IconName } from './icon';
import { pauseModeText } from './pauseMode';
import { say } from './strings';
import { day, duration, moment } from './times';

/** Over this a run counts as behind, seconds. */
const BEHIND_S = 2;

interface Chip {
  readonly icon: IconName | null;
  readonly text: string;
  readonly detail: string;
}

export const chipOf = (run: RunHeader, now = Date.now()): Chip => {
  const behind = run.behindSeconds;
  switch (run.state) {
    case 'lost':
      return { icon: 'debug-disconnect', text: say('lost'), detail: '' };
    case 'refused':
      return { icon: run.lost?.wantsToken === true ? 'key' : 'error', text: say('refused'), detail: '' };
    case 'recorded':
      return {
        icon: 'archive',
        text: say('recorded'),
        detail: run.recorded
          ? say('recordedSteps', { date: day(run.recorded.date, now), steps: count(run.recorded.steps) })
          : '',
      };
    case 'ended':
      return {
        icon: 'check',
        text: say('ended', { step: run.lastStep ?? run.step ?? 0 }),
        detail: '',
      };
    case 'paused':
      return {
        icon: 'debug-pause',
        text: say('paused', { who: run.paused?.by ?? '' }),
        detail: run.paused
          ? `${pauseModeText(run.paused.mode).toLowerCase()}, ${moment(run.paused.since, now)}`
          : '',
      };
    case 'connecting':
    case 'none':
      return { icon: 'sync', text: say('connecting'), detail: '' };
    case 'live':
    case 'behind':
      return behind !== null && behind > BEHIND_S
        ? { icon: 'watch', text: say('behind', { seconds: duration(behind) }), detail: '' }
        : {
            icon: null,
            text: say('live'),
            detail: behind === null ? '' : say('behind', { seconds: duration(behind) }),
          };
  }
};

/** The state of the run, at the right of every header. */
export const StateChip = () => {
  const run = header.value;
  if (!run) return null;
  const { icon, text, detail } = chipOf(run);
  return (
    <span
      class={`rs-state${run.state === 'lost' || run.state === 'refused' ? ' rs-state-lost' : ''}`}
      role="status"
    >
      {icon === null ? <span class="rs-live-dot rs-breathes" aria-hidden="true" /> : <Icon name={icon} />}
      <span>{text}</span>
      {detail !== '' && <span class="rs-second rs-small rs-state-detail">{detail}</span>}
    </span>
  );
};
