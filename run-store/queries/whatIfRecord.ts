import type { PassRate, PastGroup } from '../../methods/allocation/inputs';
import { Decision } from '../../protocol/wire/values';
import { check } from '../../protocol/wire/rpc';
import type { Incarnation } from '../incarnation';
import { DISCARDED, CATEGORY_COUNT, FINISHED, KILLED } from '../ledger/categories';
import { Results } from '../ledger/results';
import type { RunStore } from '../runStore';
import type { Step } from '../step';
import { CHUNK_MASK, NONE } from '../tables/chunks';
import { decisionOf } from './find';
import { rolloutsOf } from './groupFacts';

/** Earlier groups of a prompt that are handed to a method, the newest ones. */
const MOST_GROUPS = 32;

/** Outcomes (1 success, 0 none) and own tokens of ended rollouts, in launch order. */
export interface Outcomes {
  readonly successes: readonly number[];
  readonly tokens: readonly number[];
  /** False: the rollouts are no longer in memory; the counts are right, the order is none. */
  readonly inOrder: boolean;
}

/** What is known of the rollouts of a group that were drawn by the policy. */
export function outcomesOf(incarnation: Incarnation, group: number): Outcomes {
  const { groups, rollouts } = incarnation;
  const results = new Results(incarnation);
  const successes: number[] = [];
  const tokens: number[] = [];
  for (const row of rolloutsOf(incarnation, group)) {
    const chunk = rollouts.chunk(row);
    const i = row & CHUNK_MASK;
    if (!chunk || !results.isSample(chunk, i)) continue;
    successes.push(results.successOf(chunk, i));
    tokens.push(chunk.length.get(i));
  }
  const n = groups.n[group]!;
  if (successes.length >= n) return { successes, tokens, inOrder: true };
  const c = groups.c[group]!;
  return {
    successes: spread(n, c),
    tokens: new Array<number>(n).fill(Math.round(meanTokens(incarnation, group) ?? 0)),
    inOrder: false,
  };
}

/** `c` ones among `n`, as evenly as it goes. */
const spread = (n: number, c: number): number[] =>
  Array.from({ length: n }, (_, i) => Math.floor(((i + 1) * c) / n) - Math.floor((i * c) / n));

/** Mean own tokens of a group's ended rollouts; null: none has ended. */
export function meanTokens(incarnation: Incarnation, group: number): number | null {
  const ended = endedIn(incarnation, group);
  return ended > 0 ? incarnation.groups.tokens[group]! / ended : null;
}

function endedIn({ groups: { counts } }: Incarnation, group: number): number {
  const at = group * CATEGORY_COUNT;
  return counts[at + FINISHED]! + counts[at + DISCARDED]! + counts[at + KILLED]!;
}

/** Whether a reward of the group is neither 0 nor 1. */
export function isGraded({ groups }: Incarnation, group: number): boolean {
  const { least, greatest, sumReward, sumReward2 } = groups;
  const whole = (value: number): boolean => Number.isNaN(value) || value === 0 || value === 1;
  // Between 0 and 1, Σ r = Σ r² only if every r is 0 or 1.
  return !(
    whole(least[group]!) &&
    whole(greatest[group]!) &&
    Math.abs(sumReward[group]! - sumReward2[group]!) < 1e-9
  );
}

/** What was recorded of a prompt before a step. */
export interface PromptHistory {
  /** Groups with a known result, oldest first. */
  readonly groups: readonly PastGroup[];
  /** Ended rollouts and their tokens. */
  readonly ended: number;
  readonly tokens: number;
}
export const NEVER_SAMPLED: PromptHistory = { groups: [], ended: 0, tokens: 0 };

/** Histories of the prompts in `wanted` (1) from steps before `step`, by the prompt's row. */
export function historiesBefore(
  store: RunStore,
  step: number,
  wanted: Uint8Array,
): ReadonlyMap<number, PromptHistory> {
  const found = new Map<number, { groups: PastGroup[]; ended: number; tokens: number }>();
  for (const { incarnation, step: earlier } of store.steps()) {
    if (earlier.number >= step) continue;
    const { groups } = incarnation;
    for (let g = earlier.firstGroup; g !== NONE; g = groups.nextInStep[g]!) {
      const prompt = groups.prompt[g]!;
      const rollouts = groups.n[g]!;
      if (wanted[prompt] !== 1 || rollouts === 0) continue;
      const history = found.get(prompt) ?? { groups: [], ended: 0, tokens: 0 };
      found.set(prompt, history);
      history.ended += endedIn(incarnation, g);
      history.tokens += groups.tokens[g]!;
      history.groups.push({
        step: earlier.number,
        rollouts,
        successes: groups.c[g]!,
        meanReward: groups.sumReward[g]! / rollouts,
      });
      if (history.groups.length > MOST_GROUPS) history.groups.shift();
    }
  }
  return found;
}

/** Inputs of a decision as they were recorded, by prompt. */
export interface RecordedInputs {
  readonly method: string;
  readonly parameters: Decision['parameters'];
  /** Undefined: the decision speaks of no pass rates; null: it says that this prompt had none. */
  passRate(prompt: string): PassRate | null | undefined;
  readonly failureRate: number | null;
}

/** Reads each decision of an incarnation once. */
export class RecordedDecisions {
  private readonly read = new Map<number, RecordedInputs | null>();

  constructor(private readonly incarnation: Incarnation) {}

  /** @param handle of a decision; −1: none. */
  of(handle: number): RecordedInputs | null {
    if (handle < 0) return null;
    const known = this.read.get(handle);
    if (known !== undefined) return known;
    const record = decisionOf(this.incarnation, handle);
    const inputs = record ? recordedInputs(record.method, JSON.parse(record.body)) : null;
    this.read.set(handle, inputs);
    return inputs;
  }
}

function recordedInputs(method: string, body: unknown): RecordedInputs {
  const { parameters, shared, subjects, inputs } = check(Decision, body, 'decision');
  const places = new Map<string, number>();
  subjects.ids.forEach((id, i) => {
    if (!places.has(id)) places.set(id, i);
  });
  const rates = inputs?.['passRate'];
  const samples = inputs?.['samples'];
  const failureRate = shared?.['failureRate'];
  return {
    method,
    parameters,
    failureRate: typeof failureRate === 'number' && failureRate >= 0 && failureRate <= 1 ? failureRate : null,
    passRate: (prompt) => {
      const place = places.get(prompt);
      if (rates === undefined || place === undefined) return undefined;
      const value = rates[place];
      if (typeof value !== 'number' || !(value >= 0 && value <= 1)) return null;
      const count = samples?.[place];
      const whole = typeof count === 'number' && Number.isInteger(count) && count > 0;
      return whole ? { value, samples: count } : { value };
    },
  };
}

/** Weight of the newest step in the moving average of the failure rate, where no decision says one. */
const FAILURE_WEIGHT = 0.3;

/** Moving average of the share of failed rollouts over the steps before; undefined before the first. */
export function failureRateBefore(store: RunStore, number: number): number | undefined {
  let average: number | undefined;
  for (const { step } of store.steps()) {
    const { n, c }: Pick<Step['totals'], 'n' | 'c'> = step.totals;
    if (step.number >= number || n === 0) continue;
    const failed = 1 - c / n;
    average = average === undefined ? failed : average + FAILURE_WEIGHT * (failed - average);
  }
  return average;
}
