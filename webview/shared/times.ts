import { count, withUnit } from './format';

const UNDEFINED = 'undefined';

/** Durations: seconds under 200 (one decimal under 10), then minutes, then hours and minutes. */
export const durationParts = (seconds: number): { readonly value: string; readonly unit: string } => {
  if (!Number.isFinite(seconds)) return { value: UNDEFINED, unit: '' };
  const s = Math.max(0, seconds);
  if (s < 0.095 && s > 0) return { value: s.toFixed(2), unit: 's' };
  if (s < 9.95) return { value: s.toFixed(1), unit: 's' };
  if (s < 199.5) return { value: s.toFixed(0), unit: 's' };
  const minutes = Math.round(s / 60);
  if (minutes < 60) return { value: String(minutes), unit: 'min' };
  return { value: withUnit(count(Math.floor(minutes / 60)), 'h'), unit: `${minutes % 60}\u202fmin` };
};

/** `0.4 s`, `187 s`, `14 min`, `31 h 14 min`. */
export const duration = (seconds: number): string => {
  const { value, unit } = durationParts(seconds);
  return unit.includes('min') && value.includes('h') ? `${value} ${unit}` : withUnit(value, unit);
};

/** Time that runs: `0:41`, `2:14`, `1:02:14`. */
export const running = (seconds: number): string => {
  const s = Math.max(0, Math.floor(seconds));
  const two = (n: number): string => String(n).padStart(2, '0');
  const hours = Math.floor(s / 3600);
  const minutes = Math.floor(s / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(s % 60)}` : `${minutes}:${two(s % 60)}`;
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Day of a moment, local: `14 Sep`, the year added when it is not this one. */
export const day = (at: number, now = Date.now()): string => {
  const date = new Date(at);
  const text = `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''}`;
  return date.getFullYear() === new Date(now).getFullYear() ? text : `${text} ${date.getFullYear()}`;
};

const two = (n: number): string => String(n).padStart(2, '0');

/** A moment on the local 24 h clock, Unix ms: `14:06`, the date added when it is not today. */
export const moment = (at: number, now = Date.now(), seconds = false): string => {
  const date = new Date(at);
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}${seconds ? `:${two(date.getSeconds())}` : ''}`;
  return date.toDateString() === new Date(now).toDateString() ? clock : `${day(at, now)}, ${clock}`;
};
