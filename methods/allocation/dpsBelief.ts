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
 * Belief after so many steps without an observation, with a flat prior: the same as as many updates, but it ends where
 * they no longer change anything.
 */
export function dpsIdle(belief: DpsBelief, steps: number, alpha: number, decay: number): DpsBelief {
  if (steps <= 0) return belief;
  const counts = belief.counts.flat();
  const added = alpha * (1 - decay);
  let [a, b, c] = belief.now;
  let before = belief.now;
  for (let step = 0; step < steps; step++) {
    let change = 0;
    for (let i = 0; i < 9; i++) {
      const old = counts[i]!;
      const next = old * decay + added;
      change += Math.abs(next - old);
      counts[i] = next;
    }
    const fromNever = a / (counts[0]! + counts[3]! + counts[6]!);
    const fromPartly = b / (counts[1]! + counts[4]! + counts[7]!);
    const fromAlways = c / (counts[2]! + counts[5]! + counts[8]!);
    const never = counts[0]! * fromNever + counts[1]! * fromPartly + counts[2]! * fromAlways;
    const partly = counts[3]! * fromNever + counts[4]! * fromPartly + counts[5]! * fromAlways;
    const always = counts[6]! * fromNever + counts[7]! * fromPartly + counts[8]! * fromAlways;
    const norm = never + partly + always;
    change += Math.abs(never / norm - a) + Math.abs(partly / norm - b) + Math.abs(always / norm - c);
    const still = change < 1e-15;
    if (still || step === steps - 1) before = [a, b, c];
    a = never / norm;
    b = partly / norm;
    c = always / norm;
    if (still) break;
  }
  return { now: [a, b, c], before, counts: each((to) => each((from) => counts[3 * to + from]!)) };
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
    if (last !== undefined) belief = dpsIdle(belief, group.step - last - 1, alpha, decay);
    belief = dpsUpdate(belief, dpsState(group.successes / group.rollouts), prior, decay);
    last = group.step;
  }
  return last === undefined ? belief : dpsIdle(belief, step - last - 1, alpha, decay);
}

/** Score by which prompts are chosen: the belief in partly solved, plus the weighted entropy of the belief. */
export function dpsScore({ now }: Pick<DpsBelief, 'now'>, entropyWeight: number): number {
  return now[1] - entropyWeight * now.reduce((all, p) => all + p * Math.log(p + 1e-10), 0);
}
