import { describe, expect, it } from 'vitest';
import { sparkPath } from './sparkline';

describe('a sparkline', () => {
  it('has a gap where there is no value and ends at the last one', () => {
    const { d, end } = sparkPath([1, 2, Number.NaN, 4], 2);
    expect(d.match(/M/g)).toHaveLength(2);
    expect(end).toEqual([68, 3]);
  });

  it('of nothing is empty', () => {
    expect(sparkPath([Number.NaN], null)).toEqual({ d: '', medianY: null, end: null });
  });

  it('of equal values lies in the middle, inside its box', () => {
    const { end, medianY } = sparkPath([5, 5, 5], 5);
    expect(end?.[1]).toBe(12);
    expect(medianY).toBe(12);
  });
});
