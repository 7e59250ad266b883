import { fieldOf } from '../../journal/json';
import { excerptOf, factsOf, idOf, isFields, own, scoreOf, textOf, type Fields } from '../fields';
import type { Measured } from '../measured';

/** What an Inspect log says of itself before its samples. */
export interface InspectHeader {
  readonly task: string;
  readonly model: string | null;
  readonly status: string | null;
}

/** null: this is not the header of a log. */
export function inspectHeader(value: unknown): InspectHeader | null {
  const spec = fieldOf(value, 'eval');
  const task = textOf(fieldOf(spec, 'task'));
  if (task === null) return null;
  return {
    task: task.slice(0, 120),
    model: textOf(fieldOf(spec, 'model')),
    status: textOf(fieldOf(value, 'status')),
  };
}

/** Letters of Inspect's scorers: correct, incorrect, partially correct, no answer. */
const LETTERS: Readonly<Record<string, number>> = { C: 1, I: 0, P: 0.5, N: 0 };

/** Score values by name: one value, or one a key where a scorer gives several. undefined: none is a number. */
function valuesOf(scorer: string, score: unknown): [string, number][] | undefined {
  const value = fieldOf(score, 'value');
  const number = (one: unknown): number | undefined =>
    typeof one === 'string' && Object.hasOwn(LETTERS, one) ? LETTERS[one] : scoreOf(one);
  if (!isFields(value)) {
    const only = number(value);
    return only === undefined ? undefined : [[scorer, only]];
  }
  const found = Object.entries(value).flatMap(([name, one]): [string, number][] => {
    const each = number(one);
    return each === undefined ? [] : [[`${scorer} ${name}`, each]];
  });
  return found.length === 0 ? undefined : found;
}

/**
 * One sample of a log (its full record, or its summary): a result a scorer. A sample that failed has no scores and
 * counts as not graded, under every scorer that other samples have.
 */
export function readInspectSample(
  sample: unknown,
  { task }: InspectHeader,
  scorers: readonly string[],
): readonly Measured[] | string {
  if (!isFields(sample)) return 'not a sample';
  const id = textOf(own(sample, 'id'));
  if (id === null) return 'no id';
  const metadata = own(sample, 'metadata');
  const prompt = {
    id: idOf(`${task}/${id}`),
    excerpt: excerptOf(own(sample, 'input')),
    ...factsOf(isFields(metadata) ? metadata : {}),
  };
  const scores = own(sample, 'scores');
  const values: [string, number][] = [];
  if (isFields(scores)) {
    for (const [scorer, score] of Object.entries(scores)) {
      const found = valuesOf(scorer, score);
      if (found === undefined) return `the score of ${scorer} is no number`;
      values.push(...found);
    }
  }
  if (values.length === 0) values.push(...scorers.map((name): [string, number] => [name, Number.NaN]));
  if (values.length === 0) return 'no score';
  return values.map(([name, value]) => ({
    use: 'evaluation',
    set: scorers.length > 1 ? `${task} (${name})` : task,
    step: null,
    prompt,
    result: { scores: { [name]: value } },
  }));
}

const scoresFields = (scores: unknown): Fields => (isFields(scores) ? scores : {});

/** Names of all scores in a list of samples, so that failed samples can be counted under each. */
export function scoreNames(samples: readonly unknown[]): string[] {
  const names = new Set<string>();
  for (const sample of samples) {
    for (const [scorer, score] of Object.entries(scoresFields(fieldOf(sample, 'scores')))) {
      for (const [name] of valuesOf(scorer, score) ?? []) names.add(name);
    }
  }
  return [...names];
}
