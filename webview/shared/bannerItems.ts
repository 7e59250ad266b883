import type { RunHeader } from '../../protocol/panels/selection';
import { count, ordinal } from './format';
import type { IconName } from './icon';
import { pauseModeText } from './pauseMode';
import { say } from './strings';
import { day, duration, moment } from './times';

export interface BannerItem {
  readonly key: string;
  readonly level: 'error' | 'warning' | 'info' | 'plain';
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly label: string; readonly run: () => void };
}

const GRAVITY = { error: 3, warning: 2, info: 1, plain: 0 } as const;

/** Gravest first; among equals the first given. */
export const byGravity = (items: readonly BannerItem[]): readonly BannerItem[] =>
  [...items].sort((a, b) => GRAVITY[b.level] - GRAVITY[a.level]);

export interface BannerActions {
  readonly tryNow: () => void;
  readonly enterToken: () => void;
  readonly resume: () => void;
}

/** A view that could not be worked out: what is drawn is not the present. */
export const problemBanners = (problems: Iterable<string>): readonly BannerItem[] =>
  [...new Set(problems)].map((problem) => ({
    key: `problem-${problem}`,
    level: 'error',
    icon: 'error',
    title: say('standsStillTitle'),
    text: say('standsStillText', { problem }),
  }));

/** What the state of the run asks to say above the body. `now`: Unix ms. */
export const stateBanners = (run: RunHeader, now: number, act: BannerActions): readonly BannerItem[] => {
  const items: BannerItem[] = [];
  if (run.state === 'lost' && run.lost) {
    const next = run.lost.nextTryAt;
    items.push({
      key: 'lost',
      level: 'error',
      icon: 'debug-disconnect',
      title: say('lostTitle', { time: moment(run.lost.since, now, true) }),
      text: `${say('lostText', { seq: count(run.lost.lastSeq), sentence: run.lost.sentence })}${
        next === null
          ? ''
          : ` ${say('lostNext', { seconds: duration(Math.max(0, Math.ceil((next - now) / 1000))) })}`
      }`,
      link: { label: say('tryNow'), run: act.tryNow },
    });
  }
  if (run.state === 'refused') {
    items.push({
      key: 'refused',
      level: 'error',
      icon: run.lost?.wantsToken === true ? 'key' : 'error',
      title: say('refusedTitle'),
      text: run.lost?.sentence ?? '',
      link:
        run.lost?.wantsToken === true
          ? { label: say('enterToken'), run: act.enterToken }
          : { label: say('tryNow'), run: act.tryNow },
    });
  }
  if (
    run.behindSeconds !== null &&
    run.behindSeconds > 2 &&
    (run.state === 'behind' || run.state === 'live')
  ) {
    items.push({
      key: 'behind',
      level: 'warning',
      icon: 'watch',
      title: say('behindTitle', { seconds: duration(run.behindSeconds) }),
      text:
        run.droppedSamples > 0
          ? say('behindText', { samples: count(run.droppedSamples) })
          : say('behindTextNone'),
    });
  }
  if (run.paused && run.state === 'paused') {
    items.push({
      key: 'paused',
      level: 'info',
      icon: 'debug-pause',
      title: say('pausedTitle', { who: run.paused.by, time: moment(run.paused.since, now) }),
      text: say('pausedText', { mode: pauseModeText(run.paused.mode) }),
      ...(run.canSteer ? { link: { label: say('resume'), run: act.resume } } : {}),
    });
  }
  if (run.state === 'recorded' && run.recorded) {
    items.push({
      key: 'recorded',
      level: 'plain',
      icon: 'archive',
      title: say(run.recorded.steps === 1 ? 'recordedTitle1' : 'recordedTitle', {
        date: day(run.recorded.date, now),
        steps: count(run.recorded.steps),
      }),
      text: say(run.recorded.fromFiles === true ? 'resultsText' : 'recordedText'),
    });
  }
  if (run.incarnation > 1 && run.state !== 'recorded') {
    items.push({
      key: `restarted-${run.incarnation}`,
      level: 'info',
      icon: 'history',
      title: say('restartedTitle', { nth: ordinal(run.incarnation) }),
      text: say('restartedText'),
    });
  }
  return items;
};
