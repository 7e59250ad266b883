import type { SlowRollout } from '../../protocol/panels/overview';
import { count } from '../shared/format';
import { duration } from '../shared/times';
import { text } from './texts';

const ENDINGS = {
  pruned: 'endingPruned',
  stopped: 'endingStopped',
  aborted: 'endingAborted',
  failed: 'endingFailed',
  carriedOver: 'endingCarriedOver',
} as const;

const WAITING = {
  tool: 'stateTool',
  queued: 'stateQueued',
  paused: 'statePaused',
  reward: 'stateScoring',
} as const;

const isKey = <T extends object>(table: T, key: string): key is keyof T & string => Object.hasOwn(table, key);

/** What a rollout does now, or how it ended. `lost`: what is known is not the present. */
export const rolloutState = (rollout: SlowRollout, lost: boolean): string => {
  const { ending, spans, tokens, seconds } = rollout;
  if (ending === null) {
    if (lost) return text('stateLastSeen');
    const last = spans.at(-1);
    if (last && isKey(WAITING, last.state)) {
      return text(WAITING[last.state], { time: duration(last.to - last.from) });
    }
    return text('stateRunning');
  }
  if (ending === 'truncated') return text('cutAt', { tokens: count(tokens) });
  return isKey(ENDINGS, ending) ? text(ENDINGS[ending]) : duration(seconds);
};
