import { MARKS, pieShapes, type MarkInk, type MarkName, type MarkShape } from './markShapes';
import type { Palette } from './palette';

const paths = new Map<string, Path2D>();
const pathOf = (d: string): Path2D => {
  let path = paths.get(d);
  if (!path) paths.set(d, (path = new Path2D(d)));
  return path;
};

export interface MarkPaint {
  /** Ink of role `text`, for selected rows. */
  readonly text?: string;
  /** 0 to 1: the running dot as it breathes. */
  readonly breath?: number;
  /** Reward between 0 and 1 as a pie of five steps. */
  readonly share?: number;
}

/** Paints a mark of 10 px, its centre at `x`, `y`, in CSS pixels of the context. */
export const paintMark = (
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  name: MarkName,
  x: number,
  y: number,
  colours: Pick<Palette, MarkInk>,
  { text = colours.text, breath = 1, share }: MarkPaint = {},
): void => {
  const shapes: readonly MarkShape[] = share === undefined ? MARKS[name] : pieShapes(share);
  const colour = (ink: MarkInk): string => (ink === 'text' ? text : colours[ink]);
  context.save();
  context.translate(x, y);
  for (const shape of shapes) {
    const path = pathOf(shape.d);
    context.globalAlpha = shape.breathes === true ? breath : 1;
    if (shape.fill !== undefined) {
      context.fillStyle = colour(shape.fill);
      context.fill(path);
    }
    if (shape.stroke !== undefined) {
      context.strokeStyle = colour(shape.stroke);
      context.lineWidth = shape.width ?? 1;
      context.stroke(path);
    }
  }
  context.restore();
};
