import { describe, expect, it } from 'vitest';
import { day, duration, moment, running } from './times';

const NB = '\u202f';

describe('durations', () => {
  it('are seconds under 200, then minutes, then hours and minutes', () => {
    expect([0, 0.4, 2.26, 9.96, 46, 187, 199.4, 200, 3599, 3600, 112_440].map(duration)).toEqual([
      `0.0${NB}s`,
      `0.4${NB}s`,
      `2.3${NB}s`,
      `10${NB}s`,
      `46${NB}s`,
      `187${NB}s`,
      `199${NB}s`,
      `3${NB}min`,
      `1${NB}h 0${NB}min`,
      `1${NB}h 0${NB}min`,
      `31${NB}h 14${NB}min`,
    ]);
  });

  it('of an unknown length are undefined', () => {
    expect(duration(Number.NaN)).toBe('undefined');
  });

  it('that run count up in minutes and seconds', () => {
    expect([0, 41, 134, 3734].map(running)).toEqual(['0:00', '0:41', '2:14', '1:02:14']);
  });
});

describe('moments', () => {
  const at = new Date(2026, 10, 30, 14, 6, 22).getTime();

  it('of today are the local clock', () => {
    const now = new Date(2026, 10, 30, 23, 59).getTime();
    expect(moment(at, now)).toBe('14:06');
    expect(moment(at, now, true)).toBe('14:06:22');
  });

  it('of another day have the date, of another year the year', () => {
    expect(moment(at, new Date(2026, 11, 1, 0, 1).getTime())).toBe('30 Nov, 14:06');
    expect(day(at, new Date(2027, 0, 1).getTime())).toBe('30 Nov 2026');
  });
});
