import { useEffect, useState } from 'preact/hooks';
import { byGravity, problemBanners, stateBanners, type BannerItem } from './bannerItems';
import { command, header, viewProblems } from './host';
import { Icon } from './icon';
import { IconButton } from './iconButton';
import { say } from './strings';
import { uiState } from './uiState';

/** Banners that a person has read and put away; those of a state come back with the next one. */
const putAway = uiState<readonly string[]>('bannersPutAway', 1, [], (value) =>
  Array.isArray(value) ? value.filter((key) => typeof key === 'string') : undefined,
);
const DISMISSIBLE = /^(recorded|restarted)/;

/** One banner at a time, the gravest; the others are counted. */
export const Banner = ({ items = [] }: { items?: readonly BannerItem[] }) => {
  const run = header.value;
  const counting = run?.state === 'lost' && run.lost?.nextTryAt !== null;
  const [, setTick] = useState(0);
  useEffect(() => {
    if (!counting) return undefined;
    const timer = setInterval(() => setTick((tick) => tick + 1), 1000);
    return () => clearInterval(timer);
  }, [counting]);
  const fromState = run
    ? stateBanners(run, Date.now(), {
        tryNow: () => void command({ id: 'retryNow' }),
        enterToken: () => void command({ id: 'enterToken' }),
        resume: () => void command({ id: 'resume', target: 'run' }),
      })
    : [];
  const key = (item: BannerItem): string => `${item.key}@${run?.run ?? ''}`;
  const all = byGravity([...fromState, ...problemBanners(viewProblems.value.values()), ...items]).filter(
    (item) => !putAway.value.includes(key(item)),
  );
  const top = all[0];
  if (!top) return null;
  return (
    <div class={`rs-banner rs-banner-${top.level}`} role={top.level === 'error' ? 'alert' : 'status'}>
      <Icon name={top.icon} />
      <span>{top.title}</span>
      <span class="rs-second rs-small rs-cut rs-grow" title={top.text}>
        {top.text}
      </span>
      {all.length > 1 && (
        <span
          class="rs-second rs-small"
          title={all
            .slice(1)
            .map((item) => `${item.title} ${item.text}`)
            .join('\n')}
        >
          {say('more', { count: all.length - 1 })}
        </span>
      )}
      {top.link && (
        <button type="button" class="rs-link" onClick={top.link.run}>
          {top.link.label}
        </button>
      )}
      {DISMISSIBLE.test(top.key) && (
        <IconButton
          icon="close"
          label={say('dismiss')}
          onPress={() => {
            putAway.value = [...putAway.value.slice(-20), key(top)];
          }}
        />
      )}
    </div>
  );
};
