import type { PastGroup } from './inputs';

/** One number for each state of a prompt: never solved, partly solved, always solved. */
export type DpsStates = readonly [number, number, number];

/** Dirichlet counts of transitions between states, `[to][from]`. */
export type DpsCounts = readonly [DpsStates, DpsStates, DpsStates];

/** What DPS believes of a prompt. */
export interface DpsBelief {
  readonly now: DpsStates;
  readonly before: DpsStates;
  readonly counts: DpsCounts;
}

const each = <T>(of: (state: 0 | 1 | 2) => T): readonly [T, T, T] => [of(0), of(1), of(2)];
const sum = ([a, b, c]: DpsStates): number => a + b + c;

export const UNIFORM_STATES: DpsStates = [1 / 3, 1 / 3, 1 / 3];

/** The same prior count for every transition. */
export function flatPrior(alpha: number): DpsCounts {
  return each(() => each(() => alpha));
}

export function dpsPrior(counts: DpsCounts, belief: DpsStates = UNIFORM_STATES): DpsBelief {
  return { now: belief, before: belief, counts };
}

/** State of a prompt by the share of its rollouts that succeeded: only exactly 0 and 1 are the outer ones. */
export function dpsState(rate: number): DpsStates {
  return rate === 0 ? [1, 0, 0] : rate === 1 ? [0, 0, 1] : [0, 1, 0];
}

/**
 * Belief after a step. Observed: the state seen, counted as one transition from what was believed before; not
 * observed: the belief itself, without a count. Then counts ← decay · counts + (1 − decay) · prior + share of the
 * transition, and the belief moves one step along the expected transitions.
 */
export function dpsUpdate(
  { now, before, counts }: DpsBelief,
  seen: DpsStates | undefined,
  prior: DpsCounts,
  decay: number,
): DpsBelief {
  const state = seen ?? now;
  const columns = each((from) => counts[0][from] + counts[1][from] + counts[2][from]);
  const soft = each((to) => each((from) => state[to] * before[from] * (counts[to][from] / columns[from])));
  const total = soft.reduce((all, row) => all + sum(row), 0);
  const rate = seen === undefined ? 0 : 1;
  const next = each((to) =>
    each(
      (from) => counts[to][from] * decay + prior[to][from] * (1 - decay) + (soft[to][from] / total) * rate,
    ),
  );
  const nextColumns = each((from) => next[0][from] + next[1][from] + next[2][from]);
  const ahead = each((to) => {
    const [a, b, c] = each((from) => (next[to][from] / nextColumns[from]) * state[from]);
    return a + b + c;
  });
  const norm = sum(ahead);
  return { now: each((to) => ahead[to] / norm), before: state, counts: next };
}

/**
 * Belief of a prompt before step `step`, from its recorded groups. Steps between them, and after the last one, are
 * updates without an observation. Before its first group a prompt keeps the prior, which such updates do not move as
 * long as it is flat.
 */
export function dpsBelief(
  history: readonly PastGroup[],
  step: number,
  alpha: number,
  decay: number,
): DpsBelief {
  const prior = flatPrior(alpha);
  let belief = dpsPrior(prior);
  let last: number | undefined;
  for (const group of history) {
    for (let idle = (last ?? group.step) + 1; idle < group.step; idle++)
      belief = dpsUpdate(belief, undefined, prior, decay);
    belief = dpsUpdate(belief, dpsState(group.successes / group.rollouts), prior, decay);
    last = group.step;
  }
  for (let idle = (last ?? step) + 1; idle < step; idle++)
    belief = dpsUpdate(belief, undefined, prior, decay);
  return belief;
}

/** Score by which prompts are chosen: the belief in partly solved, plus the weighted entropy of the belief. */
export function dpsScore({ now }: Pick<DpsBelief, 'now'>, entropyWeight: number): number {
  return now[1] - entropyWeight * now.reduce((all, p) => all + p * Math.log(p + 1e-10), 0);
}
