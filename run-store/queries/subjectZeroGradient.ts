import { expectedZeroGradientShare } from '../../methods/estimators/zeroGradientShare';
import type { ZeroGradientView } from '../../protocol/panels/budgets';
import type { RunStore } from '../runStore';
import { GROUP_CLOSED } from '../tables/groupTable';
import { groupsOfStep, type FoundSubject } from './subject';

/**
 * Zero-gradient groups of the subject beside what was to be expected. Goes back through the steps of the whole run,
 * so that each group is judged by what was known before its own step, in one pass.
 */
export function subjectZeroGradient(store: RunStore, subject: FoundSubject): ZeroGradientView {
  const { prompts } = store;
  const n = prompts.n.slice(0, prompts.count);
  const c = prompts.c.slice(0, prompts.count);
  const inSubject = new Set(subject.places.map(({ step }) => step));
  let judged = 0;
  let observed = 0;
  let expected = 0;
  let variance = 0;
  let unbiased = 0;
  let byPosterior = 0;
  let binary = true;
  for (const places of fromTheNewest(store, subject.first)) {
    for (const { incarnation, step } of places) {
      const { groups } = incarnation;
      for (const group of groupsOfStep(incarnation, step)) {
        n[groups.prompt[group]!]! -= groups.n[group]!;
        c[groups.prompt[group]!]! -= groups.c[group]!;
      }
    }
    for (const { incarnation, step } of places) {
      if (!inSubject.has(step)) continue;
      const { groups } = incarnation;
      for (const group of groupsOfStep(incarnation, step)) {
        if (groups.n[group]! > 0 && groups.sumReward2[group] !== groups.sumReward[group]) binary = false;
        const groupSize = groups.baseline[group]!;
        const prompt = groups.prompt[group]!;
        if ((groups.flags[group]! & GROUP_CLOSED) === 0 || groupSize < 2 || prompt < 0) continue;
        judged += 1;
        if (groups.gradient[group] === 0) observed += 1;
        const one = expectedZeroGradientShare([{ groupSize, samples: n[prompt]!, correct: c[prompt]! }]);
        const share = one.share ?? 0;
        expected += share;
        variance += share * (1 - share);
        unbiased += one.unbiased;
        byPosterior += one.posterior;
      }
    }
  }
  const known = unbiased + byPosterior > 0;
  return {
    judged,
    observed,
    expected: known ? expected : null,
    deviation: known ? Math.sqrt(Math.max(0, variance)) : null,
    unbiased,
    posterior: byPosterior,
    binary,
  };
}

type Places = FoundSubject['places'];

/** Steps down to number `first`, newest number first; those of one number, of several lives, together. */
function fromTheNewest(store: RunStore, first: number): Places[] {
  const byNumber = new Map<number, Places[number][]>();
  for (const incarnation of store.incarnations) {
    for (const step of incarnation.steps) {
      if (step.number < first) continue;
      const same = byNumber.get(step.number);
      if (same) same.push({ incarnation, step });
      else byNumber.set(step.number, [{ incarnation, step }]);
    }
  }
  return [...byNumber].sort(([a], [b]) => b - a).map(([, places]) => places);
}
