import { fileName } from '../byteSource';
import {
  countOf,
  excerptOf,
  factsOf,
  firstOf,
  idOf,
  own,
  promptText,
  scoreOf,
  textId,
  textOf,
  type Fields,
} from '../fields';
import type { Measured, NamedPrompt, RowFormat } from '../measured';

/** Names under which people write it, the most telling first. */
const IDS = ['prompt_id', 'task_id', 'problem_id', 'question_id', 'doc_id', 'uid'] as const;
const TEXTS = ['prompt', 'question', 'problem', 'input', 'query'] as const;
const LATE_IDS = ['id', 'name', 'index', 'key'] as const;
const SAMPLES = [
  'n',
  'num_samples',
  'n_samples',
  'samples',
  'total',
  'attempts',
  'trials',
  'num_rollouts',
] as const;
const CORRECT = [
  'c',
  'num_correct',
  'n_correct',
  'correct_count',
  'correct',
  'successes',
  'num_passed',
  'passed',
  'solved',
] as const;
const SUCCESS = [
  'correct',
  'is_correct',
  'passed',
  'pass',
  'success',
  'solved',
  'exact_match',
  'acc',
  'accuracy',
  'score',
  'reward',
] as const;
const LISTS = [...SUCCESS, 'results', 'outcomes', 'scores', 'rewards', 'corrects'] as const;
/** More than this is no count of samples; the fit of the population takes time in proportion to n. */
const MOST_SAMPLES = 100_000;
const SETS = ['set', 'dataset', 'benchmark', 'task', 'eval_name', 'data_source'] as const;
const STEPS = ['step', 'global_step', 'checkpoint', 'iteration', 'policy_version'] as const;

function promptOf(fields: Fields): NamedPrompt | null {
  const id = firstOf(fields, IDS);
  const text = firstOf(fields, TEXTS);
  const facts = { excerpt: text === null ? null : excerptOf(text.value), ...factsOf(fields) };
  const named = id === null ? null : textOf(id.value);
  if (named !== null) return { id: idOf(named), ...facts };
  const whole = text === null ? null : (promptText(text.value) ?? textOf(text.value));
  // A short text is as good as an id, and what a person will look for.
  if (whole !== null)
    return { id: whole.length <= 64 && !whole.includes('\n') ? whole : textId(whole), ...facts };
  const late = firstOf(fields, LATE_IDS);
  const last = late === null ? null : textOf(late.value);
  return last === null ? null : { id: idOf(last), ...facts };
}

function counts(fields: Fields): { n: number; c: number } | null {
  const n = countOf(firstOf(fields, SAMPLES)?.value);
  const c = countOf(firstOf(fields, CORRECT)?.value);
  return n === undefined || c === undefined ? null : { n, c };
}

const hasAny = (fields: Fields, names: readonly string[]): boolean =>
  names.some((name) => Object.hasOwn(fields, name));

const hasPrompt = (fields: Fields): boolean => hasAny(fields, [...IDS, ...TEXTS, ...LATE_IDS]);

function common(fields: Fields, path: string): Pick<Measured, 'use' | 'set' | 'step'> {
  const set = textOf(firstOf(fields, SETS)?.value) ?? fileName(path).replace(/\.[a-z]+$/i, '');
  return { use: 'evaluation', set: set.slice(0, 200), step: countOf(firstOf(fields, STEPS)?.value) ?? null };
}

/** A row a prompt: n samples, c of them correct. */
export const countsTable: RowFormat = {
  name: 'table of prompt, n and c',
  success: [],
  reward: null,
  matches: (fields) => hasPrompt(fields) && hasAny(fields, SAMPLES) && hasAny(fields, CORRECT),
  read: (fields, path) => {
    const prompt = promptOf(fields);
    if (prompt === null) return 'no prompt';
    const found = counts(fields);
    if (found === null) return 'n or c is not a whole number';
    if (found.n > MOST_SAMPLES) return `n = ${found.n} exceeds ${MOST_SAMPLES}, the most samples of a prompt`;
    if (found.c > found.n) return `c = ${found.c} exceeds n = ${found.n}`;
    return [{ ...common(fields, path), prompt, result: found }];
  },
};

const listOf = (fields: Fields): readonly unknown[] | null => {
  for (const name of LISTS) {
    const value = own(fields, name);
    if (Array.isArray(value)) return value as readonly unknown[];
  }
  return null;
};

/** A row a prompt with the results of its samples as a list. */
export const listTable: RowFormat = {
  name: 'table of prompts with lists of results',
  success: ['result'],
  reward: null,
  matches: (fields) => hasPrompt(fields) && listOf(fields) !== null,
  read: (fields, path) => {
    const prompt = promptOf(fields);
    if (prompt === null) return 'no prompt';
    const list = listOf(fields);
    if (list === null) return 'no list of results';
    const where = common(fields, path);
    const measured: Measured[] = [];
    for (const value of list) {
      const score = scoreOf(value);
      if (score === undefined) return 'the list holds something that is no result';
      measured.push({ ...where, prompt, result: { scores: { result: score } } });
    }
    return measured.length === 0 ? 'an empty list' : measured;
  },
};

/** A row a sample. */
export const samplesTable: RowFormat = {
  name: 'table of samples',
  success: SUCCESS,
  reward: null,
  matches: (fields) => hasPrompt(fields) && hasAny(fields, SUCCESS),
  read: (fields, path) => {
    const prompt = promptOf(fields);
    if (prompt === null) return 'no prompt';
    const scores: Record<string, number> = {};
    for (const name of SUCCESS) {
      if (!Object.hasOwn(fields, name)) continue;
      const score = scoreOf(fields[name]);
      if (score !== undefined) scores[name] = score;
    }
    if (Object.keys(scores).length === 0) return 'no result';
    return [{ ...common(fields, path), prompt, result: { scores } }];
  },
};
