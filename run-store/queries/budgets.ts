import type { BudgetsParams, BudgetsView, PromptColumns } from '../../protocol/panels/budgets';
import { addTokensOfGroup, noTokens, tokensOfStep, type TokenCounts } from '../ledger/tokens';
import type { RunStore } from '../runStore';
import { NONE, atMost } from '../tables/chunks';
import { rateColumns, subjectColumns } from './budgetColumns';
import { heatCells } from './heatCells';
import { stepLedger, stepsLedger, tokenLedger } from './ledgerView';
import { pinsAt } from './pins';
import { resultsBefore } from './resultsBefore';
import { eachGroup, findSubject, groupsOfStep, type FoundSubject } from './subject';
import { subjectZeroGradient } from './subjectZeroGradient';

/**
 * The budgets of a step or of several: every prompt that was ever planned, those of the subject first, newest step
 * first, in the order in which a step opened them. null: no step was opened yet.
 */
export function budgetsView(store: RunStore, params: BudgetsParams): BudgetsView | null {
  const subject = findSubject(store, params);
  if (!subject) return null;
  const { kind, first, last, steps, places, shown } = subject;
  const rows = promptOrder(store, subject);
  const columns = subjectColumns(store, subject, rows);
  const before = resultsBefore(store, first);
  const n = Int32Array.from(rows, (row) => atMost(before.n[row]!));
  const c = Int32Array.from(rows, (row) => atMost(before.c[row]!));
  const [rateN, rateC] = kind === 'step' ? [n, c] : [columns.stepN, columns.stepC];
  return {
    step: shown.step.number,
    subject: { kind, first, last, steps },
    method: methodOf(subject),
    ledger:
      kind === 'step'
        ? stepLedger(shown.incarnation, shown.step)
        : stepsLedger(store, places, subject.withUnplaced),
    tokens: tokenLedger(tokensOf(store, subject)),
    prompts: {
      ...declared(store, rows),
      ...columns,
      n,
      c,
      ...rateColumns(rateN, rateC),
      pin: pinColumn(store, shown.step.number, rows),
    },
    history: heatCells(store, last, params, rows),
    zeroGradient: subjectZeroGradient(store, subject),
  };
}

/** The one method that planned all steps of the subject. */
function methodOf({ places }: FoundSubject): string | null {
  const methods = new Set(places.map(({ step }) => step.allocationMethod).filter((name) => name !== null));
  const [only] = methods;
  return methods.size === 1 && only !== undefined ? only : null;
}

function tokensOf(store: RunStore, subject: FoundSubject): TokenCounts {
  const sum = noTokens();
  for (const { incarnation, step } of subject.places)
    tokensOfStep(incarnation, step).forEach((tokens, fate) => (sum[fate]! += tokens));
  if (subject.withUnplaced)
    eachGroup(store, { ...subject, places: [] }, ({ incarnation, group }) =>
      addTokensOfGroup(incarnation, group, sum),
    );
  return sum;
}

/** Rows of the prompt table: those of the subject first, then the others that were ever planned. */
function promptOrder(store: RunStore, subject: FoundSubject): Int32Array {
  const { prompts } = store;
  const taken = new Uint8Array(prompts.count);
  const order = new Int32Array(prompts.count);
  let count = 0;
  const take = (prompt: number): void => {
    if (prompt < 0 || taken[prompt] === 1) return;
    taken[prompt] = 1;
    order[count++] = prompt;
  };
  for (const { incarnation, step } of [...subject.places].reverse())
    for (const group of groupsOfStep(incarnation, step)) take(incarnation.groups.prompt[group]!);
  if (subject.withUnplaced)
    eachGroup(store, { ...subject, places: [] }, ({ incarnation, group }) =>
      take(incarnation.groups.prompt[group] ?? NONE),
    );
  for (let prompt = 0; prompt < prompts.count; prompt++) if (prompts.groups[prompt]! > 0) take(prompt);
  return order.slice(0, count);
}

function declared(
  { prompts }: RunStore,
  rows: Int32Array,
): Pick<PromptColumns, 'id' | 'difficulty' | 'domain'> {
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

function pinColumn(store: RunStore, step: number, rows: Int32Array): (string | null)[] {
  const pins = pinsAt(store, step);
  if (pins.size === 0) return new Array<null>(rows.length).fill(null);
  return Array.from(rows, (row) => pins.get(store.prompts.ids[row]!) ?? null);
}
