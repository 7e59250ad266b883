import { describe, expect, it } from 'vitest';
import { Unwatched } from './unwatched';

describe('Unwatched', () => {
  it('says so once nobody has been connected for the limit, counted from the start', () => {
    const watch = new Unwatched(60_000, 1_000);
    expect(watch.look(0, 60_999)).toBe(false);
    expect(watch.look(0, 61_000)).toBe(true);
  });

  it('begins anew with every look that finds a client', () => {
    const watch = new Unwatched(60_000, 0);
    expect(watch.look(2, 600_000)).toBe(false);
    expect(watch.look(0, 659_999)).toBe(false);
    expect(watch.look(1, 660_000)).toBe(false);
    expect(watch.look(0, 719_999)).toBe(false);
    expect(watch.look(0, 720_000)).toBe(true);
  });
});
