import type { ForkFailure } from '../../methods/estimators/treePassAtK';
import type { Incarnation } from '../incarnation';
import { Results } from '../ledger/results';
import type { Step } from '../step';
import { CHUNK_MASK, NONE } from '../tables/chunks';
import { rolloutsOf } from './groupFacts';
import { treeRates } from './groupTrees';

/** What must be known of the counts of training groups; numbers of groups, unless said otherwise. */
export interface TrainingFacts {
  readonly groups: number;
  /** With a reward that is neither 0 nor 1. */
  readonly nonBinary: number;
  /** Left out: the rewards of their rollouts are no longer in memory, so no other threshold can be put to them. */
  readonly forgotten: number;
  /** With forks: all leaves used, and only the rollouts that began at the prompt, by why. */
  readonly treeAware: number;
  readonly rootsOnly: Readonly<Partial<Record<RootsBecause, number>>>;
}

/** Why the leaves of forks cannot be used: a condition that does not hold, or trees that are not whole or not in memory. */
export type RootsBecause = ForkFailure | 'unfinished' | 'released';

export const NO_FACTS: TrainingFacts = {
  groups: 0,
  nonBinary: 0,
  forgotten: 0,
  treeAware: 0,
  rootsOnly: {},
};

export function addFacts(a: TrainingFacts, b: TrainingFacts): TrainingFacts {
  const rootsOnly = { ...a.rootsOnly };
  for (const because of Object.keys(b.rootsOnly) as RootsBecause[]) {
    rootsOnly[because] = (rootsOnly[because] ?? 0) + (b.rootsOnly[because] ?? 0);
  }
  return {
    groups: a.groups + b.groups,
    nonBinary: a.nonBinary + b.nonBinary,
    forgotten: a.forgotten + b.forgotten,
    treeAware: a.treeAware + b.treeAware,
    rootsOnly,
  };
}

interface StepCounts {
  readonly n: Int32Array;
  readonly c: Int32Array;
  readonly trees: ReadonlyMap<number, readonly number[]>;
  readonly facts: TrainingFacts;
}

/** Results of a step's groups by prompt row: rollouts that began at the prompt, and trees where their leaves may be used. */
export function countStep(
  incarnation: Incarnation,
  step: Step,
  prompts: number,
  threshold: number | null,
): StepCounts {
  const { groups } = incarnation;
  const n = new Int32Array(prompts);
  const c = new Int32Array(prompts);
  const trees = new Map<number, number[]>();
  let facts = NO_FACTS;
  for (let group = step.firstGroup; group !== NONE; group = groups.nextInStep[group]!) {
    const prompt = groups.prompt[group]!;
    if (prompt < 0 || groups.n[group] === 0) continue;
    const counted = rootCounts(incarnation, group, threshold);
    if (counted === null) {
      facts = addFacts(facts, { ...NO_FACTS, groups: 1, forgotten: 1 });
      continue;
    }
    const [rootN, rootC] = counted;
    const forked = groups.n[group]! > groups.rootN[group]!;
    const rates = forked ? treeRates(incarnation, group, threshold) : null;
    const units = Array.isArray(rates) ? rates : Array.from({ length: rootN }, (_, i) => (i < rootC ? 1 : 0));
    const known = trees.get(prompt);
    // A prompt that was drawn twice in a step has two groups: their trees stand side by side.
    if (known) known.push(...units);
    else if (Array.isArray(rates)) {
      trees.set(prompt, [
        ...Array.from({ length: n[prompt]! }, (_, i) => (i < c[prompt]! ? 1 : 0)),
        ...units,
      ]);
    }
    n[prompt]! += rootN;
    c[prompt]! += rootC;
    facts = addFacts(facts, factsOf(incarnation, group, rates));
  }
  return { n, c, trees, facts };
}

function factsOf(
  { groups }: Incarnation,
  group: number,
  rates: readonly number[] | RootsBecause | null,
): TrainingFacts {
  const sum = groups.sumReward[group]!;
  return {
    groups: 1,
    // Σ r = Σ r² = c only where every reward is 0 or 1.
    nonBinary: groups.sumReward2[group] === sum && groups.c[group] === sum ? 0 : 1,
    forgotten: 0,
    treeAware: Array.isArray(rates) ? 1 : 0,
    rootsOnly: typeof rates === 'string' ? { [rates]: 1 } : {},
  };
}

/** Outcomes of each group of a step in the order of launch, 1 a success: only what is in memory. */
export function* outcomesInOrder(incarnation: Incarnation, step: Step): Generator<readonly number[]> {
  const { groups, rollouts } = incarnation;
  const results = new Results(incarnation);
  for (let group = step.firstGroup; group !== NONE; group = groups.nextInStep[group]!) {
    yield rolloutsOf(incarnation, group).flatMap((row) => {
      const chunk = rollouts.chunk(row)!;
      const i = row & CHUNK_MASK;
      return results.isSample(chunk, i) ? [results.successOf(chunk, i)] : [];
    });
  }
}

/** n and c of the rollouts that began at the prompt; null: they are no longer in memory and another threshold is asked for. */
function rootCounts(
  incarnation: Incarnation,
  group: number,
  threshold: number | null,
): readonly [number, number] | null {
  const { groups, rollouts } = incarnation;
  if (threshold === null) return [groups.rootN[group]!, groups.rootC[group]!];
  const results = new Results(incarnation);
  let n = 0;
  let c = 0;
  for (const row of rolloutsOf(incarnation, group)) {
    const chunk = rollouts.chunk(row)!;
    const i = row & CHUNK_MASK;
    const forked = (chunk.fromNode?.get(i) ?? NONE) !== NONE || (chunk.at?.get(i) ?? NONE) !== NONE;
    if (forked || !results.isSample(chunk, i)) continue;
    n += 1;
    if (results.rewardOf(chunk, i) >= threshold) c += 1;
  }
  return n === groups.rootN[group] ? [n, c] : null;
}
