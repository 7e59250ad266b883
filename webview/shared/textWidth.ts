import { palette } from './palette';

let context: CanvasRenderingContext2D | null = null;

/** Width of a small text (11 px) in the user's font, CSS pixels. Read inside a render it follows the theme. */
export const smallTextWidth = (text: string): number => {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return text.length * 7;
  context.font = palette.value.smallFont;
  return context.measureText(text).width;
};
