import { describe, expect, it } from 'vitest';
import type { OverviewView, SlowRollout } from '../../protocol/panels/overview';
import { axisTick, behindStep, clockScale, mostBehind, secondsBy, withoutOverlap } from './clockScale';

const clock: OverviewView['clock'] = {
  now: 187,
  half: 84,
  ninety: 132,
  newVersions: [],
  inFlightAt: [],
  inFlight: [],
};
const rollout: SlowRollout = {
  rollout: 'a/1',
  prompt: 'a',
  group: 'g',
  ending: null,
  success: null,
  reward: null,
  tokens: 10,
  seconds: 90,
  spans: [
    { state: 'queued', from: 0, to: 5, behind: 9 },
    { state: 'generating', from: 5, to: 50, behind: 3 },
    { state: 'tool', from: 50, to: 60, behind: 0 },
    { state: 'generating', from: 60, to: 90, behind: 1 },
  ],
};

describe('the clock of a step', () => {
  it('ends at a round number after everything that happened', () => {
    const scale = clockScale(clock, [rollout], 600);
    expect(scale.end).toBe(200);
    expect(scale.x(0)).toBe(0);
    expect(scale.x(100)).toBe(300);
    expect(scale.x(10_000)).toBe(600);
    expect(scale.ticks).toEqual([0, 50, 100, 150, 200]);
  });

  it('stands also before anything has happened', () => {
    const scale = clockScale({ ...clock, now: 0 }, [], 600);
    expect(scale.end).toBe(5);
    expect(new Set(scale.ticks.map((t, i) => axisTick(t, scale.end, i === 0))).size).toBe(scale.ticks.length);
    expect(scale.x(0)).toBe(0);
  });

  it('is written in seconds, beyond ten minutes in minutes', () => {
    expect([0, 50, 200].map((t, i) => axisTick(t, 200, i === 0))).toEqual(['0\u202fs', '50', '200']);
    expect([0, 600, 1200].map((t, i) => axisTick(t, 1200, i === 0))).toEqual(['0\u202fmin', '10', '20']);
    expect(axisTick(0.5, 2, false)).toBe('.5');
  });
});

describe('versions behind', () => {
  it('count only while tokens are generated', () => {
    expect(mostBehind([rollout])).toBe(3);
    expect(mostBehind([])).toBe(-1);
  });

  it('get steps that lie apart when they are few, and rise when they are many', () => {
    expect([0, 1, 2, 3].map((n) => behindStep(n, 3))).toEqual([0, 2, 3, 5]);
    const many = Array.from({ length: 21 }, (_, n) => behindStep(n, 20));
    expect(many).toEqual([...many].sort((a, b) => a - b));
    expect(many.at(-1)).toBe(6);
    expect(behindStep(Number.NaN, 3)).toBe(-1);
  });
});

describe('seconds by state', () => {
  it('are the sum of the spans', () => {
    expect(
      ['generating', 'tool', 'queued', 'reward'].map((state) => secondsBy(rollout.spans, state)),
    ).toEqual([75, 10, 5, 0]);
  });
});

describe('labels along an axis', () => {
  it('give way to the ones before them', () => {
    expect(
      withoutOverlap([
        [0, 50],
        [40, 50],
        [60, 10],
        [69, 10],
      ]),
    ).toEqual([true, false, true, false]);
  });
});
