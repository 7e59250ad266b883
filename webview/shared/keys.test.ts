import { describe, expect, it } from 'vitest';
import { step } from './keys';

describe('keys along a row of things', () => {
  it('move by one and stop at the ends', () => {
    expect(step('ArrowDown', 0, 3, 'column')).toBe(1);
    expect(step('ArrowDown', 2, 3, 'column')).toBe(2);
    expect(step('ArrowUp', 0, 3, 'column')).toBe(0);
  });

  it('go round when they are told to', () => {
    expect(step('ArrowRight', 2, 3, 'both', true)).toBe(0);
    expect(step('ArrowUp', 0, 3, 'both', true)).toBe(2);
  });

  it('leave the keys of the other direction alone', () => {
    expect(step('ArrowLeft', 1, 3, 'column')).toBeNull();
    expect(step('ArrowDown', 1, 3, 'row')).toBeNull();
    expect(step('x', 1, 3, 'both')).toBeNull();
  });

  it('jump to ends and by pages', () => {
    expect(step('Home', 5, 30, 'column')).toBe(0);
    expect(step('End', 5, 30, 'column')).toBe(29);
    expect(step('PageDown', 5, 30, 'column', false, 12)).toBe(17);
    expect(step('PageUp', 5, 30, 'column', false, 12)).toBe(0);
  });

  it('begin at the first when nothing was chosen, and move nothing in an empty row', () => {
    expect(step('ArrowDown', -1, 3, 'column')).toBe(0);
    expect(step('End', -1, 0, 'column')).toBeNull();
  });
});
