import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeCard } from './cardPlace';

const view = { width: 1400, height: 900 };
const card = { width: 200, height: 80 };

describe('a hover card', () => {
  it('stands 12 px up and right of its mark', () => {
    const mark = { left: 400, top: 300, right: 410, bottom: 310 };
    expect(placeCard(mark, 405, card, view)).toEqual({ left: 417, top: 208 });
  });

  it('is flipped at the right edge and at the top', () => {
    const mark = { left: 1380, top: 10, right: 1390, bottom: 30 };
    expect(placeCard(mark, 1385, card, view)).toEqual({ left: 1173, top: 42 });
  });

  it('never lies over its mark, and always in the window', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1380 }),
        fc.integer({ min: 0, max: 880 }),
        fc.integer({ min: 1, max: 20 }),
        (left, top, size) => {
          const mark = { left, top, right: left + size, bottom: top + size };
          const at = placeCard(mark, left + size / 2, card, view);
          const apart =
            at.left >= mark.right ||
            at.left + card.width <= mark.left ||
            at.top >= mark.bottom ||
            at.top + card.height <= mark.top;
          expect(apart).toBe(true);
          expect(at.left).toBeGreaterThanOrEqual(0);
          expect(at.left + card.width).toBeLessThanOrEqual(view.width);
          expect(at.top + card.height).toBeLessThanOrEqual(view.height);
        },
      ),
    );
  });
});
