import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandPath, betweenAreas, linePath, powersOfTwo, spread, type Point } from './chartPaths';

const points = (ys: readonly number[]): readonly Point[] => ys.map((y, i) => ({ x: i * 10, y }));

/** Area of a closed path of straight lines. */
const area = (path: string): number => {
  const corners = path
    .replaceAll(/[MZ]/g, '')
    .split('L')
    .map((pair) => pair.split(' ').map(Number));
  return Math.abs(
    corners.reduce((sum, [x = 0, y = 0], i) => {
      const [nextX = 0, nextY = 0] = corners[(i + 1) % corners.length] ?? [];
      return sum + x * nextY - nextX * y;
    }, 0) / 2,
  );
};

describe('lines', () => {
  it('have a gap where a value is missing', () => {
    expect(linePath(points([1, 2, NaN, 3, 4]))).toBe('M0.0 1.0L10.0 2.0M30.0 3.0L40.0 4.0');
    expect(linePath(points([NaN, NaN]))).toBe('');
    expect(bandPath(points([1, 1, NaN]), points([3, 3, 3]))).toBe('M0.0 1.0L10.0 1.0L10.0 3.0L0.0 3.0Z');
  });
});

describe('areas between two lines', () => {
  it('part at the crossing into gain and loss', () => {
    const areas = betweenAreas(points([10, 10, 10]), points([0, 10, 20]));
    expect(areas.map(({ gain, path }) => [gain, area(path)])).toEqual([
      [true, 50],
      [false, 50],
    ]);
  });

  it('make up the whole area between the lines, gain where the shown line is above', () => {
    const ys = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(ys, ys, (a, b) => {
        const n = Math.min(a.length, b.length);
        const areas = betweenAreas(points(a.slice(0, n)), points(b.slice(0, n)));
        const sum = (gain: boolean): number =>
          areas.filter((each) => each.gain === gain).reduce((total, each) => total + area(each.path), 0);
        let gained = 0;
        let lost = 0;
        const steps = 1000;
        for (let i = 0; i < n - 1; i++) {
          for (let j = 0; j < steps; j++) {
            const t = (j + 0.5) / steps;
            const d = a[i]! + (a[i + 1]! - a[i]!) * t - (b[i]! + (b[i + 1]! - b[i]!) * t);
            if (d > 0) gained += (d * 10) / steps;
            else lost -= (d * 10) / steps;
          }
        }
        // Paths are written to a tenth of a pixel.
        const rough = 0.05 * 50 * n + 1;
        expect(Math.abs(sum(true) - gained)).toBeLessThan(rough);
        expect(Math.abs(sum(false) - lost)).toBeLessThan(rough);
      }),
      { numRuns: 60 },
    );
  });
});

describe('labels', () => {
  it('keep their distance, their order and the frame when there is room', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 12 }), (places) => {
        const moved = spread(places, 13, 0, 300);
        const order = places.map((_, i) => i).sort((a, b) => places[a]! - places[b]!);
        order.forEach((i, rank) => {
          expect(moved[i]).toBeGreaterThanOrEqual(0);
          expect(moved[i]).toBeLessThanOrEqual(300);
          const next = order[rank + 1];
          if (next !== undefined) expect(moved[next]! - moved[i]!).toBeGreaterThanOrEqual(13 - 1e-9);
        });
      }),
    );
  });
});

describe('ticks', () => {
  it('name each power of two', () => {
    expect(powersOfTwo(1, 64)).toEqual([1, 2, 4, 8, 16, 32, 64]);
    expect(powersOfTwo(3, 20)).toEqual([4, 8, 16]);
  });
});
