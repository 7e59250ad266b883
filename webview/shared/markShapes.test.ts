import { describe, expect, it } from 'vitest';
import { ENDINGS, ORIGINS } from '../../protocol/wire/words';
import { endingMark, MARKS, originMark, pieShapes } from './markShapes';

describe('the mark of an ending', () => {
  it('tells rewards of finished rollouts apart', () => {
    const finished = (reward: number | null, success: boolean | null = null) =>
      endingMark({ ending: 'finished', reward, success });
    expect([finished(1), finished(0), finished(0.4), finished(2), finished(-1)]).toEqual([
      'right',
      'wrong',
      'between',
      'right',
      'wrong',
    ]);
    expect([finished(null, true), finished(null, false), finished(null)]).toEqual([
      'right',
      'wrong',
      'wrong',
    ]);
  });

  it('is its own for every ending but finished, whatever the reward', () => {
    const marks = ENDINGS.filter((ending) => ending !== 'finished').map((ending) =>
      endingMark({ ending, reward: 1, success: true }),
    );
    expect(new Set(marks).size).toBe(marks.length);
    expect(marks).not.toContain('right');
  });

  it('says running before anything, and discarded above the ending', () => {
    expect(endingMark({ ending: null, reward: null, success: null, discarded: true })).toBe('running');
    expect(endingMark({ ending: 'finished', reward: 1, success: true, discarded: true })).toBe('discarded');
  });
});

describe('the mark of an origin', () => {
  it('is there for all but sampled and forked', () => {
    expect(ORIGINS.filter((origin) => originMark(origin) === null)).toEqual(['sampled', 'forked']);
  });
});

describe('shapes', () => {
  it('stay in their box of 10 px: no absolute coordinate beyond 5.5', () => {
    const starts = Object.values(MARKS).flatMap((shapes) =>
      shapes.flatMap(({ d }) =>
        [...d.matchAll(/M(-?[\d.]+) ?(-?[\d.]+)/g)].flatMap(([, x, y]) => [Number(x), Number(y)]),
      ),
    );
    expect(starts.length).toBeGreaterThan(20);
    expect(Math.max(...starts.map(Math.abs))).toBeLessThanOrEqual(5.5);
  });

  it('of a reward between are one of five pies, never empty and never full', () => {
    const pies = [0.001, 0.2, 0.4, 0.6, 0.8, 0.999].map((share) => pieShapes(share)[1]?.d);
    expect(new Set(pies).size).toBe(4);
    expect(pies[0]).toBe(pies[1]);
    expect(pies[4]).toBe(pies[5]);
  });
});
