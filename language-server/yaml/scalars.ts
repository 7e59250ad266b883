import type { PyValue } from './pyValue';

/**
 * Plain scalars as PyYAML 6.0 reads them (its resolver and SafeConstructor; the YAML 1.1 types without `y`/`n`,
 * exponents only with a dot and a sign). Checked against recorded answers in scalars.test.ts.
 */

export type ScalarTag = 'null' | 'bool' | 'int' | 'float' | 'timestamp' | 'str' | 'merge' | 'value';

const BOOL = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;
const FLOAT =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const INT =
  /^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
const NULL = /^(?:~|null|Null|NULL|)$/;
const TIMESTAMP =
  /^(?:\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)$/;
const TIMESTAMP_PARTS =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?(?:[ \t]*(?:Z|([-+])(\d\d?)(?::(\d\d))?))?)?$/;

/** Who reads the text: PyYAML's safe loader (TRL), or OmegaConf's (verl, SkyRL, AReaL, ROLL, NeMo RL). */
export type YamlFlavour = 'pyyaml' | 'omegaconf';

/** OmegaConf also reads exponents without a dot or a sign, and no dates. Source: omegaconf/_utils.py, 2.3. */
const OMEGACONF_FLOAT =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$/;

/** The type a plain scalar gets from its text alone. */
export function resolvePlain(text: string, flavour: YamlFlavour = 'pyyaml'): ScalarTag {
  if (BOOL.test(text)) return 'bool';
  if (FLOAT.test(text)) return 'float';
  if (INT.test(text)) return 'int';
  if (flavour === 'omegaconf' && OMEGACONF_FLOAT.test(text)) return 'float';
  if (text === '<<') return 'merge';
  if (NULL.test(text)) return 'null';
  if (flavour === 'pyyaml' && TIMESTAMP.test(text)) return 'timestamp';
  if (text === '=') return 'value';
  return 'str';
}

/** The value of a scalar of a known type; undefined where PyYAML raises (an impossible date, `!!int x`). */
export function constructScalar(tag: ScalarTag, text: string): PyValue | undefined {
  switch (tag) {
    case 'null':
      return { kind: 'null' };
    case 'bool':
      return constructBool(text);
    case 'int':
      return constructInt(text);
    case 'float':
      return constructFloat(text);
    case 'timestamp':
      return constructTimestamp(text);
    case 'str':
    case 'merge':
      return { kind: 'str', value: text };
    case 'value':
      return undefined;
  }
}

function constructBool(text: string): PyValue | undefined {
  const lower = text.toLowerCase();
  if (['yes', 'true', 'on'].includes(lower)) return { kind: 'bool', value: true };
  if (['no', 'false', 'off'].includes(lower)) return { kind: 'bool', value: false };
  return undefined;
}

function constructInt(text: string): PyValue | undefined {
  let digits = text.replaceAll('_', '');
  const negative = digits.startsWith('-');
  if (/^[-+]/.test(digits)) digits = digits.slice(1);
  const magnitude = intMagnitude(digits);
  if (magnitude === undefined) return undefined;
  return { kind: 'int', value: negative ? -magnitude : magnitude };
}

function intMagnitude(digits: string): bigint | undefined {
  if (/^0b[01]+$/.test(digits) || /^0x[0-9a-fA-F]+$/.test(digits)) return BigInt(digits);
  if (/^0[0-7]*$/.test(digits)) return digits === '0' ? 0n : BigInt(`0o${digits.slice(1)}`);
  if (/^[0-9]+(?::[0-9]+)+$/.test(digits)) {
    return digits.split(':').reduce((sum, part) => sum * 60n + BigInt(part), 0n);
  }
  return /^[1-9][0-9]*$/.test(digits) ? BigInt(digits) : undefined;
}

function constructFloat(text: string): PyValue | undefined {
  let digits = text.replaceAll('_', '').toLowerCase();
  const sign = digits.startsWith('-') ? -1 : 1;
  if (/^[-+]/.test(digits)) digits = digits.slice(1);
  if (digits === '.inf') return { kind: 'float', value: sign * Infinity };
  if (digits === '.nan') return { kind: 'float', value: NaN };
  if (digits.includes(':')) {
    const parts = digits.split(':').map(parsePythonFloat);
    let sum = 0;
    for (const part of parts) {
      if (part === undefined) return undefined;
      sum = sum * 60 + part;
    }
    return { kind: 'float', value: sign * sum };
  }
  const value = parsePythonFloat(digits);
  return value === undefined ? undefined : { kind: 'float', value: sign * value };
}

const PYTHON_FLOAT = /^[-+]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][-+]?\d+(?:_\d+)*)?$/;

/** Python's `float(text)`; undefined where it raises ValueError. */
export function parsePythonFloat(text: string): number | undefined {
  const trimmed = text.trim();
  if (PYTHON_FLOAT.test(trimmed)) return Number(trimmed.replaceAll('_', ''));
  const special = /^([-+]?)(inf|infinity|nan)$/i.exec(trimmed);
  if (!special) return undefined;
  if (special[2]?.toLowerCase() === 'nan') return NaN;
  return special[1] === '-' ? -Infinity : Infinity;
}

/** Python's `int(text)` in base ten; undefined where it raises ValueError. */
export function parsePythonInt(text: string): bigint | undefined {
  const match = /^([-+]?)(\d+(?:_\d+)*)$/.exec(text.trim());
  if (!match) return undefined;
  const magnitude = BigInt((match[2] ?? '').replaceAll('_', ''));
  return match[1] === '-' ? -magnitude : magnitude;
}

function constructTimestamp(text: string): PyValue | undefined {
  const match = TIMESTAMP_PARTS.exec(text);
  if (!match) return undefined;
  const [
    ,
    year = '',
    month = '',
    day = '',
    hour,
    minute = '',
    second = '',
    fraction,
    sign,
    zoneHour,
    zoneMinute,
  ] = match;
  const date = isoDate(Number(year), Number(month), Number(day));
  if (date === undefined) return undefined;
  if (hour === undefined) return { kind: 'date', value: date };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const micro = fraction ? fraction.slice(0, 6).padEnd(6, '0') : '';
  const time = `${hour.padStart(2, '0')}:${minute}:${second}${Number(micro) > 0 ? `.${micro}` : ''}`;
  const zone = sign ? zoneText(sign, zoneHour ?? '0', zoneMinute ?? '0') : text.endsWith('Z') ? '+00:00' : '';
  return { kind: 'datetime', value: `${date}T${time}${zone}` };
}

function zoneText(sign: string, hour: string, minute: string): string {
  // Python has no negative zero offset.
  const shown = Number(hour) === 0 && Number(minute) === 0 ? '+' : sign;
  return `${shown}${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
}

function isoDate(year: number, month: number, day: number): string | undefined {
  if (year < 1 || month < 1 || month > 12 || day < 1) return undefined;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  if (day > days) return undefined;
  const pad = (value: number, width: number): string => String(value).padStart(width, '0');
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}
