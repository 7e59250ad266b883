import { betaInterval, betaMean, posterior } from '../../methods/estimators/betaPosterior';
import type { BudgetsParams, BudgetsView } from '../../protocol/panels/budgets';
import type { Incarnation } from '../incarnation';
import { CARRIED_OVER, CATEGORY_COUNT, DISCARDED, FINISHED, KILLED, RUNNING } from '../ledger/categories';
import { launchedOf } from '../ledger/groupJudgement';
import type { RunStore } from '../runStore';
import type { Step } from '../step';
import { NONE, atMost } from '../tables/chunks';
import { stepLedger } from './ledgerView';
import { pinsAt } from './pins';
import { expectedZeroGradientGroups, resultsBefore } from './resultsBefore';

const LONGEST_HISTORY = 1_000;

/**
 * The budgets of a step: every prompt that was ever planned, those of the step first, in the order in which the
 * step opened them. null: no step was opened yet.
 */
export function budgetsView(store: RunStore, params: BudgetsParams): BudgetsView | null {
  const found = store.findStep(params.step);
  if (!found) return null;
  const { incarnation, step } = found;
  const before = resultsBefore(store, step.number);
  const rows = promptOrder(store, incarnation, step);
  const { totals } = step;
  return {
    step: step.number,
    method: step.allocationMethod,
    ledger: stepLedger(incarnation, step),
    prompts: {
      ...declared(store, rows),
      ...stepColumns(incarnation, step, rows),
      ...ratesBefore(before.n, before.c, rows),
      pin: pinColumn(store, step.number, rows),
    },
    history: historyUpTo(store, step.number, params.history, rows),
    expectedZeroGradient: expectedZeroGradientGroups(incarnation, step, before),
    observedZeroGradient: totals.closedGroups > 0 ? totals.zeroGradientGroups : null,
    closedGroups: totals.closedGroups,
  };
}

/** Rows of the prompt table: those of the step first, then the others that were ever planned. */
function promptOrder(store: RunStore, { groups }: Incarnation, step: Step): Int32Array {
  const { prompts } = store;
  const taken = new Uint8Array(prompts.count);
  const order = new Int32Array(prompts.count);
  let count = 0;
  for (let group = step.firstGroup; group !== NONE; group = groups.nextInStep[group]!) {
    const prompt = groups.prompt[group]!;
    if (taken[prompt] === 1) continue;
    taken[prompt] = 1;
    order[count++] = prompt;
  }
  for (let prompt = 0; prompt < prompts.count; prompt++) {
    if (taken[prompt] === 0 && prompts.groups[prompt]! > 0) order[count++] = prompt;
  }
  return order.slice(0, count);
}

function declared(
  { prompts }: RunStore,
  rows: Int32Array,
): Pick<BudgetsView['prompts'], 'id' | 'difficulty' | 'domain'> {
  const id: string[] = [];
  const difficulty: (string | null)[] = [];
  const domain: (string | null)[] = [];
  for (const row of rows) {
    id.push(prompts.ids[row]!);
    difficulty.push(prompts.facts[row]!.difficulty);
    domain.push(prompts.facts[row]!.domain);
  }
  return { id, difficulty, domain };
}

type StepColumns = Omit<
  BudgetsView['prompts'],
  'id' | 'difficulty' | 'domain' | 'n' | 'c' | 'rate' | 'rateLow' | 'rateHigh' | 'pin'
>;

