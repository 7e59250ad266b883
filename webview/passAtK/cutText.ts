import { smallTextWidth } from '../shared/textWidth';

/** A small text cut to a width, CSS pixels, with an ellipsis. */
export const cutText = (whole: string, room: number): string => {
  if (smallTextWidth(whole) <= room) return whole;
  let end = whole.length;
  while (end > 1 && smallTextWidth(`${whole.slice(0, end)}…`) > room) end -= 1;
  return `${whole.slice(0, end)}…`;
};
