import type { ScriptCall, ScriptReading } from '../bash/readScript';
import { textOf } from '../bash/value';
import type { Field, Part } from '../bash/value';
import type { PyValue } from '../yaml/pyValue';
import type { ConfigEntry, ModelProblem, Place } from './model';

/** The words that a program of the framework gets. */
export interface Launch {
  /** As the script names it: a module, a file. */
  readonly program: string;
  readonly head: Place;
  readonly words: readonly Field[];
  /** Whether words may come that are not in the text. */
  readonly isOpen: boolean;
  readonly call: ScriptCall;
}

/**
 * The calls of a script that start one of the framework's programs, behind whatever launches it (`ray job submit --`,
 * `torchrun`, `python3 -m`).
 *
 * @param isProgram whether a word names one
 */
export function findLaunches(reading: ScriptReading, isProgram: (word: string) => boolean): Launch[] {
  return reading.calls.flatMap((call) => {
    const at = call.words.findIndex((word) => {
      const text = word.isOpen ? null : textOf(word.parts);
      return text !== null && isProgram(text);
    });
    const word = call.words[at];
    if (!word) return [];
    const words = call.words.slice(at + 1);
    const isOpen = words.some((each) => each.isOpen);
    return [{ program: textOf(word.parts) ?? '', head: spotOf(word.parts, word), words, isOpen, call }];
  });
}

/** What is wrong with the script itself. */
export function scriptProblems(reading: ScriptReading): ModelProblem[] {
  return reading.problems.map(({ code, message, start, end }) => ({
    code,
    severity: code === 'syntax' ? 'information' : 'warning',
    message,
    start,
    end,
  }));
}

/** A word `key=value` cut at its first `=`; null where it has none before something unknown. */
export function cutAtEquals(word: Field): { readonly before: Part; readonly value: readonly Part[] } | null {
  if (word.isOpen) return null;
  let text = '';
  let start: number | null = null;
  for (let index = 0; index < word.parts.length; index += 1) {
    const part = word.parts[index];
    if (!part || part.text === null) return null;
    if (part.text === '') continue;
    start ??= part.start;
    const at = part.text.indexOf('=');
    if (at < 0) {
      text += part.text;
      continue;
    }
    const end = part.isWritten ? part.start + at : part.end;
    const isWritten = part.isWritten && text === '';
    const before: Part = { text: text + part.text.slice(0, at), isWritten, start, end };
    const rest: Part = part.isWritten
      ? { text: part.text.slice(at + 1), isWritten: true, start: part.start + at + 1, end: part.end }
      : { ...part, text: part.text.slice(at + 1) };
    return { before, value: [rest, ...word.parts.slice(index + 1)] };
  }
  return null;
}

/** An entry from a name and the parts of its value. */
export function entryOf(
  name: string,
  key: Place,
  parts: readonly Part[],
  read: (text: string) => PyValue | null,
  how: ConfigEntry['how'],
  written: string | null = null,
): ConfigEntry {
  const text = textOf(parts);
  const solid = parts.filter((part) => part.text !== '');
  const [only] = solid;
  const isOne = solid.length === 1 && only?.isWritten === true;
  return {
    name,
    written,
    key: { start: key.start, end: key.end },
    value: text === null ? null : read(text),
    valuePlace: spotOf(parts, key),
    replaceable: isOne,
    how,
  };
}

/** Where parts stand: the one place of a single part, else from the first to the last of those that lie together. */
export function spotOf(parts: readonly Part[], otherwise: Place): Place {
  const solid = parts.filter((part) => part.text !== '' && part.end > part.start);
  const [first] = solid;
  if (!first) return { start: otherwise.start, end: otherwise.end };
  return { start: first.start, end: first.end };
}
