import {
  type ExpectedZeroGradientShare,
  type GroupExpectation,
  expectedZeroGradientShare,
} from '../../methods/estimators/zeroGradientShare';
import type { Incarnation } from '../incarnation';
import type { RunStore } from '../runStore';
import type { Step } from '../step';
import { NONE } from '../tables/chunks';
import { GROUP_CLOSED } from '../tables/groupTable';

/** Results of each prompt, by its row, from steps with a smaller number and from before the stream. */
export interface ResultsBefore {
  readonly n: Float64Array;
  readonly c: Float64Array;
}

/** Copies the prompts' totals and takes out what came in the step and later: quick for the newest step. */
export function resultsBefore(store: RunStore, step: number): ResultsBefore {
  const { prompts } = store;
  const n = prompts.n.slice(0, prompts.count);
  const c = prompts.c.slice(0, prompts.count);
  for (const { groups, steps } of store.incarnations) {
    for (const later of steps) {
      if (later.number < step) continue;
      for (let group = later.firstGroup; group !== NONE; group = groups.nextInStep[group]!) {
        const prompt = groups.prompt[group]!;
        n[prompt]! -= groups.n[group]!;
        c[prompt]! -= groups.c[group]!;
      }
    }
  }
  return { n, c };
}

/**
 * The expected share of groups without a gradient among the step's closed groups with at least two rollouts in the
 * baseline, each at its own size and from data before the step.
 */
export function expectedZeroGradient(
  incarnation: Incarnation,
  step: Step,
  before: ResultsBefore,
): ExpectedZeroGradientShare {
  const { groups } = incarnation;
  const expectations: GroupExpectation[] = [];
  for (let group = step.firstGroup; group !== NONE; group = groups.nextInStep[group]!) {
    if ((groups.flags[group]! & GROUP_CLOSED) === 0 || groups.baseline[group]! < 2) continue;
    const prompt = groups.prompt[group]!;
    expectations.push({
      groupSize: groups.baseline[group]!,
      samples: before.n[prompt]!,
      correct: before.c[prompt]!,
    });
  }
  return expectedZeroGradientShare(expectations);
}

/** The same in groups; null where there is no group to judge. */
export function expectedZeroGradientGroups(
  incarnation: Incarnation,
  step: Step,
  before: ResultsBefore,
): number | null {
  const { share, groups } = expectedZeroGradient(incarnation, step, before);
  return share === undefined ? null : share * groups;
}
