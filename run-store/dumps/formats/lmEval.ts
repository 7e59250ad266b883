import { fileName } from '../byteSource';
import { excerptOf, factsOf, firstOf, idOf, isFields, own, scoreOf, textOf, type Fields } from '../fields';
import type { Measured, NamedPrompt, RowFormat } from '../measured';

/** Fields of a sample that are no metrics. */
const BOOKKEEPING = new Set([
  'doc_id',
  'doc',
  'target',
  'arguments',
  'resps',
  'filtered_resps',
  'filter',
  'metrics',
  'doc_hash',
  'prompt_hash',
  'target_hash',
  'schema_version',
]);
const TEXTS = ['question', 'problem', 'prompt', 'input', 'query', 'text', 'ctx'] as const;

/** samples_TASK_2026-01-31T12-00-00.123.jsonl → TASK. */
function taskOf(path: string): string {
  const name = fileName(path).replace(/\.[a-z]+$/i, '');
  return /^samples_(.+?)(?:_\d{4}-\d\d-\d\dT[\d.\-:+]+)?$/.exec(name)?.[1] ?? name;
}

/** Answers that were sampled for one document: [[a, b, …]] holds several of one request. */
function repeatsOf(fields: Fields): number {
  const resps = own(fields, 'resps');
  const requests: readonly unknown[] = Array.isArray(resps) ? resps : [];
  const [only] = requests;
  return requests.length === 1 && Array.isArray(only) ? only.length : 1;
}

function scoresOf(fields: Fields): Record<string, number> {
  const listed = own(fields, 'metrics');
  const names: readonly unknown[] = Array.isArray(listed) ? listed : Object.keys(fields);
  const scores: Record<string, number> = {};
  for (const name of names) {
    if (typeof name !== 'string' || BOOKKEEPING.has(name)) continue;
    const score = scoreOf(own(fields, name));
    if (score !== undefined && own(fields, name) !== undefined) scores[name] = score;
  }
  return scores;
}

function result(fields: Fields): Pick<Measured, 'result' | 'note'> | string {
  const all = scoresOf(fields);
  // pass@k of several k for one document are estimates already: only pass@1 gives the counts back.
  const scores = Object.fromEntries(Object.entries(all).filter(([name]) => !/^pass@(?!1$)/.test(name)));
  const names = Object.keys(scores);
  if (names.length === 0) {
    const found = Object.keys(all).join(', ');
    return found === '' ? 'no metric' : `only ${found}, from which n and c do not follow`;
  }
  const n = repeatsOf(fields);
  if (n === 1) return { result: { scores } };
  const passRate = scores['pass@1'];
  if (passRate === undefined) {
    return { result: { scores }, note: `${n} answers a document but one score: counted as one sample` };
  }
  const c = Math.round(passRate * n);
  if (!(Math.abs(passRate * n - c) < 1e-6 * n) || c > n) return `pass@1 of ${passRate} is no share of ${n}`;
  return { result: { n, c } };
}

/** Task and document, with the beginning of its question. */
function promptOf(fields: Fields, task: string): NamedPrompt | null {
  const id = textOf(own(fields, 'doc_id'));
  if (id === null) return null;
  const doc = own(fields, 'doc');
  const inner = isFields(doc) ? doc : {};
  return {
    id: idOf(`${task}/${id}`),
    excerpt: excerptOf(firstOf(inner, TEXTS)?.value),
    ...factsOf(inner),
  };
}

/** lm-evaluation-harness, --log_samples: one document and filter a line. */
export function readLmEvalSample(fields: Fields, task: string): readonly Measured[] | string {
  const prompt = promptOf(fields, task);
  if (prompt === null) return 'no doc_id';
  const found = result(fields);
  if (typeof found === 'string') return found;
  const filter = textOf(own(fields, 'filter'));
  const set = filter === null || filter === 'none' ? task : `${task} (${filter})`;
  return [{ use: 'evaluation', set, step: null, prompt, ...found }];
}

export const lmEvalSamples: RowFormat = {
  name: 'lm-evaluation-harness samples',
  success: ['exact_match', 'pass@1', 'acc', 'em', 'acc_norm'],
  reward: null,
  matches: (fields) =>
    Object.hasOwn(fields, 'doc_id') &&
    (Object.hasOwn(fields, 'resps') || Object.hasOwn(fields, 'filtered_resps')),
  read: (fields, path) => readLmEvalSample(fields, taskOf(path)),
};
