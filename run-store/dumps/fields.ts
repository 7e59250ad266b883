import { fieldOf } from '../journal/json';
import type { NamedPrompt } from './measured';

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Own field of a row; inherited names are none. */
export const own = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** First of the names that the row has, with a value. */
export function firstOf(fields: Fields, names: readonly string[]): { name: string; value: unknown } | null {
  for (const name of names) {
    const value = own(fields, name);
    if (value !== undefined && value !== null && value !== '') return { name, value };
  }
  return null;
}

const WORDS: Readonly<Record<string, number>> = {
  true: 1,
  yes: 1,
  correct: 1,
  pass: 1,
  passed: 1,
  c: 1,
  false: 0,
  no: 0,
  incorrect: 0,
  wrong: 0,
  fail: 0,
  failed: 0,
  i: 0,
};

/**
 * A score as a number: numbers, truth values, and the words for them. NaN: the cell says that there is none.
 * undefined: it is no score at all.
 */
export function scoreOf(value: unknown): number | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? value : Number.NaN;
    case 'boolean':
      return value ? 1 : 0;
    case 'bigint':
      return Number(value);
    case 'string': {
      const text = value.trim().toLowerCase();
      if (text === '' || text === 'nan' || text === 'none' || text === 'null') return Number.NaN;
      const word = Object.hasOwn(WORDS, text) ? WORDS[text] : undefined;
      if (word !== undefined) return word;
      const number = Number(text);
      return Number.isFinite(number) ? number : undefined;
    }
    default:
      return value === null ? Number.NaN : undefined;
  }
}

/** A count; undefined for what is none. */
export function countOf(value: unknown): number | undefined {
  const number =
    typeof value === 'bigint' ? Number(value) : typeof value === 'string' ? toNumber(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

const toNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** A text or a number as a text; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return null;
}

/** The text of a prompt: a text, or the contents of chat messages, the last message of the user first. */
export function promptText(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (!Array.isArray(value)) return null;
  const messages: readonly unknown[] = value;
  const contents = messages.map((message) => contentText(fieldOf(message, 'content')));
  const all = contents.filter((text) => text !== '').join('\n');
  return all === '' ? null : all;
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const parts: readonly unknown[] = content;
  return parts.map((part) => textOf(fieldOf(part, 'text')) ?? '').join('');
}

/** Where a chat's interesting part begins: its last message of the user; a text’s own beginning. */
export function excerptOf(value: unknown): string | null {
  if (Array.isArray(value)) {
    const messages: readonly unknown[] = value;
    const last = messages.findLast((message) => fieldOf(message, 'role') === 'user');
    const text = contentText(fieldOf(last, 'content'));
    if (text !== '') return cut(text);
  }
  const text = promptText(value);
  return text === null ? null : cut(text);
}

const cut = (text: string): string => text.slice(0, 200);

const MOST_ID = 200;

/** An id that fits the protocol: a long one keeps its beginning and gets a digest. */
export const idOf = (text: string): string =>
  text.length <= MOST_ID ? text : `${text.slice(0, MOST_ID - 17)}-${digest(text)}`;

/** The id of a prompt that a file knows by its text only. */
export const textId = (text: string): string => `text-${digest(text)}`;

/** 64 bits of a text, as 16 hexadecimal digits: two lanes of FNV-1a with different offsets, mixed at the end. */
function digest(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ ((unit << 7) | (unit >>> 9)), 0x85ebca6b);
  }
  a = Math.imul(a ^ (b >>> 15), 0xc2b2ae35);
  b = Math.imul(b ^ (a >>> 13), 0x27d4eb2f);
  return (
    ((a ^ (a >>> 16)) >>> 0).toString(16).padStart(8, '0') +
    ((b ^ (b >>> 14)) >>> 0).toString(16).padStart(8, '0')
  );
}

const DIFFICULTY = ['difficulty', 'level'] as const;
const DOMAIN = ['domain', 'subject', 'category', 'type', 'topic'] as const;

/** Difficulty and domain where the fields say them. */
export function factsOf(fields: Fields): Pick<NamedPrompt, 'difficulty' | 'domain'> {
  const word = (names: readonly string[]): string | null => {
    const found = firstOf(fields, names);
    return found === null ? null : (textOf(found.value)?.slice(0, 120) ?? null);
  };
  return { difficulty: word(DIFFICULTY), domain: word(DOMAIN) };
}

/** A step that a path says: step_400, checkpoint-400, global_step400, or a file that is named by a number. */
export function stepOfPath(path: string): number | null {
  const named = [...path.matchAll(/(?:step|checkpoint|iter|ckpt)[s_\-= ]*(\d{1,9})/gi)].at(-1)?.[1];
  const bare = /(?:^|[/\\])(\d{1,9})\.[a-z]+$/i.exec(path)?.[1];
  const found = bare ?? named;
  return found === undefined ? null : Number(found);
}
