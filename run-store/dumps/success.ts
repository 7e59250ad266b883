import { countRewards } from '../../methods/estimators/conditions';
import type { MeasuredSet } from './measurements';

/** What a person says of success where the files do not. */
export interface SuccessChoice {
  /** Name of the score that tells it. */
  readonly score?: string;
  /** Scores at or above it are successes. */
  readonly threshold?: number;
}

/** How success is told in a set: a score and a threshold; null: the file gives counts. */
export interface SuccessRule {
  readonly score: string;
  readonly threshold: number;
}

/** What a person must say before n and c can be counted. */
export interface SuccessQuestion {
  readonly set: string;
  readonly asks: 'score' | 'threshold';
  /** Scores to choose from, with the range of their values; one of them where only the threshold is asked. */
  readonly scores: readonly { readonly name: string; readonly least: number; readonly greatest: number }[];
}

interface Range {
  readonly name: string;
  readonly least: number;
  readonly greatest: number;
  readonly values: ReadonlySet<number>;
}

function rangeOf(sets: readonly MeasuredSet[], name: string): Range {
  let least = Infinity;
  let greatest = -Infinity;
  const values = new Set<number>();
  for (const set of sets) {
    for (const score of set.scores.get(name) ?? []) {
      if (Number.isNaN(score)) continue;
      least = Math.min(least, score);
      greatest = Math.max(greatest, score);
      if (values.size < 3) values.add(score);
    }
  }
  return { name, least, greatest, values };
}

/** Two values that say right and wrong without doubt: 0 and 1, or −1 and 1. */
const isClear = ({ values }: Range): boolean =>
  values.size <= 2 && [...values].every((value) => value === 0 || value === 1 || value === -1);

const question = (set: string, asks: SuccessQuestion['asks'], ranges: readonly Range[]): SuccessQuestion => ({
  set,
  asks,
  scores: ranges.map(({ name, least, greatest }) => ({ name, least, greatest })),
});

/**
 * How success is told in one set of problems, over all its steps alike: by the choice of a person, else by the score
 * that the format names for it, else by the only one; above 0 where its values are 0 and 1, or −1 and 1. Everything
 * else is a question, never a guess. null: counts only.
 */
function successRule(
  name: string,
  sets: readonly MeasuredSet[],
  choice: SuccessChoice,
): SuccessRule | SuccessQuestion | null {
  if (sets.every(({ prompts }) => prompts.length === 0)) return null;
  const names = new Set(sets.flatMap(({ scores }) => [...scores.keys()]));
  const ranges = [...names].map((score) => rangeOf(sets, score));
  // A score that no sample has tells nothing.
  const usable = ranges.filter(({ values }) => values.size > 0);
  const told = [choice.score, ...sets.flatMap(({ success }) => success)];
  const chosen =
    told.map((score) => usable.find((one) => one.name === score)).find((one) => one !== undefined) ??
    (usable.length === 1 ? usable[0] : undefined);
  if (chosen === undefined) {
    const [first] = ranges;
    // Not one sample was graded: by any score n = 0.
    return usable.length === 0 && first
      ? { score: first.name, threshold: 0.5 }
      : question(name, 'score', usable);
  }
  if (choice.threshold !== undefined) return { score: chosen.name, threshold: choice.threshold };
  return isClear(chosen) ? { score: chosen.name, threshold: 0.5 } : question(name, 'threshold', [chosen]);
}

/** A measured set and how success is told in it; null: the file gives counts. */
export interface JudgedSet {
  readonly set: MeasuredSet;
  readonly rule: SuccessRule | null;
}

/** How success is told in each set, or the first question that must be answered before anything is counted. */
export function judgeSets(
  sets: readonly MeasuredSet[],
  choice: SuccessChoice,
): { readonly judged: JudgedSet[] } | { readonly question: SuccessQuestion } {
  const byName = new Map<string, MeasuredSet[]>();
  for (const set of sets) {
    const key = `${set.use} ${set.name}`;
    byName.set(key, [...(byName.get(key) ?? []), set]);
  }
  const judged: JudgedSet[] = [];
  for (const group of byName.values()) {
    const rule = successRule(group[0]!.name, group, choice);
    if (rule !== null && 'asks' in rule) return { question: rule };
    judged.push(...group.map((set) => ({ set, rule })));
  }
  return { judged };
}

/** n and c of every prompt of the set, by index; samples that were not graded are in neither. */
export function countSet(
  set: MeasuredSet,
  rule: SuccessRule | null,
): { readonly counts: ReadonlyMap<number, { n: number; c: number }>; readonly ungraded: number } {
  const counts = new Map([...set.counts].map(([prompt, { n, c }]) => [prompt, { n, c }]));
  if (rule === null) return { counts, ungraded: 0 };
  const scores = new Map<number, number[]>();
  set.prompts.forEach((prompt, sample) => {
    const list = scores.get(prompt);
    const score = set.score(rule.score, sample);
    if (list) list.push(score);
    else scores.set(prompt, [score]);
  });
  let ungraded = 0;
  for (const [prompt, list] of scores) {
    const { samples, correct, missing } = countRewards(list, rule.threshold);
    const known = counts.get(prompt) ?? { n: 0, c: 0 };
    counts.set(prompt, { n: known.n + samples, c: known.c + correct });
    ungraded += missing;
  }
  return { counts, ungraded };
}
