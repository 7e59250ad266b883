import type { Finding, Fix } from '../../finding';
import { asNumber, kindName } from '../../yaml/pyValue';
import type { PyValue } from '../../yaml/pyValue';
import { parsePythonFloat } from '../../yaml/scalars';
import { convertFileValue } from './convert';
import { atValue, fixOf } from './findings';
import type { Field } from './schema';
import type { TrlConfig } from './trlConfig';
import type { FileEntry } from './trlFile';

const WANTED: Readonly<Record<string, string>> = {
  int: 'a whole number',
  float: 'a number',
  bool: 'true or false',
  str: 'text',
  dict: 'a mapping',
};

/** Whether a value of the file is of the field's type, as far as the field alone can tell. */
export function typeFindings(config: TrlConfig, field: Field, entry: FileEntry): Finding[] {
  const value = entry.value.value;
  const converted = convertFileValue(field, value);
  if (!converted) return [refusedText(config, field, entry)];
  if (value.kind === 'str') return letterByLetter(config, field, entry);
  // Choices judge the kind of a value, too.
  if (field.choices.length > 0 && field.conversion !== 'DebugOption') return [];
  if (fits(field, converted))
    return [...elementFindings(config, field, entry), ...wholeFloat(config, field, entry)];
  return [wrongKind(config, field, entry)];
}

function refusedText(config: TrlConfig, field: Field, entry: FileEntry): Finding {
  const text = entry.value.value.kind === 'str' ? entry.value.value.value : '';
  const wanted = field.choices.length > 0 ? `one of ${field.choices.join(', ')}` : wantedOf(field);
  const none =
    /^(none|null)$/i.test(text) && field.conversion === 'bool' ? ' Write null without quotes.' : '';
  const exponent = field.conversion === 'int' && /^\d+(\.\d*)?e\+?\d+$/i.test(text);
  const why = exponent
    ? ' YAML reads an exponent as text here, and Python does not convert such text to an int.'
    : '';
  const message = `${field.name} takes ${wanted}; TRL cannot convert the text "${shorten(text)}" and stops.${why}${none}`;
  return atValue(config.file, entry, {
    code: 'type',
    severity: 'error',
    message,
    fixes: textFixes(config, field, entry, text),
  });
}

function textFixes(config: TrlConfig, field: Field, entry: FileEntry, text: string): Fix[] {
  const write = (newText: string): Fix[] =>
    fixOf(`Write ${newText}`, config.file.setKey(entry.name, newText, []), true);
  if (field.conversion === 'bool') {
    if (/^(on|enabled?)$/i.test(text)) return write('true');
    if (/^(off|disabled?)$/i.test(text)) return write('false');
    return [];
  }
  if (field.conversion === 'float' && /^\d+,\d+$/.test(text)) return write(text.replace(',', '.'));
  if (field.conversion === 'float' && /^\d+(\.\d+)?%$/.test(text))
    return write(String(Number(text.slice(0, -1)) / 100));
  const number = parsePythonFloat(text);
  return field.conversion === 'int' && number !== undefined && Number.isSafeInteger(number)
    ? write(String(number))
    : [];
}

/** A list field that is given as one word: Python goes through it letter by letter. */
function letterByLetter(config: TrlConfig, field: Field, entry: FileEntry): Finding[] {
  if (field.name !== 'reward_funcs' || entry.value.value.kind !== 'str') return [];
  const fixes = fixOf(
    'Write it as a list',
    config.file.setKey(entry.name, `[${config.file.slice(entry.value)}]`, []),
    true,
  );
  const message =
    `${field.name} takes a list; the script goes through a single text letter by letter and then does not find a ` +
    'reward function by that letter. Put it in [ ].';
  return [atValue(config.file, entry, { code: 'type', severity: 'warning', message, fixes })];
}

function fits(field: Field, value: PyValue): boolean {
  if (value.kind === 'null') return field.types.includes('null') || field.nullFromParser;
  return field.types.some((type) => {
    if (type.startsWith('list[')) return value.kind === 'list';
    if (type === 'float') return value.kind === 'float' || value.kind === 'int';
    if (type === 'bool')
      return value.kind === 'bool' || (value.kind === 'int' && (value.value === 0n || value.value === 1n));
    return type === value.kind || type.startsWith('object:');
  });
}

function wrongKind(config: TrlConfig, field: Field, entry: FileEntry): Finding {
  const value = entry.value.value;
  const number = asNumber(value);
  const isWhole = field.types.includes('int') && value.kind === 'float' && number !== undefined;
  const fixes =
    isWhole && Number.isSafeInteger(number)
      ? write(config, entry, String(number))
      : quoteFix(config, field, entry);
  const message =
    `${field.name} takes ${wantedOf(field)}, but YAML reads ${kindName(value)} here. TRL does not check it when it ` +
    'reads the file; the run may stop later, or do something else without a word.';
  // Most text ends up in names and paths, where a number will do.
  const severity = field.types.includes('str') && fixes.length > 0 ? 'information' : 'warning';
  return atValue(config.file, entry, { code: 'type', severity, message, fixes });
}

function quoteFix(config: TrlConfig, field: Field, entry: FileEntry): Fix[] {
  const scalar = ['int', 'float', 'bool', 'date', 'datetime'].includes(entry.value.value.kind);
  if (!scalar || !field.types.includes('str')) return [];
  return write(config, entry, JSON.stringify(config.file.slice(entry.value)));
}

/** Sampling parameters that transformers tests for the type float: 1 equals the default and is never passed on. */
function wholeFloat(config: TrlConfig, field: Field, entry: FileEntry): Finding[] {
  const value = entry.value.value;
  const isTested = field.name === 'temperature' || field.name === 'repetition_penalty';
  if (!isTested || value.kind !== 'int' || value.value === 1n || value.value <= 0n) return [];
  const message =
    `${field.name} must be a decimal number: YAML reads ${value.value} as a whole number, TRL does not convert it, ` +
    `and the run stops at the first generation. Write ${value.value}.0.`;
  const fixes = write(config, entry, `${value.value}.0`);
  return [atValue(config.file, entry, { code: 'type', severity: 'warning', message, fixes })];
}

function elementFindings(config: TrlConfig, field: Field, entry: FileEntry): Finding[] {
  const value = entry.value.value;
  const inner = field.types.flatMap((type) => /^list\[(str|float)\]$/.exec(type)?.[1] ?? [])[0];
  if (value.kind !== 'list' || inner === undefined) return [];
  const bad = value.items.find(
    ({ value: item }) => item.kind !== inner && !(inner === 'float' && item.kind === 'int'),
  );
  if (!bad) return [];
  const message = `Each item of ${field.name} must be ${WANTED[inner] ?? inner}, but YAML reads ${kindName(bad.value)} here.`;
  const at = { ...entry, value: bad };
  return [atValue(config.file, at, { code: 'type', severity: 'warning', message })];
}

function write(config: TrlConfig, entry: FileEntry, newText: string): Fix[] {
  return fixOf(`Write ${newText}`, config.file.setKey(entry.name, newText, []), true);
}

/** What a person calls the type of a field. */
export function wantedOf(field: Field): string {
  const words = field.types.map((type) => {
    if (type === 'null') return 'null';
    if (type.startsWith('list[')) return 'a list';
    if (type === 'enum' || type.startsWith('object:')) return undefined;
    return WANTED[type] ?? type;
  });
  return words.filter((word) => word !== undefined).join(' or ') || 'one of its values';
}

export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
