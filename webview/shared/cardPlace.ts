export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const GAP = 12;
const EDGE = 4;

/**
 * Where a hover card goes: 12 px up and right of the mark, never over it, flipped at the edges of the window.
 *
 * @param at the pointer's place along a wide mark; else the middle of the mark.
 */
export const placeCard = (
  mark: Box,
  at: number,
  card: { readonly width: number; readonly height: number },
  view: { readonly width: number; readonly height: number },
): { readonly left: number; readonly top: number } => {
  const right = at + GAP;
  const fitsRight = right + card.width <= view.width - EDGE;
  const left = fitsRight ? right : Math.max(EDGE, at - GAP - card.width);
  const above = mark.top - GAP - card.height;
  if (above >= EDGE) return { left, top: above };
  const below = mark.bottom + GAP;
  if (below + card.height <= view.height - EDGE) return { left, top: below };
  // No room above or below: beside the mark's own box.
  const beside =
    mark.right + GAP + card.width <= view.width - EDGE ? mark.right + GAP : mark.left - GAP - card.width;
  return { left: Math.max(EDGE, beside), top: Math.max(EDGE, view.height - EDGE - card.height) };
};
