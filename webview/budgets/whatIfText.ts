import { publishedDefaults } from '../../methods/parameters';
import type { WhatIfEstimate, WhatIfMethod, WhatIfRow, WhatIfView } from '../../protocol/panels/whatIf';
import { count, decimal, large, largeParts, plainValue, rate, share } from '../shared/format';
import { methodName } from './methodInfo';
import { methodOf } from './whatIfState';
import { wi } from './whatIfTexts';

/** `Uniform (GRPO), groupSize 4`: a method and what differs from its published values. */
export const choiceName = ({ method, parameters }: WhatIfMethod): string => {
  const published = publishedDefaults(methodOf(method)?.parameters ?? []);
  const own = Object.entries(parameters).filter(([name, value]) => value !== published[name]);
  return [methodName(method), ...own.map(([name, value]) => `${name} ${plainValue(value)}`)].join(', ');
};

/** Counts of rollouts and groups: whole where they are, else one decimal. */
export const meanCount = (value: number): string =>
  Number.isInteger(value) || Math.abs(value) >= 999.5 ? count(value) : decimal(value, 1).replace(/^\./, '0.');

/** Both ends of an interval, whole; null: all draws are the same. */
export const ends = ({ low, high }: WhatIfEstimate, write: (value: number) => string): string | null => {
  if (low === high) return null;
  if (write !== large) return wi('range', { low: count(low), high: count(high) });
  const [from, to] = [largeParts(low), largeParts(high)];
  // In the unit of the mean above it.
  return from.unit === to.unit
    ? wi('range', { low: from.value, high: to.value })
    : wi('range', { low: large(low), high: large(high) });
};

export const figures = {
  rollouts: meanCount,
  gradientGroups: meanCount,
  successes: meanCount,
  tokens: large,
} as const;

/** Signed, with a true minus: a whole difference whole, else one decimal. */
export const signedCount = (value: number): string => {
  const size = Math.abs(value);
  const text = Number.isInteger(value) || size >= 99.95 ? count(size) : decimal(size, 1).replace(/^\./, '0.');
  if (Number(text.replaceAll(',', '')) === 0) return '0';
  return value > 0 ? `+${text}` : `\u2212${text}`;
};

/** What must be known to read the numbers: where they come from, what was simulated, what nobody can know. */
export const notesOf = (view: WhatIfView, row: WhatIfRow | null): string[] => {
  const notes: string[] = [];
  const { rates, draws, seed } = view;
  if (row?.state === 'done') {
    const { simulated, leftOut } = row.outcome;
    notes.push(simulated > 0 ? wi('simulated', { share: share(simulated) }) : wi('notSimulated'));
    if (leftOut > 0) notes.push(wi('leftOut', { n: count(leftOut) }));
    const method = methodOf(row.method);
    if (method?.family === 'skip') notes.push(wi('choosing'));
    for (const caveat of method?.caveats ?? []) notes.push(caveat);
  }
  if (view.steps.length > 1) notes.push(wi('replay'));
  notes.push(wi('draws', { draws: count(draws), seed }));
  if (view.threshold !== null) notes.push(wi('graded', { threshold: rate(view.threshold) }));
  if (view.open > 0) notes.push(wi('open'));
  notes.push(
    wi('rates', {
      decision: count(rates.decision),
      statistics: count(rates.statistics),
      none: count(rates.none),
    }),
  );
  notes.push(
    `${view.withoutLength > 0 ? wi('tokensOthers', { n: count(view.withoutLength) }) : wi('tokensFrom')}.`,
  );
  if (view.unordered > 0) notes.push(wi('unordered', { n: count(view.unordered) }));
  return notes;
};

/** Up to three prompts that gain most, or lose most, against the run. */
export const extremes = (
  view: WhatIfView,
  row: WhatIfRow,
  sign: 1 | -1,
): { prompt: string; by: number }[] => {
  if (row.state !== 'done') return [];
  const { counts } = row.outcome;
  const best: { prompt: string; by: number }[] = [];
  counts.forEach((n, i) => {
    const by = n - (view.asRunCounts[i] ?? 0);
    if (sign * by < 0.05) return;
    const last = best[2];
    if (last && sign * by <= sign * last.by) return;
    best.push({ prompt: view.prompts[i] ?? '', by });
    best.sort((a, b) => sign * (b.by - a.by));
    best.length = Math.min(3, best.length);
  });
  return best;
};
