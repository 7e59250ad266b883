import { betaInterval, betaMean, posterior } from '../../methods/estimators/betaPosterior';
import type { PromptColumns } from '../../protocol/panels/budgets';
import { CARRIED_OVER, CATEGORY_COUNT, DISCARDED, FINISHED, KILLED, RUNNING } from '../ledger/categories';
import { launchedOf } from '../ledger/groupJudgement';
import type { RunStore } from '../runStore';
import { NONE, atMost } from '../tables/chunks';
import { GROUP_CLOSED } from '../tables/groupTable';
import { rewardMoments } from './groupFacts';
import { eachGroup, type FoundSubject } from './subject';

type Sums = Pick<
  PromptColumns,
  | 'planned'
  | 'launched'
  | 'running'
  | 'finished'
  | 'used'
  | 'discarded'
  | 'killed'
  | 'carriedOver'
  | 'tokens'
  | 'groups'
  | 'openGroups'
  | 'gradientGroups'
  | 'zeroGradientGroups'
  | 'lastStep'
  | 'group'
  | 'decision'
  | 'stepN'
  | 'stepC'
  | 'spread'
>;

/** What each prompt has in the subject: the sums of its groups, and step, id and decision of the last of them. */
export function subjectColumns(store: RunStore, subject: FoundSubject, rows: Int32Array): Sums {
  const size = rows.length;
  const ints = (): Int32Array => new Int32Array(size).fill(NONE);
  const columns = {
    planned: ints(),
    launched: ints(),
    running: ints(),
    finished: ints(),
    used: ints(),
    discarded: ints(),
    killed: ints(),
    carriedOver: ints(),
    groups: ints(),
    openGroups: ints(),
    gradientGroups: ints(),
    zeroGradientGroups: ints(),
    stepN: ints(),
    stepC: ints(),
  };
  const tokens = new Float64Array(size).fill(NONE);
  const lastStep = ints();
  const group = new Array<string | null>(size).fill(null);
  const decision = new Array<string | null>(size).fill(null);
  const rewards = new Float64Array(size);
  const squares = new Float64Array(size);
  const placeOf = new Int32Array(store.prompts.count).fill(NONE);
  rows.forEach((row, place) => (placeOf[row] = place));
  const add = (column: Int32Array, place: number, value: number): void => {
    column[place] = atMost(Math.max(0, column[place]!) + value);
  };
  eachGroup(store, subject, ({ incarnation, group: g }, step) => {
    const { groups } = incarnation;
    const place = placeOf[groups.prompt[g]!] ?? NONE;
    if (place < 0) return;
    const at = g * CATEGORY_COUNT;
    const finished = groups.counts[at + FINISHED]!;
    const closed = (groups.flags[g]! & GROUP_CLOSED) !== 0;
    const gradient = groups.gradient[g]!;
    const isUsed = closed && gradient !== 0 && (gradient === 1 || groups.usedInStep[g]! >= 0);
    add(columns.planned, place, groups.planned[g]!);
    add(columns.launched, place, launchedOf(groups, g));
    add(columns.running, place, groups.counts[at + RUNNING]!);
    add(columns.finished, place, finished);
    add(columns.used, place, isUsed ? finished : 0);
    add(columns.discarded, place, groups.counts[at + DISCARDED]!);
    add(columns.killed, place, groups.counts[at + KILLED]!);
    add(columns.carriedOver, place, groups.counts[at + CARRIED_OVER]!);
    add(columns.groups, place, 1);
    add(columns.openGroups, place, closed ? 0 : 1);
    add(columns.gradientGroups, place, gradient === 1 ? 1 : 0);
    add(columns.zeroGradientGroups, place, gradient === 0 ? 1 : 0);
    add(columns.stepN, place, groups.n[g]!);
    add(columns.stepC, place, groups.c[g]!);
    tokens[place] = Math.max(0, tokens[place]!) + groups.tokens[g]!;
    rewards[place]! += groups.sumReward[g]!;
    squares[place]! += groups.sumReward2[g]!;
    lastStep[place] = step;
    group[place] = incarnation.textOrNull(groups.handle[g]!);
    decision[place] = incarnation.textOrNull(groups.decision[g]!) ?? decision[place]!;
  });
  const spread = Float32Array.from({ length: size }, (_, i) =>
    columns.stepN[i]! > 0 ? rewardMoments(columns.stepN[i]!, rewards[i]!, squares[i]!).sd : NaN,
  );
  return { ...columns, tokens, lastStep, group, decision, spread };
}

type Rates = Pick<PromptColumns, 'rate' | 'rateLow' | 'rateHigh'>;

/** Posterior mean and 95 % interval under Beta(1, 1); NaN where there is no result. Few (n, c) stand behind many. */
export function rateColumns(n: Int32Array, c: Int32Array): Rates {
  const rates = {
    rate: new Float32Array(n.length),
    rateLow: new Float32Array(n.length),
    rateHigh: new Float32Array(n.length),
  };
  n.forEach((samples, place) => {
    const { rate, low, high } = samples > 0 ? rateOf(samples, c[place]!) : NO_RATE;
    rates.rate[place] = rate;
    rates.rateLow[place] = low;
    rates.rateHigh[place] = high;
  });
  return rates;
}

interface Rate {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}
const NO_RATE: Rate = { rate: NaN, low: NaN, high: NaN };
const MOST_RATES = 100_000;
const rates = new Map<number, Rate>();

function rateOf(n: number, c: number): Rate {
  const key = n * 0x1000000 + c;
  let known = rates.get(key);
  if (!known) {
    const distribution = posterior(n, c);
    known = { rate: betaMean(distribution), ...betaInterval(distribution) };
    if (rates.size >= MOST_RATES) rates.clear();
    rates.set(key, known);
  }
  return known;
}
