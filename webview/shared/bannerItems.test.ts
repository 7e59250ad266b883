import { describe, expect, it } from 'vitest';
import type { RunHeader } from '../../protocol/panels/selection';
import { byGravity, problemBanners, stateBanners } from './bannerItems';

const NOW = new Date(2026, 10, 30, 14, 7, 30).getTime();
const live: RunHeader = {
  run: 'live:r',
  name: 'r',
  incarnation: 1,
  state: 'live',
  behindSeconds: 0.4,
  paused: null,
  lost: null,
  recorded: null,
  step: 4,
  firstStep: 1,
  lastStep: 4,
  phase: 'generate',
  policyVersion: 4,
  canSteer: true,
  whyNot: null,
  capabilities: [],
  allocationMethod: null,
  methods: [],
  device: null,
  startedAt: NOW - 60_000,
  successThreshold: 1,
  openFindings: 0,
  droppedSamples: 0,
};
const act = { tryNow: () => undefined, enterToken: () => undefined, resume: () => undefined };
const of = (change: Partial<RunHeader>) => stateBanners({ ...live, ...change }, NOW, act);

describe('banners of a run’s state', () => {
  it('are none while it is live', () => {
    expect(of({})).toEqual([]);
  });

  it('say when the connection was lost, what is shown, when the next try is', () => {
    const [banner] = of({
      state: 'lost',
      behindSeconds: null,
      lost: {
        since: NOW - 8_000,
        lastSeq: 1_204_881,
        nextTryAt: NOW + 7_400,
        sentence: 'The job’s process has ended (pid 4711).',
      },
    });
    expect(banner?.title).toBe('Connection lost at 14:07:22.');
    expect(banner?.text).toBe(
      'Shown: everything to seq 1,204,881. The job’s process has ended (pid 4711). Next try in 8.0\u202fs.',
    );
    expect(banner?.link?.label).toBe('Try now');
  });

  it('give no time of a try that is not planned', () => {
    const [banner] = of({ state: 'lost', lost: { since: NOW, lastSeq: 1, nextTryAt: null, sentence: '' } });
    expect(banner?.text).not.toContain('Next try');
  });

  it('ask for a token only where another one helps', () => {
    const lost = { since: NOW, lastSeq: 0, nextTryAt: null, sentence: 'Why.' };
    const [token] = of({ state: 'refused', lost: { ...lost, wantsToken: true } });
    expect(token).toMatchObject({ icon: 'key', text: 'Why.', link: { label: 'Enter token…' } });
    const [other] = of({ state: 'refused', lost: { ...lost, wantsToken: false } });
    expect(other).toMatchObject({ icon: 'error', text: 'Why.', link: { label: 'Try now' } });
  });

  it('name what was left out when behind by more than two seconds', () => {
    expect(of({ behindSeconds: 2 })).toEqual([]);
    const [banner] = of({ state: 'behind', behindSeconds: 4.2, droppedSamples: 1240 });
    expect(banner?.text).toBe('1,240 token samples left out in the last minute, no structure lost.');
  });

  it('offer Resume only to those who may steer', () => {
    const paused = { mode: 'step-boundary', by: 'lin.wei', since: NOW };
    expect(of({ state: 'paused', paused })[0]?.link?.label).toBe('Resume');
    expect(of({ state: 'paused', paused, canSteer: false })[0]?.link).toBeUndefined();
  });

  it('tell of a restart, but not in a recorded run', () => {
    expect(of({ incarnation: 2 })[0]?.title).toBe('The job restarted: this is its 2nd start.');
    const recorded = of({ incarnation: 2, state: 'recorded', recorded: { date: NOW, steps: 640 } });
    expect(recorded.map(({ key }) => key)).toEqual(['recorded']);
  });

  it('name where a recorded run was read from', () => {
    const textOf = (fromFiles: boolean): string | undefined =>
      of({ state: 'recorded', recorded: { date: NOW, steps: 2, fromFiles } })[0]?.text;
    const [one] = of({ state: 'recorded', recorded: { date: NOW, steps: 1 } });
    expect(one?.title).toMatch(/, 1 step\.$/);
    expect(textOf(false)).toMatch(/^Read from its journal\./);
    expect(textOf(true)).toMatch(/^Read from files of results, /);
  });

  it('are ordered by gravity', () => {
    const items = [...of({ incarnation: 3, state: 'behind', behindSeconds: 9 })].reverse();
    expect(byGravity(items).map(({ level }) => level)).toEqual(['warning', 'info']);
  });

  it('say once that a picture stands still, and why', () => {
    const banners = problemBanners(['no such row', 'no such row']);
    expect(banners.map(({ level, title, text }) => [level, title, text])).toEqual([
      [
        'error',
        'This picture stands still.',
        'no such row. What is shown is from before; the run goes on. The log says more.',
      ],
    ]);
  });
});
