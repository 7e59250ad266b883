import type { BudgetsView } from '../../protocol/panels/budgets';
import { text } from './texts';

type Prompts = BudgetsView['prompts'];
type Test = (row: number) => boolean;

export type Filter =
  { readonly test: Test; readonly problem: null } | { readonly test: null; readonly problem: string };

/** Names of columns as people write them. */
const NUMBERS: Readonly<Record<string, (prompts: Prompts) => Int32Array | Float32Array>> = {
  n: (prompts) => prompts.launched,
  rollouts: (prompts) => prompts.launched,
  launched: (prompts) => prompts.launched,
  planned: (prompts) => prompts.planned,
  running: (prompts) => prompts.running,
  finished: (prompts) => prompts.finished,
  discarded: (prompts) => prompts.discarded,
  killed: (prompts) => prompts.killed,
  'carried over': (prompts) => prompts.carriedOver,
  tokens: (prompts) => prompts.tokens,
  rate: (prompts) => prompts.rate,
  'pass rate': (prompts) => prompts.rate,
};
const WORDS: Readonly<Record<string, (prompts: Prompts) => readonly (string | null)[]>> = {
  difficulty: (prompts) => prompts.difficulty,
  domain: (prompts) => prompts.domain,
  pin: (prompts) => prompts.pin,
};

const compare = (op: string, left: number, right: number): boolean => {
  switch (op) {
    case '>':
      return left > right;
    case '<':
      return left < right;
    case '>=':
    case '≥':
      return left >= right;
    case '<=':
    case '≤':
      return left <= right;
    default:
      return left === right;
  }
};

const CONDITION = /^([a-z ]+?)\s*(>=|<=|≥|≤|>|<|=)\s*(.*)$/i;

const condition = (part: string, prompts: Prompts): Test | null => {
  const match = CONDITION.exec(part);
  if (!match) {
    if (/[<>=≥≤]/.test(part)) return null;
    const needle = part.toLowerCase();
    return (row) => (prompts.id[row] ?? '').toLowerCase().includes(needle);
  }
  const name = (match[1] ?? '').trim().toLowerCase();
  const op = match[2] ?? '';
  const value = (match[3] ?? '').trim();
  const words = Object.hasOwn(WORDS, name) ? WORDS[name]?.(prompts) : undefined;
  if (words && op === '=' && value !== '') {
    return (row) => (words[row] ?? '').toLowerCase() === value.toLowerCase();
  }
  const column = Object.hasOwn(NUMBERS, name) ? NUMBERS[name]?.(prompts) : undefined;
  const typed = Number(value.replace(/^\./, '0.'));
  // Rates are kept in single precision: there .2 is not the double .2.
  const number = column instanceof Float32Array ? Math.fround(typed) : typed;
  if (!column || value === '' || Number.isNaN(number)) return null;
  return (row) => {
    const cell = column[row] ?? Number.NaN;
    // −1 stands for "not in this step", NaN for "none": neither fulfils a condition.
    return !Number.isNaN(cell) && cell >= 0 && compare(op, cell, number);
  };
};

/**
 * Reads a filter: a part of the id, `n > 16`, `pass rate < .2`, `difficulty = hard`, joined by `and`. The test
 * takes the place of a prompt in the view's columns.
 */
export const readFilter = (filter: string, prompts: Prompts): Filter => {
  const tests: Test[] = [];
  for (const raw of filter.split(/\s+and\s+/i)) {
    const part = raw.trim();
    if (part === '') continue;
    const test = condition(part, prompts);
    if (!test) return { test: null, problem: text('unreadable', { part }) };
    tests.push(test);
  }
  return { test: (row) => tests.every((each) => each(row)), problem: null };
};
