/**
 * Numbers as the visual system writes them (section 6). A value that is not a number gives the word
 * `undefined`, never 0 and never blank; callers that know a better word use it.
 */
export const NARROW_SPACE = '\u202f';
export const MINUS = '\u2212';
const UNDEFINED = 'undefined';

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
const sign = (x: number): string => (x < 0 ? MINUS : '');
const bare = (text: string): string => text.replace(/^0\./, '.');

/** Number and unit with the narrow no-break space between them. */
export const withUnit = (text: string, unit: string): string =>
  unit === '' ? text : text + NARROW_SPACE + unit;

/** Counts: thousands with commas, no decimals: `1,016`. */
export const count = (x: number): string =>
  Number.isFinite(x) ? sign(Math.round(x)) + grouped(Math.abs(Math.round(x)).toFixed(0)) : UNDEFINED;

const UNITS = ['', 'k', 'M', 'G', 'T'] as const;

/** Three figures of a large count and its unit: `41.2` and `k`. Below 10,000 the count itself. */
export const largeParts = (x: number): { readonly value: string; readonly unit: string } => {
  if (!Number.isFinite(x)) return { value: UNDEFINED, unit: '' };
  let size = Math.abs(x);
  if (size < 9_999.5) return { value: count(x), unit: '' };
  let unit = 0;
  // 999.5 would be written as 1,000 in three figures.
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  return { value: sign(x) + size.toFixed(decimals), unit: UNITS[unit] ?? '' };
};

/** Large counts: `760 k`, `1.76 M`, with a thin space. */
export const large = (x: number): string => {
  const { value, unit } = largeParts(x);
  return withUnit(value, unit);
};

const fixed = (x: number, decimals: number): string => {
  const text = Math.abs(x).toFixed(decimals);
  // −0.001 rounds to zero, and zero has no sign.
  return Number(text) === 0 ? text : sign(x) + text;
};
const bareFixed = (x: number, decimals: number): string => {
  const text = fixed(x, decimals);
  return text.startsWith(MINUS) ? MINUS + bare(text.slice(1)) : bare(text);
};

/** Rewards, rates, probabilities: two decimals, no leading zero; whole numbers stay whole: `.32`, `1`. */
export const rate = (x: number): string => {
  if (!Number.isFinite(x)) return UNDEFINED;
  return Number.isInteger(x) ? count(x) : bareFixed(x, 2);
};

/** pass@k in tables: three decimals: `.720`. */
export const passAt = (x: number): string => (Number.isFinite(x) ? bareFixed(x, 3) : UNDEFINED);

/** Advantages and differences: always signed, with a true minus: `+.68`, `−.32`, `0`. */
export const signed = (x: number, decimals = 2): string => {
  if (!Number.isFinite(x)) return UNDEFINED;
  const text = decimals === 0 ? count(x) : bareFixed(x, decimals);
  if (Number(Math.abs(x).toFixed(decimals)) === 0) return '0';
  return x > 0 ? `+${text}` : text;
};

/** Percentage points, the value already ×100: one decimal, leading zero: `−8.8`, `+24.2`, `0.0`. */
export const pointsValue = (x: number): string => {
  if (!Number.isFinite(x)) return UNDEFINED;
  const text = fixed(x, 1);
  return Number(Math.abs(x).toFixed(1)) > 0 && x > 0 ? `+${text}` : text;
};
export const points = (x: number): string => `${pointsValue(x)} points`;

/** Half-width after ±: `−8.8 ± 4.0`. */
export const withHalfWidth = (x: number, halfWidth: number): string =>
  `${pointsValue(x)} ± ${fixed(Math.abs(halfWidth), 1)}`;

/** Both ends: `95 % interval .02 to .30`. */
export const interval = (low: string, high: string, level = 95): string =>
  `${withUnit(String(level), '%')} interval ${low} to ${high}`;

/** A share of 0 to 1 in per cent: `38 %`, under ten one decimal: `2.1 %`. Its whole is the caller's to name. */
export const shareValue = (x: number): string => {
  if (!Number.isFinite(x)) return UNDEFINED;
  const percent = x * 100;
  return Math.abs(percent) < 9.95 && !Number.isInteger(Number(percent.toFixed(1)))
    ? fixed(percent, 1)
    : fixed(percent, 0);
};
export const share = (x: number): string => (Number.isFinite(x) ? withUnit(shareValue(x), '%') : UNDEFINED);

/** Entropy in nats: `2.71 nats`. */
export const nats = (x: number): string =>
  Number.isFinite(x) ? withUnit(bareFixed(x, 2), 'nats') : UNDEFINED;

/** Entropy and other amounts without their unit, two decimals, no leading zero. */
export const decimal = (x: number, decimals = 2): string =>
  Number.isFinite(x) ? bareFixed(x, decimals) : UNDEFINED;

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** An integer as an exponent: `⁻⁴`. */
export const superscript = (n: number): string =>
  (n < 0 ? '⁻' : '') +
  String(Math.abs(Math.trunc(n))).replaceAll(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? '');

/**
 * The power of ten that a column of small numbers is written in, once, in its head: `×10⁻⁴` for values around
 * 0.0003. Values from .01 upwards are written as they are.
 */
export const smallFactor = (largest: number): { readonly factor: number; readonly head: string } => {
  const size = Math.abs(largest);
  if (!Number.isFinite(size) || size === 0 || size >= 0.01) return { factor: 1, head: '' };
  const power = Math.floor(Math.log10(size));
  return { factor: 10 ** -power, head: `×10${superscript(power)}` };
};

/** `1st`, `2nd`, `3rd`, `11th`. */
export const ordinal = (n: number): string => {
  const tens = n % 100;
  const ending = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${count(n)}${ending}`;
};

/** A parameter or input as a decision recorded it: words stay, numbers get at most four figures. */
export const plainValue = (value: number | string | boolean | null): string => {
  if (value === null) return 'none';
  if (typeof value !== 'number') return String(value);
  if (!Number.isFinite(value)) return UNDEFINED;
  if (Number.isInteger(value)) return count(value);
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e6) {
    const power = Math.floor(Math.log10(size));
    return `${fixed(value / 10 ** power, 2)}·10${superscript(power)}`;
  }
  const text = Number(value.toPrecision(4)).toString();
  return text.startsWith('-') ? MINUS + bare(text.slice(1)) : bare(text);
};
