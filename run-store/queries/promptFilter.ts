/** A row that a filter is asked about. */
export interface FilterRow {
  readonly prompt: string;
  /** Results before the step. */
  readonly n: number;
  readonly c: number;
  readonly planned: number;
  readonly launched: number;
  readonly running: number;
  readonly finished: number;
  readonly stepN: number;
  readonly stepC: number;
  /** Standard deviation of the rewards in the step. */
  readonly spread: number;
  readonly tokens: number;
  readonly difficulty: string | null;
  readonly domain: string | null;
  readonly outcome: string;
}

type Test = (row: FilterRow) => boolean;

const NUMBERS: Readonly<Record<string, (row: FilterRow) => number>> = {
  n: (row) => row.n,
  c: (row) => row.c,
  rate: (row) => row.c / row.n,
  planned: (row) => row.planned,
  launched: (row) => row.launched,
  running: (row) => row.running,
  finished: (row) => row.finished,
  'step n': (row) => row.stepN,
  'step c': (row) => row.stepC,
  'step rate': (row) => row.stepC / row.stepN,
  spread: (row) => row.spread,
  tokens: (row) => row.tokens,
};
const TEXTS: Readonly<Record<string, (row: FilterRow) => string>> = {
  difficulty: (row) => row.difficulty ?? '',
  domain: (row) => row.domain ?? '',
  outcome: (row) => row.outcome,
};
const ALIASES: Readonly<Record<string, string>> = { 'pass rate': 'rate', rollouts: 'launched' };

/** NaN (no results) meets no condition. */
const OPERATORS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '≥': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '≤': (a, b) => a <= b,
  '=': (a, b) => a === b,
  '==': (a, b) => a === b,
};

export type PromptFilter =
  { readonly test: Test; readonly problem: null } | { readonly test: null; readonly problem: string };

const CONDITION = /^([a-z][a-z ]*?)\s*(>=|<=|==|[><=≥≤])\s*(.*)$/iu;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*(%?)$/iu;

/**
 * Reads `n > 16 and rate < .2`. Parts joined by `and` must all hold; a part without an operator is text that the
 * prompt's id must contain, in any case of letters. Names: n, c, rate (before the step), step n, step c, step rate,
 * planned, launched, running, finished, spread, tokens; difficulty, domain, outcome with `=`.
 */
export function readPromptFilter(text: string): PromptFilter {
  const tests: Test[] = [];
  for (const part of text.split(/\band\b/iu)) {
    const trimmed = part.trim();
    if (trimmed === '') {
      if (text.trim() === '') continue;
      return { test: null, problem: `“and” stands without a condition on both sides of it.` };
    }
    const condition = CONDITION.exec(trimmed);
    if (!condition) {
      if (/[<>=≥≤]/u.test(trimmed)) {
        return {
          test: null,
          problem: `“${trimmed}” is not a condition. Write a name, an operator and a value: n > 16.`,
        };
      }
      const wanted = trimmed.toLowerCase();
      tests.push(({ prompt }) => prompt.toLowerCase().includes(wanted));
      continue;
    }
    const read = readCondition(condition[1]!, condition[2]!, condition[3]!.trim());
    if (typeof read === 'string') return { test: null, problem: read };
    tests.push(read);
  }
  return { test: (row) => tests.every((test) => test(row)), problem: null };
}

function readCondition(rawName: string, operator: string, value: string): Test | string {
  const lower = rawName.trim().toLowerCase().replace(/\s+/gu, ' ');
  const name = ALIASES[lower] ?? lower;
  if (Object.hasOwn(TEXTS, name)) {
    const field = TEXTS[name]!;
    if (operator !== '=' && operator !== '==') return `${name} is compared with =, as in ${name} = hard.`;
    const wanted = value.replace(/^["'](.*)["']$/u, '$1').toLowerCase();
    return (row) => field(row).toLowerCase() === wanted;
  }
  if (!Object.hasOwn(NUMBERS, name)) {
    const known = [...Object.keys(NUMBERS), ...Object.keys(TEXTS)].join(', ');
    return `“${lower}” is not a name. Known are ${known}.`;
  }
  const number = NUMBER.exec(value);
  if (!number) return `“${value}” is not a number. Write ${name} ${operator} .5.`;
  const bound = number[4] === '%' ? Number.parseFloat(value) / 100 : Number.parseFloat(value);
  const compare = OPERATORS[operator]!;
  const field = NUMBERS[name]!;
  return (row) => compare(field(row), bound);
}
