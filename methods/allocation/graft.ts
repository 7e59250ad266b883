import { counted } from '../figures';
import { numberOf, rolloutsParameter } from '../parameters';
import { allocationMethod } from './allocator';
import type { AllocationRequest, RoundView } from './allocator';

const groupSize = rolloutsParameter(
  'groupSize',
  8,
  1,
  'Rollouts of every prompt by each of the two models (n).',
);

/** Result of a prompt's group under one model. */
export interface GraftGroup {
  readonly rollouts: number;
  readonly successes: number;
}

/** Prompts whose failed group the first model takes from the second, and the second from the first. */
export interface GraftChoice {
  readonly candidatesToFirst: readonly number[];
  readonly candidatesToSecond: readonly number[];
  /** Equally many each way, before ties: the smaller number of candidates. */
  readonly each: number;
  readonly toFirst: readonly number[];
  readonly toSecond: readonly number[];
}

/** Prompts that failed entirely in `target` and succeeded in part in `source`. */
function candidates(target: readonly GraftGroup[], source: readonly GraftGroup[]): number[] {
  return target.flatMap((group, i) => {
    const other = source[i]!;
    const failed = group.rollouts > 0 && group.successes === 0;
    return failed && other.successes >= 1 && other.successes < other.rollouts ? [i] : [];
  });
}

/** The `each` candidates with most successes in the source and all that equal the last of them, by index. */
function greatest(among: readonly number[], source: readonly GraftGroup[], each: number): number[] {
  if (each === 0) return [];
  const ranked = [...among].sort((a, b) => source[b]!.successes - source[a]!.successes || a - b);
  const bound = source[ranked[each - 1]!]!.successes;
  return among.filter((i) => source[i]!.successes >= bound);
}

export function graftChoice(first: readonly GraftGroup[], second: readonly GraftGroup[]): GraftChoice {
  const candidatesToFirst = candidates(first, second);
  const candidatesToSecond = candidates(second, first);
  const each = Math.min(candidatesToFirst.length, candidatesToSecond.length);
  return {
    candidatesToFirst,
    candidatesToSecond,
    each,
    toFirst: greatest(candidatesToFirst, second, each),
    toSecond: greatest(candidatesToSecond, first, each),
  };
}

/**
 * Weight of a grafted rollout: s = exp(mean log-probability under the model that trains on it minus that under the one
 * that sampled it), at most 1, and 0 unless s is above delta (published: 0.8).
 */
export function graftWeight(
  target: number,
  source: number,
  delta: number,
): { ratio: number; weight: number } {
  const ratio = Math.exp(target - source);
  return { ratio, weight: ratio > delta ? Math.min(ratio, 1) : 0 };
}

/**
 * GRAFT: of two models that train side by side each takes over whole groups of the other for prompts on which its own
 * failed entirely while the other's succeeded in part; equally many each way, those with most successes first, ties
 * included (arXiv 2609.37868, equations 4 to 8). No rollout more is sampled. `inputs.budget` is not read.
 *
 * The weights of the grafted rollouts need log-probabilities of both models: `graftWeight`, which no run records.
 */
export const graft = allocationMethod({
  id: 'graft',
  title: 'GRAFT',
  summary: 'Takes over a partner model’s group where the own one failed entirely.',
  family: 'replace',
  confidence: 'exact',
  source: { paper: 'arXiv 2609.37868', equation: 'equations 4 to 8', code: '', commit: '' },
  parameters: [groupSize],
  keepsTotal: false,
  caveats: [
    'The weights of grafted rollouts need log-probabilities under both models and are not given here.',
  ],
  needs: ['partner', 'successes'],
  uses: [],
  decide: (view) => {
    const size = numberOf(view.parameters, groupSize);
    if (view.round > 0) return exchange(view);
    return {
      done: false,
      shared: { groupSize: size },
      requests: view.inputs.prompts.map((_, prompt) => ({
        prompt,
        action: 'launch',
        count: size,
        reasonCode: 'group',
        reason: `${counted(size, 'rollout')} of every prompt by each of the two models.`,
        numbers: { groupSize: size },
      })),
    };
  },
});

function exchange({ inputs, finished }: RoundView) {
  const own = finished.map(({ successes }) => ({
    rollouts: successes.length,
    successes: successes.filter(Boolean).length,
  }));
  const partner = inputs.prompts.map((prompt) => prompt.partner!);
  const choice = graftChoice(own, partner);
  const taken = new Set(choice.toFirst);
  const requests = choice.candidatesToFirst.map((prompt): AllocationRequest => {
    const { rollouts, successes } = partner[prompt]!;
    const numbers = { rollouts, successes, ownRollouts: own[prompt]!.rollouts, each: choice.each };
    const why =
      `None of its ${counted(own[prompt]!.rollouts, 'rollout')} succeeded, ${successes} of the partner’s ${rollouts} did; ` +
      `${choice.each} are exchanged each way, with all that equal the last`;
    return taken.has(prompt)
      ? {
          prompt,
          action: 'substitute',
          count: rollouts,
          from: 'partner',
          reasonCode: 'grafted',
          reason: `${why}: the partner’s group takes the place of its own.`,
          numbers,
        }
      : {
          prompt,
          action: 'substitute',
          count: 0,
          from: 'partner',
          reasonCode: 'not-among-the-first',
          reason: `${why}: others come first.`,
          numbers,
        };
  });
  return {
    done: true,
    requests,
    shared: {
      candidates: choice.candidatesToFirst.length,
      partnerCandidates: choice.candidatesToSecond.length,
      each: choice.each,
      taken: choice.toFirst.length,
      given: choice.toSecond.length,
    },
  };
}
