/** Numbers of native surfaces, as the panels write them. */

/** Narrow no-break space: between number and unit, never torn apart at a line's end. */
const THIN = '\u202f';

const withCommas = (value: number): string => value.toString().replace(/\B(?=(\d{3})+$)/g, ',');

/** A count: `1,016`; from 100,000 on three figures and a unit: `760 k`, `1.76 M`. */
export function count(value: number): string {
  return withUnit(value, 100_000);
}

/** An amount that is large by nature, tokens above all: three figures and a unit from 10,000 on. */
export function amount(value: number): string {
  return withUnit(value, 10_000);
}

function withUnit(value: number, from: number): string {
  const size = Math.abs(value);
  if (size < from) return withCommas(Math.round(value)).replace('-', '−');
  const [scale, unit] = size < 999_500 ? [1e3, 'k'] : size < 999.5e6 ? [1e6, 'M'] : [1e9, 'G'];
  return `${String(Number((value / scale).toPrecision(3))).replace('-', '−')}${THIN}${unit}`;
}

/** `+96`, `−8`, `0`. */
export function signed(value: number, write: (value: number) => string = count): string {
  return value > 0 ? `+${write(value)}` : write(value);
}

/** A stretch of time: `8.5 s` under ten seconds, `187 s` under 200, then `31 min`, `31 h 14 min`. */
export function seconds(value: number): string {
  if (value < 10) return `${Number(value.toFixed(1))}${THIN}s`;
  if (value < 200) return `${Math.round(value)}${THIN}s`;
  const minutes = Math.round(value / 60);
  if (minutes < 60) return `${minutes}${THIN}min`;
  return `${Math.floor(minutes / 60)}${THIN}h ${minutes % 60}${THIN}min`;
}

/** `+13 s`, `−2 min`, `0 s`. */
export function signedSeconds(value: number): string {
  if (Math.abs(value) < 0.05) return seconds(0);
  return `${value > 0 ? '+' : '−'}${seconds(Math.abs(value))}`;
}

/** Two decimals without a leading zero; 0 and 1 stay whole: `.32`. */
export function rate(value: number): string {
  if (Number.isNaN(value)) return 'undefined';
  const text = value.toFixed(2);
  return text === '0.00' ? '0' : text === '1.00' ? '1' : text.replace(/^(-?)0/, '$1').replace('-', '−');
}

/** `14:06`, local; with the date when it is not today. */
export function moment(at: number, now: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (date.toDateString() === new Date(now).toDateString()) return clock;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock}`;
}

/** `14:07:22`, local. */
export function clockTime(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((v) => String(v).padStart(2, '0'))
    .join(':');
}
