import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisEnd, firstChildOf, keepAnchor, layoutRows, siblingOf, type TreeShape } from './layout';

interface Grown extends TreeShape {
  readonly length: Int32Array;
}

/** Seeds → a group whose rollouts fork off earlier nodes; some rollouts go on with a second node. */
const grow = (seeds: readonly (readonly [number, number, number, boolean])[]): Grown => {
  const firstNode: number[] = [];
  const parent: number[] = [];
  const rollout: number[] = [];
  const start: number[] = [];
  const length: number[] = [];
  for (const [pick, at, size, goesOn] of seeds) {
    const r = firstNode.length;
    const above = parent.length === 0 ? -1 : (pick % (parent.length + 1)) - 1;
    const from = above < 0 ? 0 : start[above]! + (at % (length[above]! + 1));
    firstNode.push(parent.length);
    parent.push(above);
    rollout.push(r);
    start.push(from);
    length.push(size);
    if (!goesOn) continue;
    parent.push(parent.length - 1);
    rollout.push(r);
    start.push(from + size);
    length.push(size);
  }
  return {
    firstNode: Int32Array.from(firstNode),
    parent: Int32Array.from(parent),
    rollout: Int32Array.from(rollout),
    start: Int32Array.from(start),
    length: Int32Array.from(length),
  };
};

const seeds = fc.array(
  fc.tuple(fc.nat(10_000), fc.nat(500), fc.integer({ min: 0, max: 400 }), fc.boolean()),
  { maxLength: 60 },
);

const extents = (shape: Grown): readonly (readonly [number, number])[] =>
  Array.from(shape.firstNode, (_, r) => {
    let from = Infinity;
    let to = -Infinity;
    shape.rollout.forEach((owner, node) => {
      if (owner !== r) return;
      from = Math.min(from, shape.start[node]!);
      to = Math.max(to, shape.start[node]! + shape.length[node]!);
    });
    return [from, to] as const;
  });

describe('layered layout', () => {
  it('gives every rollout one row, parents above their children', () => {
    fc.assert(
      fc.property(seeds, (list) => {
        const layout = layoutRows(grow(list));
        expect(layout.count).toBe(list.length);
        expect([...layout.rowOf].sort((a, b) => a - b)).toEqual(list.map((_, i) => i));
        layout.rowOf.forEach((row, r) => {
          expect(layout.rolloutAt[row]).toBe(r);
          const above = layout.parent[r]!;
          if (above < 0) expect(layout.level[r]).toBe(1);
          else {
            expect(layout.rowOf[above]).toBeLessThan(row);
            expect(row).toBeLessThan(layout.end[above]!);
            expect(layout.level[r]).toBe(layout.level[above]! + 1);
          }
        });
      }),
    );
  });

  it('draws no connector across a strip', () => {
    fc.assert(
      fc.property(seeds, (list) => {
        const shape = grow(list);
        const layout = layoutRows(shape);
        const extent = extents(shape);
        layout.parent.forEach((above, child) => {
          if (above < 0) return;
          const x = layout.start[child]!;
          for (let row = layout.rowOf[above]! + 1; row < layout.rowOf[child]!; row++) {
            const [from, to] = extent[layout.rolloutAt[row]!]!;
            expect(from < x && x < to).toBe(false);
          }
        });
      }),
    );
  });

  it('counts siblings from one, in the order of the rows', () => {
    fc.assert(
      fc.property(seeds, (list) => {
        const layout = layoutRows(grow(list));
        const families = new Map<number, number[]>();
        for (let row = 0; row < layout.count; row++) {
          const r = layout.rolloutAt[row]!;
          families.set(layout.parent[r]!, [...(families.get(layout.parent[r]!) ?? []), r]);
        }
        for (const [above, family] of families) {
          family.forEach((r, i) => {
            expect([layout.position[r], layout.siblings[r]]).toEqual([i + 1, family.length]);
            expect(siblingOf(layout, r, 1)).toBe(family[i + 1] ?? -1);
            expect(siblingOf(layout, r, -1)).toBe(family[i - 1] ?? -1);
          });
          if (above >= 0) expect(firstChildOf(layout, above)).toBe(family[0]);
        }
      }),
    );
  });

  it('puts new leaves after their elder siblings and keeps the order of all others', () => {
    fc.assert(
      fc.property(seeds, fc.nat(60), (list, cut) => {
        const before = layoutRows(grow(list.slice(0, cut)));
        const after = layoutRows(grow(list));
        const kept = [...after.rolloutAt].filter((r) => r < before.count);
        expect(kept).toEqual([...before.rolloutAt]);
      }),
    );
  });

  it('keeps the anchor on its place of the screen', () => {
    fc.assert(
      fc.property(seeds, fc.nat(60), fc.nat(60), fc.nat(2000), (list, cut, pick, scroll) => {
        const before = layoutRows(grow(list.slice(0, cut)));
        const after = layoutRows(grow(list));
        if (before.count === 0) return;
        const anchor = pick % before.count;
        const scrollTop = scroll % (before.count * 20);
        const next = keepAnchor(scrollTop, before.rowOf[anchor]!, after.rowOf[anchor]!, 20);
        // Rows above an anchor are only ever added, so that the correction never needs to be cut at 0.
        expect(after.rowOf[anchor]! * 20 - next).toBe(before.rowOf[anchor]! * 20 - scrollTop);
      }),
    );
    expect(keepAnchor(340, -1, 4, 20)).toBe(340);
  });

  it('takes rollouts without a node, and none at all', () => {
    const none = new Int32Array(0);
    const lonely = layoutRows({
      firstNode: Int32Array.of(-1, -1),
      parent: none,
      rollout: none,
      start: none,
    });
    expect([...lonely.rolloutAt]).toEqual([0, 1]);
    expect(layoutRows({ firstNode: none, parent: none, rollout: none, start: none }).count).toBe(0);
  });
});

describe('token axis', () => {
  it('grows in powers of two and never shrinks', () => {
    expect([axisEnd(1), axisEnd(64), axisEnd(65), axisEnd(884)]).toEqual([64, 64, 128, 1024]);
    expect(axisEnd(30, 512)).toBe(512);
  });
});
