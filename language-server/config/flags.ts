import { textOf } from '../bash/value';
import type { Field } from '../bash/value';
import { isBefore, parseRelease } from '../version/release';
import type { PyValue } from '../yaml/pyValue';
import { parsePythonFloat, parsePythonInt } from '../yaml/scalars';
import { cutAtEquals, entryOf } from './launch';
import type { Launch } from './launch';
import type { ConfigEntry } from './model';
import type { FrameworkSchema, SchemaKey } from './schema';

/**
 * Flags as argparse reads them: `--name value`, `--name=value`, switches, lists, abbreviations.
 *
 * @param isComplete whether the schema holds all flags; only then can an abbreviation be told from an unknown flag
 */
export function readFlags(launch: Launch, schema: FrameworkSchema, isComplete: boolean): ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  const { words } = launch;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (!word) break;
    const cut = cutAtEquals(word);
    const written = cut?.before.text ?? (word.isOpen ? null : textOf(word.parts));
    if (written === null || !written.startsWith('--') || written === '--') continue;
    const { key, name } = resolve(written.slice(2), schema, isComplete);
    const abbreviation = name === written.slice(2) ? null : written.slice(2);
    const place = placeOfName(cut ? [cut.before] : word.parts, written, word);
    if (cut) {
      entries.push(entryOf(name, place, cut.value, (text) => readValue(text, key), 'plain', abbreviation));
      continue;
    }
    const count = key?.type === 'switch' ? 0 : valuesAfter(words, index, key);
    if (count === 0) {
      entries.push({ ...entryOf(name, place, [], () => null, 'plain', abbreviation), value: SWITCHED_ON });
      continue;
    }
    const [value] = words.slice(index + 1, index + 2);
    const isSingle = count === 1 && value !== undefined && !value.isOpen;
    const read = (text: string): PyValue | null => (key?.type === 'list' ? null : readValue(text, key));
    const parts = isSingle ? value.parts : [];
    const entry = entryOf(name, place, parts, read, 'plain', abbreviation);
    entries.push(isSingle ? entry : { ...entry, value: null });
    index += count;
  }
  return entries;
}

const SWITCHED_ON: PyValue = { kind: 'bool', value: true };

/** The option that a name means: itself, or the only one that begins so. */
function resolve(
  written: string,
  schema: FrameworkSchema,
  isComplete: boolean,
): { key: SchemaKey | undefined; name: string } {
  const exact = schema.keys.get(written);
  if (exact || !isComplete) return { key: exact, name: written };
  const latest = parseRelease(schema.latest);
  const longer = [...schema.keys.values()].filter(
    (key) =>
      key.name.startsWith(written) && (key.removed === null || isBefore(latest, parseRelease(key.removed))),
  );
  const only = longer.length === 1 ? longer[0] : undefined;
  return { key: only, name: only?.name ?? written };
}

/** How many words after an option are its values. */
function valuesAfter(words: readonly Field[], index: number, key: SchemaKey | undefined): number {
  let count = 0;
  for (const word of words.slice(index + 1)) {
    const text = word.isOpen ? null : textOf(word.parts);
    const beginning = word.parts[0]?.text;
    if (text?.startsWith('--') === true || (text === null && beginning?.startsWith('--') === true)) break;
    count += 1;
    if (key?.type !== 'list' && key !== undefined) break;
    if (key === undefined && count === 1 && words[index + 2]?.isOpen !== false) break;
  }
  return count;
}

function placeOfName(
  parts: Field['parts'],
  written: string,
  word: Field,
): { readonly start: number; readonly end: number } {
  const [only] = parts.filter((part) => part.text !== '');
  if (only?.isWritten === true && only.text === written) return { start: only.start + 2, end: only.end };
  return { start: word.start, end: word.end };
}

/** The value of an option's text by the option's type, as argparse converts it. */
function readValue(text: string, key: SchemaKey | undefined): PyValue | null {
  const type = key?.type;
  if (type === 'bool' && /^(?:true|t|yes|y|1)$/i.test(text)) return { kind: 'bool', value: true };
  if (type === 'bool' && /^(?:false|f|no|n|0)$/i.test(text)) return { kind: 'bool', value: false };
  if (type === 'str') return { kind: 'str', value: text };
  const whole = parsePythonInt(text);
  if (whole !== undefined) return { kind: 'int', value: whole };
  const number = parsePythonFloat(text);
  if (number !== undefined) return { kind: 'float', value: number };
  return { kind: 'str', value: text };
}
