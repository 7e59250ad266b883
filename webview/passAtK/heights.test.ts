import { describe, expect, it } from 'vitest';
import { heightsIn } from './heights';

describe('heights of the pictures', () => {
  it('are full where there is room', () => {
    expect(heightsIn(824, 40)).toEqual({ chart: 432, small: 188 });
    expect(heightsIn(2000, 40)).toEqual({ chart: 432, small: 188 });
  });

  it('fill the column exactly while they give way', () => {
    for (let column = 584; column < 752; column += 7) {
      const { chart, small } = heightsIn(column, 40);
      expect(chart + small).toBe(column - 40 - 92);
    }
  });

  it('end at a least height', () => {
    expect(heightsIn(200, 40)).toEqual({ chart: 304, small: 148 });
  });
});
