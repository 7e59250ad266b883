import { smallTextWidth } from '../shared/textWidth';

/** A small text cut to a width, CSS pixels, with an ellipsis. */
export const cutText = (whole: string, room: number): string => {
  if (smallTextWidth(whole) <= room) return whole;
  let end = whole.length;
  while (end > 1 && smallTextWidth(`${whole.slice(0, end)}…`) > room) end -= 1;
  return `${whole.slice(0, end)}…`;
};

/** The same for names of one kind, which begin alike more often than they end alike: cut in the middle. */
export const cutName = (name: string, room: number): string => {
  if (smallTextWidth(name) <= room) return name;
  let kept = name.length - 1;
  const cut = (): string =>
    `${name.slice(0, Math.ceil(kept / 3))}…${name.slice(name.length - Math.floor((2 * kept) / 3))}`;
  while (kept > 2 && smallTextWidth(cut()) > room) kept -= 1;
  return cut();
};
