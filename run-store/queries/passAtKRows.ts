import { budgetAdvice } from '../../methods/estimators/budgetAdvice';
import type { PasskRows } from '../../protocol/panels/passAtK';
import type { RunStore } from '../runStore';
import { NONE } from '../tables/chunks';
import type { Measurement } from './measurements';

/** A group where no step says how large they are. */
const USUAL_GROUP = 8;

/** Every prompt that one of the two measured, in the order in which the run first spoke of them. */
export function rowsOf(store: RunStore, shown: Measurement, against: Measurement): PasskRows {
  const rows: number[] = [];
  for (let row = 0; row < shown.n.length; row++) {
    if (shown.n[row]! > 0 || against.n[row]! > 0) rows.push(row);
  }
  const adviceRollouts = usualGroup(store);
  const needHalf = new Float64Array(rows.length);
  const needNine = new Float64Array(rows.length);
  const mixed = new Float64Array(rows.length);
  const counts = rows.map((row) => ({ samples: shown.n[row]!, correct: shown.c[row]! }));
  for (const { prompt, half, ninety, mixedPerRollout } of budgetAdvice(counts, adviceRollouts)) {
    needHalf[prompt] = half ?? Infinity;
    needNine[prompt] = ninety ?? Infinity;
    mixed[prompt] = mixedPerRollout * adviceRollouts;
  }
  const { ids, facts, groups } = store.prompts;
  return {
    prompt: rows.map((row) => ids[row]!),
    difficulty: rows.map((row) => facts[row]!.difficulty),
    n: Int32Array.from(rows, (row) => shown.n[row]!),
    c: Int32Array.from(rows, (row) => shown.c[row]!),
    againstN: Int32Array.from(rows, (row) => against.n[row]!),
    againstC: Int32Array.from(rows, (row) => against.c[row]!),
    needHalf,
    needNine,
    mixed,
    trained: Uint8Array.from(rows, (row) => (groups[row]! > 0 ? 1 : 0)),
    adviceRollouts,
  };
}

/** The median plan of the newest step's groups. */
function usualGroup(store: RunStore): number {
  const found = store.findStep(null);
  if (!found) return USUAL_GROUP;
  const { groups } = found.incarnation;
  const plans: number[] = [];
  for (let group = found.step.firstGroup; group !== NONE; group = groups.nextInStep[group]!) {
    if (groups.planned[group]! > 1) plans.push(groups.planned[group]!);
  }
  return plans.sort((a, b) => a - b)[plans.length >> 1] ?? USUAL_GROUP;
}
