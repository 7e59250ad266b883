import { datpoCounts } from '../branching/datpoCounts';
import { adaptive, datpoLimits, mostBranches, mostForks, rootRollouts } from '../branching/datpo';
import { counted, figure } from '../figures';
import { numberOf } from '../parameters';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';
import type { FinishedRollouts } from './outcomes';

/** Correctness of each ended rollout, 1 or 0; where the job does not say, its reward, which must lie in 0 .. 1. */
const correctness = ({ rewards, successes }: FinishedRollouts): readonly number[] =>
  successes.length > 0 ? successes.map(Number) : rewards;

/**
 * DATPO, the allocation part: N root rollouts of every prompt, then ⌈K_max (1 − V)⌉ fork points in each and
 * ⌈B_max (1 − V)⌉ continuations at each, V the share of root rollouts that succeeded (arXiv 2609.08650, equations 1
 * and 2; exact ceilings, see `datpoCounts`). Where the forks are is `branching/datpo`. The total follows from the
 * outcomes; `inputs.budget` is not read. A prompt of which no root rollout ended is not forked.
 */
export const datpo = allocationMethod({
  id: 'datpo',
  title: 'DATPO',
  summary: 'A few root rollouts each, then the more continuations the fewer of them succeeded.',
  family: 'second-stage',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2609.08650',
    equation: 'equations 1 and 2',
    code: 'colin31472/DATPO:datpo/training/tree_search.py:TreeSearchEngine._adaptive_counts',
    commit: '95592f4f8c',
  },
  parameters: [rootRollouts, mostForks, mostBranches, adaptive],
  keepsTotal: false,
  needs: ['rewards'],
  uses: ['successes'],
  decide: ({ inputs, parameters, round, finished }) => {
    const roots = numberOf(parameters, rootRollouts);
    if (round === 0) {
      return {
        done: false,
        shared: { rootRollouts: roots },
        requests: inputs.prompts.map((_, prompt) => ({
          prompt,
          action: 'launch',
          count: roots,
          reasonCode: 'roots',
          reason: `${counted(roots, 'root rollout')} of every prompt, to see how many succeed.`,
          numbers: { rootRollouts: roots },
        })),
      };
    }
    const limits = datpoLimits(parameters);
    return {
      done: true,
      shared: { rootRollouts: roots, mostForks: limits.mostForks, mostBranches: limits.mostBranches },
      requests: finished.map((ended, prompt): AllocationRequest => {
        const outcomes = correctness(ended);
        if (outcomes.length === 0) {
          return {
            prompt,
            action: 'fork',
            count: 0,
            reasonCode: 'nothing-finished',
            reason: 'None of its root rollouts finished: there is nothing to fork.',
            numbers: {},
          };
        }
        const found = datpoCounts(outcomes, limits);
        const count = outcomes.length * found.forks * found.branches;
        const lost = figure(1 - found.value);
        return {
          prompt,
          action: 'fork',
          count,
          reasonCode: count > 0 ? 'forked' : 'solved',
          reason:
            count > 0
              ? `At a pass rate of ${figure(found.value)}: ⌈${limits.mostForks} · ${lost}⌉ = ${counted(found.forks, 'fork point')} in each of ` +
                `${counted(outcomes.length, 'root rollout')}, ⌈${limits.mostBranches} · ${lost}⌉ = ${counted(found.branches, 'continuation')} at each: ${count}.`
              : `All ${counted(outcomes.length, 'root rollout')} succeeded: no fork.`,
          numbers: {
            value: found.value,
            forks: found.forks,
            branches: found.branches,
            rootRollouts: outcomes.length,
          },
        };
      }),
    };
  },
});