/** What each prompt has in the step; a prompt that was drawn twice has the sums of its groups and the id of the last. */
function stepColumns(incarnation: Incarnation, step: Step, rows: Int32Array): StepColumns {
  const { groups, prompts } = incarnation;
  const size = rows.length;
  const ints = (): Int32Array => new Int32Array(size).fill(NONE);
  const columns = {
    planned: ints(),
    launched: ints(),
    running: ints(),
    finished: ints(),
    discarded: ints(),
    killed: ints(),
    carriedOver: ints(),
    tokens: ints(),
    stepN: ints(),
    stepC: ints(),
  };
  const gradient = new Int8Array(size).fill(NONE);
  const group = new Array<string | null>(size).fill(null);
  const decision = new Array<string | null>(size).fill(null);
  const placeOf = new Int32Array(prompts.count).fill(NONE);
  rows.forEach((row, place) => (placeOf[row] = place));
  for (let g = step.firstGroup; g !== NONE; g = groups.nextInStep[g]!) {
    const place = placeOf[groups.prompt[g]!]!;
    const at = g * CATEGORY_COUNT;
    const add = (column: Int32Array, value: number): void => {
      column[place] = Math.max(0, column[place]!) + value;
    };
    add(columns.planned, groups.planned[g]!);
    add(columns.launched, launchedOf(groups, g));
    add(columns.running, groups.counts[at + RUNNING]!);
    add(columns.finished, groups.counts[at + FINISHED]!);
    add(columns.discarded, groups.counts[at + DISCARDED]!);
    add(columns.killed, groups.counts[at + KILLED]!);
    add(columns.carriedOver, groups.counts[at + CARRIED_OVER]!);
    add(columns.tokens, groups.tokens[g]!);
    add(columns.stepN, groups.n[g]!);
    add(columns.stepC, groups.c[g]!);
    gradient[place] = Math.max(gradient[place]!, groups.gradient[g]!);
    group[place] = incarnation.textOrNull(groups.handle[g]!);
    decision[place] = incarnation.textOrNull(groups.decision[g]!) ?? decision[place]!;
  }
  return { ...columns, gradient, group, decision };
}

/** Posterior mean and 95 % interval under Beta(1, 1). Few different (n, c) stand behind many prompts. */
function ratesBefore(
  n: Float64Array,
  c: Float64Array,
  rows: Int32Array,
): Pick<BudgetsView['prompts'], 'n' | 'c' | 'rate' | 'rateLow' | 'rateHigh'> {
  const size = rows.length;
  const result = {
    n: new Int32Array(size),
    c: new Int32Array(size),
    rate: new Float32Array(size),
    rateLow: new Float32Array(size),
    rateHigh: new Float32Array(size),
  };
  rows.forEach((row, place) => {
    const samples = n[row]!;
    const correct = c[row]!;
    const { rate, low, high } = rateOf(samples, correct);
    result.n[place] = atMost(samples);
    result.c[place] = atMost(correct);
    result.rate[place] = rate;
    result.rateLow[place] = low;
    result.rateHigh[place] = high;
  });
  return result;
}

interface Rate {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}
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

function pinColumn(store: RunStore, step: number, rows: Int32Array): (string | null)[] {
  const pins = pinsAt(store, step);
  if (pins.size === 0) return new Array<null>(rows.length).fill(null);
  return Array.from(rows, (row) => pins.get(store.prompts.ids[row]!) ?? null);
}

/** Rollouts launched, a row a prompt, a column a step, in one pass over the groups of these steps. */
function historyUpTo(
  store: RunStore,
  last: number,
  history: number,
  rows: Int32Array,
): BudgetsView['history'] {
  const length = Math.max(1, Math.min(history, LONGEST_HISTORY));
  const shown = store
    .steps()
    .filter(({ step }) => step.number <= last)
    .slice(-length);
  const width = shown.length;
  const launched = new Int16Array(rows.length * width).fill(NONE);
  const placeOf = new Int32Array(store.prompts.count).fill(NONE);
  rows.forEach((row, place) => (placeOf[row] = place));
  const changes: { step: number; label: string }[] = [];
  let method: string | null = null;
  shown.forEach(({ incarnation, step }, column) => {
    const { groups } = incarnation;
    for (let group = step.firstGroup; group !== NONE; group = groups.nextInStep[group]!) {
      const at = placeOf[groups.prompt[group]!]! * width + column;
      launched[at] = Math.min(32_767, Math.max(0, launched[at]!) + launchedOf(groups, group));
    }
    if (step.allocationMethod === null) return;
    if (method !== null && step.allocationMethod !== method) {
      changes.push({ step: step.number, label: `${method} → ${step.allocationMethod}` });
    }
    method = step.allocationMethod;
  });
  return { steps: shown.map(({ step }) => step.number), launched, changes };
}
