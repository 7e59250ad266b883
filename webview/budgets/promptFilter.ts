import type { PromptColumns } from '../../protocol/panels/budgets';
import {
  isMissing,
  NUMBER_COLUMNS,
  STATUSES,
  WORD_COLUMNS,
  type NumberColumn,
  type WordColumn,
} from './columns';
import { text } from './texts';

type Test = (row: number) => boolean;

export type Filter =
  { readonly test: Test; readonly problem: null } | { readonly test: null; readonly problem: string };

const byName = <C extends { readonly names: readonly string[] }>(columns: readonly C[]): Map<string, C> =>
  new Map(columns.flatMap((column) => column.names.map((name) => [name, column] as const)));
const NUMBERS = byName(NUMBER_COLUMNS);
const WORDS = byName(WORD_COLUMNS);

const NAMES = [...NUMBERS.keys(), ...WORDS.keys()]
  .sort((a, b) => b.length - a.length)
  .map((name) => name.replaceAll(/[- ]/g, '[- ]'))
  .join('|');
const OPERATOR = '>=|<=|!=|≥|≤|≠|>|<|=|:';
const VALUE = '"[^"]*"|\'[^\']*\'|[^\\s]*';
const NOT = '(-|!|not\\s+)?';
/** A condition, or a word that the id must hold, at the start of what is left. */
const CONDITION = new RegExp(`^${NOT}(${NAMES})\\s*(${OPERATOR})\\s*(${VALUE})`, 'iu');
const FOREIGN = new RegExp(`^${NOT}([^\\s"']*?)\\s*(${OPERATOR})\\s*(${VALUE})`, 'iu');
const WORD = new RegExp(`^${NOT}("[^"]*"|'[^']*'|[^\\s]+)`, 'iu');
const NUMBER = /^[+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?([%kM]?)$/u;

const bare = (value: string): string => value.replace(/^(["'])(.*)\1$/u, '$2');

/** `.2`, `20%`, `1,024`, `12k`; undefined when it is no number. */
const readNumber = (value: string): number | undefined => {
  const match = NUMBER.exec(value);
  if (!match) return undefined;
  const number = Number.parseFloat(value.replaceAll(',', ''));
  const unit = match[1];
  return unit === '%' ? number / 100 : unit === 'k' ? number * 1e3 : unit === 'M' ? number * 1e6 : number;
};

const COMPARE: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '≥': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  '≤': (a, b) => a <= b,
  '=': (a, b) => a === b,
  ':': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '≠': (a, b) => a !== b,
};

type Read = { readonly test: Test } | { readonly problem: string };

const numberTest = (column: NumberColumn, op: string, value: string, prompts: PromptColumns): Read => {
  const cells = column.of(prompts);
  const [name = ''] = column.names;
  if (value.toLowerCase() === 'none' && /^(=|:|!=|≠)$/u.test(op)) {
    const wanted = op === '=' || op === ':';
    return { test: (row) => isMissing(cells[row] ?? Number.NaN) === wanted };
  }
  // Rates are kept in single precision: there .2 is not the double .2.
  const exact = (typed: number): number => (cells instanceof Float32Array ? Math.fround(typed) : typed);
  const [from, to] = value.split('..').map(readNumber);
  if (value.includes('..') && (op === '=' || op === ':')) {
    if (from === undefined || to === undefined) return { problem: text('notANumber', { value, name }) };
    const [low, high] = [exact(from), exact(to)];
    return {
      test: (row) => !isMissing(cells[row] ?? Number.NaN) && cells[row]! >= low && cells[row]! <= high,
    };
  }
  const compare = COMPARE[op];
  if (from === undefined || value.includes('..') || !compare)
    return { problem: text(value === '' ? 'noValue' : 'notANumber', { value, name }) };
  const number = exact(from);
  return {
    test: (row) => {
      const cell = cells[row] ?? Number.NaN;
      return !isMissing(cell) && compare(cell, number);
    },
  };
};

/** `:` a part of the value, `=` the whole of it, several by commas; small and great letters are the same. */
const wordTest = (column: WordColumn, op: string, raw: string, prompts: PromptColumns): Read => {
  const [name = ''] = column.names;
  if (!/^(=|:|!=|≠)$/u.test(op)) return { problem: text('wordsOnly', { name, op }) };
  const quoted = /^["']/u.test(raw);
  const wanted = (quoted ? [bare(raw)] : raw.split(',')).map((part) => part.trim().toLowerCase());
  if (wanted.some((part) => part === '')) return { problem: text('noValue', { name }) };
  if (column.key === 'status') {
    const unknown = wanted.find((part) => !STATUSES.some((status) => status === part));
    if (unknown !== undefined)
      return { problem: text('unknownStatus', { value: unknown, known: STATUSES.join(', ') }) };
  }
  const partly = op === ':' && column.key !== 'status';
  const isNot = op === '!=' || op === '≠';
  const has = (row: number): boolean => {
    const own = column.of(prompts, row);
    return wanted.some((part) =>
      part === 'none' && !quoted && own.length === 0
        ? true
        : own.some((word) => (partly ? word.toLowerCase().includes(part) : word.toLowerCase() === part)),
    );
  };
  return { test: (row) => has(row) !== isNot };
};

const condition = (match: RegExpExecArray, prompts: PromptColumns): Read => {
  const name = (match[2] ?? '').toLowerCase();
  const [op = '', value = ''] = [match[3], match[4]];
  const words = WORDS.get(name);
  if (words) return wordTest(words, op, value, prompts);
  const column =
    NUMBERS.get(name) ?? NUMBERS.get(name.replaceAll(' ', '-')) ?? NUMBERS.get(name.replaceAll('-', ' '));
  return column
    ? numberTest(column, op, bare(value), prompts)
    : { problem: text('unknownColumn', { name, known: knownColumns() }) };
};

export const knownColumns = (): string =>
  [...WORD_COLUMNS, ...NUMBER_COLUMNS].map(({ names }) => names[0]).join(', ');

/**
 * Reads a filter: conditions beside each other, all of which must hold, `and` between them or not:
 * `n > 16 rate < .2 status:no-gradient domain:algebra -hard`. A word without an operator is a part of the id; `-`, `!`
 * or `not` before a condition turns it round; `8..16` is from 8 to 16, `none` is no value. The test takes the place of
 * a prompt in the view's columns.
 */
export const readFilter = (filter: string, prompts: PromptColumns): Filter => {
  const tests: Test[] = [];
  let rest = filter.trim();
  while (rest !== '') {
    const and = /^(?:and\s+|,\s*)/iu.exec(rest);
    if (and && tests.length > 0) {
      rest = rest.slice(and[0].length).trim();
      continue;
    }
    const known = CONDITION.exec(rest);
    const foreign = known ? null : FOREIGN.exec(rest);
    if (foreign) {
      const name = (foreign[2] ?? '').trim();
      return {
        test: null,
        problem:
          name === ''
            ? text('unreadable', { part: rest })
            : text('unknownColumn', { name, known: knownColumns() }),
      };
    }
    const match = known ?? WORD.exec(rest);
    if (!match) return { test: null, problem: text('unreadable', { part: rest }) };
    const read: Read = known ? condition(known, prompts) : { test: partOfId(match[2] ?? '', prompts) };
    if ('problem' in read) return { test: null, problem: read.problem };
    const { test } = read;
    tests.push(match[1] === undefined ? test : (row) => !test(row));
    rest = rest.slice(match[0].length).trim();
  }
  return { test: (row) => tests.every((each) => each(row)), problem: null };
};

const partOfId = (raw: string, prompts: PromptColumns): Test => {
  const needle = bare(raw).toLowerCase();
  return (row) => (prompts.id[row] ?? '').toLowerCase().includes(needle);
};
