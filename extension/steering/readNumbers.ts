export const MAX_ROLLOUTS = 100_000;
export const MAX_FORK = 1_024;
export const MAX_STEPS = 1_000_000;

/** A whole number between two bounds, `1,024` and `+8` included; null when the text is none. */
export function readWhole(text: string, least: number, most: number): number | null {
  const trimmed = text.trim().replace(/,(?=\d{3}(?!\d))/g, '');
  if (!/^\+?\d{1,9}$/.test(trimmed)) return null;
  const value = Number(trimmed);
  return value >= least && value <= most ? value : null;
}

/** A finite number, `.5` and `−2` included; null when the text is none. */
export function readNumber(text: string): number | null {
  const trimmed = text.trim().replace('−', '-');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}
