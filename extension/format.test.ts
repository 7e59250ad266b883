import { describe, expect, it } from 'vitest';
import { clockTime, count, moment, rate, seconds, signed, signedSeconds } from './format';

describe('numbers of native surfaces', () => {
  it.each([
    [0, '0'],
    [1016, '1,016'],
    [99_999, '99,999'],
    [760_000, '760\u202fk'],
    [999_499, '999\u202fk'],
    [999_600, '1\u202fM'],
    [1_760_000, '1.76\u202fM'],
    [-8, '−8'],
    [-12_000, '−12,000'],
  ])('count %d is %s', (value, text) => {
    expect(count(value)).toBe(text);
  });

  it.each([
    [4.2, '4.2\u202fs'],
    [8, '8\u202fs'],
    [187, '187\u202fs'],
    [1860, '31\u202fmin'],
    [112_440, '31\u202fh 14\u202fmin'],
  ])('%d seconds are %s', (value, text) => {
    expect(seconds(value)).toBe(text);
  });

  it('signs, rates and moments', () => {
    expect([signed(96), signed(-8), signed(0)]).toEqual(['+96', '−8', '0']);
    expect([signedSeconds(13), signedSeconds(-120), signedSeconds(0)]).toEqual([
      '+13\u202fs',
      '−120\u202fs',
      '0\u202fs',
    ]);
    expect([rate(0.32), rate(0), rate(1), rate(Number.NaN)]).toEqual(['.32', '0', '1', 'undefined']);
    const at = new Date(2025, 8, 14, 14, 6, 5).getTime();
    expect(moment(at, at)).toBe('14:06');
    expect(moment(at, at + 86_400_000)).toBe('2025-09-14 14:06');
    expect(clockTime(at)).toBe('14:06:05');
  });
});
