import type { PromptRow, PromptsPage, PromptsParams } from '../../protocol/panels/lists';
import type { Incarnation } from '../incarnation';
import { CATEGORY_COUNT, FINISHED, RUNNING } from '../ledger/categories';
import { launchedOf } from '../ledger/groupJudgement';
import type { RunStore } from '../runStore';
import { NONE } from '../tables/chunks';
import { isClosed, outcomeOf, rewardMoments } from './groupFacts';
import { pinsAt } from './pins';
import { type FilterRow, readPromptFilter } from './promptFilter';
import { type ResultsBefore, resultsBefore } from './resultsBefore';

interface Candidate extends FilterRow {
  readonly group: number;
}

/**
 * The groups of a step as a list: a prompt that was drawn twice has two rows. A filter that cannot be read gives
 * no rows and says why.
 */
export function promptsPage(store: RunStore, params: PromptsParams): PromptsPage {
  const found = store.findStep(params.step);
  const filter = readPromptFilter(params.filter);
  if (!found || filter.test === null) {
    return { step: found?.step.number ?? null, total: 0, rows: [], problem: filter.problem };
  }
  const { incarnation, step } = found;
  const before = resultsBefore(store, step.number);
  const candidates: Candidate[] = [];
  for (let group = step.firstGroup; group !== NONE; group = incarnation.groups.nextInStep[group]!) {
    const candidate = candidateOf(incarnation, group, before);
    if (filter.test(candidate)) candidates.push(candidate);
  }
  candidates.sort(ORDERS[params.sort]);
  const pins = pinsAt(store, step.number);
  const from = Math.max(0, params.offset);
  const rows = candidates
    .slice(from, from + Math.max(0, params.limit))
    .map((candidate) => promptRow(incarnation, candidate, pins));
  return { step: step.number, total: candidates.length, rows, problem: null };
}

/** Ids in the order of their letters, equal to all readers; numbers before what has none. */
const byId = (a: Candidate, b: Candidate): number =>
  a.prompt < b.prompt ? -1 : a.prompt > b.prompt ? 1 : a.group - b.group;
const last = (value: number): number => (Number.isNaN(value) ? Infinity : value);
const ORDERS: Readonly<Record<PromptsParams['sort'], (a: Candidate, b: Candidate) => number>> = {
  id: byId,
  rollouts: (a, b) => b.planned - a.planned || byId(a, b),
  rate: (a, b) => compare(last(a.c / a.n), last(b.c / b.n)) || byId(a, b),
  spread: (a, b) => compare(last(-a.spread), last(-b.spread)) || byId(a, b),
};

/** Infinity − Infinity is no order. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function candidateOf(incarnation: Incarnation, group: number, before: ResultsBefore): Candidate {
  const { groups, prompts } = incarnation;
  const prompt = groups.prompt[group]!;
  const at = group * CATEGORY_COUNT;
  const stepN = groups.n[group]!;
  const { difficulty, domain } = prompts.facts[prompt]!;
  return {
    group,
    prompt: prompts.ids[prompt]!,
    n: before.n[prompt]!,
    c: before.c[prompt]!,
    planned: groups.planned[group]!,
    launched: launchedOf(groups, group),
    running: groups.counts[at + RUNNING]!,
    finished: groups.counts[at + FINISHED]!,
    stepN,
    stepC: groups.c[group]!,
    spread: rewardMoments(stepN, groups.sumReward[group]!, groups.sumReward2[group]!).sd,
    tokens: groups.tokens[group]!,
    difficulty,
    domain,
    outcome: outcomeOf(incarnation, group),
  };
}

function promptRow(
  incarnation: Incarnation,
  candidate: Candidate,
  pins: ReadonlyMap<string, string>,
): PromptRow {
  const { group, prompt, planned, running, finished, stepN, stepC, n, c, difficulty } = candidate;
  return {
    prompt,
    group: incarnation.textOrNull(incarnation.groups.handle[group]!),
    planned,
    running,
    finished,
    stepN,
    stepC,
    nBefore: n,
    cBefore: c,
    outcome: outcomeOf(incarnation, group),
    closed: isClosed(incarnation, group),
    pin: pins.get(prompt) ?? null,
    difficulty,
  };
}
