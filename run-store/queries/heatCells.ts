import type { BudgetsParams, HeatCells, HeatMeasure } from '../../protocol/panels/budgets';
import { CATEGORY_COUNT, FINISHED } from '../ledger/categories';
import { launchedOf } from '../ledger/groupJudgement';
import type { RunStore } from '../runStore';
import { NONE } from '../tables/chunks';
import type { GroupTable } from '../tables/groupTable';
import type { StepPlace } from './ledgerView';

const LONGEST_HISTORY = 1_000;

/** What a group adds to its cell: the cell is Σ value, for a pass rate Σ value / Σ weight, for a gradient the greatest. */
const VALUE: Readonly<Record<HeatMeasure, (groups: GroupTable, group: number) => number>> = {
  launched: launchedOf,
  finished: (groups, group) => groups.counts[group * CATEGORY_COUNT + FINISHED]!,
  tokens: (groups, group) => groups.tokens[group]!,
  passRate: (groups, group) => groups.c[group]!,
  gradient: (groups, group) => groups.gradient[group]!,
};

/**
 * The heat map of `history` steps, in two passes over their groups. Most prompts are in few steps: only cells that
 * hold something are kept. A gradient that is not known yet and a pass rate without results are −1.
 *
 * @param last the last step of the subject.
 */
export function heatCells(
  store: RunStore,
  last: number,
  { history, measure, until }: Pick<BudgetsParams, 'history' | 'measure' | 'until'>,
  rows: Int32Array,
): HeatCells {
  const length = Math.max(1, Math.min(history, LONGEST_HISTORY));
  const steps = store.steps();
  const newest = steps.slice(-length);
  const reaches = newest.length < length || newest[0]!.step.number <= last;
  const shown =
    until === 'newest' && reaches ? newest : steps.filter(({ step }) => step.number <= last).slice(-length);
  const placeOf = new Int32Array(store.prompts.count).fill(NONE);
  rows.forEach((row, place) => (placeOf[row] = place));
  const start = new Int32Array(rows.length + 1);
  const seen = new Int32Array(rows.length).fill(NONE);
  eachCell(shown, placeOf, (place, column) => {
    if (seen[place] === column) return;
    seen[place] = column;
    start[place + 1]! += 1;
  });
  for (let i = 0; i < rows.length; i++) start[i + 1]! += start[i]!;

  const size = start[rows.length]!;
  const columns = new Uint16Array(size);
  const value = new Float32Array(size);
  const weight = measure === 'passRate' ? new Float32Array(size) : null;
  const next = start.slice(0, rows.length);
  seen.fill(NONE);
  eachCell(shown, placeOf, (place, column, groups, group) => {
    const own = VALUE[measure](groups, group);
    const isNew = seen[place] !== column;
    const at = isNew ? next[place]!++ : next[place]! - 1;
    seen[place] = column;
    columns[at] = column;
    if (isNew) value[at] = own;
    else value[at] = measure === 'gradient' ? Math.max(value[at]!, own) : value[at]! + own;
    if (weight) weight[at]! += groups.n[group]!;
  });
  if (weight) for (let i = 0; i < size; i++) value[i] = weight[i]! > 0 ? value[i]! / weight[i]! : NONE;
  return {
    measure,
    steps: shown.map(({ step }) => step.number),
    start,
    column: columns,
    value,
    changes: methodChanges(shown),
  };
}

function eachCell(
  shown: readonly StepPlace[],
  placeOf: Int32Array,
  visit: (place: number, column: number, groups: GroupTable, group: number) => void,
): void {
  shown.forEach(({ incarnation: { groups }, step }, column) => {
    for (let group = step.firstGroup; group !== NONE; group = groups.nextInStep[group]!) {
      const place = placeOf[groups.prompt[group]!]!;
      if (place >= 0) visit(place, column, groups, group);
    }
  });
}

function methodChanges(shown: readonly StepPlace[]): { step: number; label: string }[] {
  const changes: { step: number; label: string }[] = [];
  let method: string | null = null;
  for (const { step } of shown) {
    if (step.allocationMethod === null) continue;
    if (method !== null && step.allocationMethod !== method)
      changes.push({ step: step.number, label: `${method} → ${step.allocationMethod}` });
    method = step.allocationMethod;
  }
  return changes;
}
