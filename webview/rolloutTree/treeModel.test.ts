import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupBy, itemsOf } from './treeModel';

describe('grouping by owner', () => {
  it('gives each owner its items in their order and loses only what has no owner', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1, max: 9 })), (owner) => {
        const grouped = groupBy(owner, 8);
        for (let o = 0; o < 8; o++) {
          const want = owner.flatMap((each, i) => (each === o ? [i] : []));
          expect([...itemsOf(grouped, o)]).toEqual(want);
        }
        expect(grouped.list.length).toBe(owner.filter((o) => o >= 0 && o < 8).length);
      }),
    );
  });
});
