import type { ZeroGradientFacts } from '../../methods/health/zeroGradientGroups';
import type { Incarnation } from '../incarnation';
import type { RunStore } from '../runStore';
import type { Step } from '../step';
import { NONE } from '../tables/chunks';
import { outcomeOf } from './groupFacts';
import { expectedZeroGradient, resultsBefore } from './resultsBefore';

/** What a step's closed groups say about gradients, with what was to be expected of the same groups. */
export function zeroGradientFacts(
  store: RunStore,
  { incarnation, step }: { readonly incarnation: Incarnation; readonly step: Step },
): ZeroGradientFacts {
  const { groups } = incarnation;
  let judged = 0;
  let allRight = 0;
  let allWrong = 0;
  let allOther = 0;
  let nothingTrained = 0;
  let tokensInZero = 0;
  for (let group = step.firstGroup; group !== NONE; group = groups.nextInStep[group]!) {
    const gradient = groups.gradient[group]!;
    if (gradient === NONE) continue;
    judged += 1;
    if (gradient === 1) continue;
    tokensInZero += groups.tokens[group]!;
    const outcome = outcomeOf(incarnation, group);
    if (outcome === 'mixed') nothingTrained += 1;
    else if (outcome === 'all1') allRight += 1;
    else if (groups.c[group] === 0 && groups.least[group] === 0) allWrong += 1;
    else allOther += 1;
  }
  return {
    scope: `step ${step.number}`,
    subjects: [{ type: 'step', id: String(step.number) }],
    groups: judged,
    allRight,
    allWrong,
    allOther,
    nothingTrained,
    expected: expectedZeroGradient(incarnation, step, resultsBefore(store, step.number)),
    tokensInZero,
    tokens: step.totals.tokens,
  };
}
