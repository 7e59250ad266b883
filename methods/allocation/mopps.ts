import { sampleBeta, shuffled } from '../distributions';
import { figure } from '../figures';
import { choiceOf, choiceParameter, numberOf, numberParameter } from '../parameters';
import { allocationMethod } from './allocator';
import { chosenAndSkipped, groupSize, groupsIn, leastScores } from './choice';
import type { PastGroup } from './inputs';

const priorA = numberParameter('priorA', 1, [1e-6, 1e6], 'First parameter of the prior Beta distribution.');
const priorB = numberParameter('priorB', 1, [1e-6, 1e6], 'Second parameter of the prior Beta distribution.');
const decay = numberParameter(
  'decay',
  1,
  [0, 1],
  'What stays of the counts when a prompt is observed again; the rest falls back to the prior. The countdown runs use 0.5.',
);
const target = numberParameter('target', 0.5, [0, 1], 'Success probability that is wanted.');
const lower = numberParameter(
  'lower',
  0.3,
  [0, 1],
  'Lower end of the wanted interval, for the threshold strategy.',
);
const upper = numberParameter(
  'upper',
  0.7,
  [0, 1],
  'Upper end of the wanted interval, for the threshold strategy.',
);
const strategy = choiceParameter(
  'strategy',
  'topk',
  ['topk', 'threshold'],
  'Nearest to the target, or at random within the interval and then the nearest to it.',
);

const profileWeight = numberParameter(
  'profileWeight',
  0,
  [0, 1e6],
  'What one outcome of a profile made before training counts for in the posterior; 0: it is not used.',
);

export interface MoppsPosterior {
  readonly a: number;
  readonly b: number;
}

/**
 * Posterior after a group of n with success rate s: a ← decay · a + (1 − decay) · priorA + s n, b likewise with
 * (1 − s) n. As released, a group of one sets both to 8, by a slip of precedence in its one-line update.
 */
export function moppsUpdate(
  { a, b }: MoppsPosterior,
  { rollouts, successes }: Pick<PastGroup, 'rollouts' | 'successes'>,
  prior: MoppsPosterior,
  keep: number,
): MoppsPosterior {
  if (rollouts === 1) return { a: 8, b: 8 };
  const rate = successes / rollouts;
  return {
    a: keep * a + (1 - keep) * prior.a + rate * rollouts,
    b: keep * b + (1 - keep) * prior.b + (1 - rate) * rollouts,
  };
}

/** Posterior that a prompt starts with: the prior, and the weighted outcomes of a profile made before training. */
export function moppsStart(
  prior: MoppsPosterior,
  profile: { readonly rollouts: number; readonly successes: number },
  weight: number,
): MoppsPosterior {
  return {
    a: prior.a + weight * profile.successes,
    b: prior.b + weight * (profile.rollouts - profile.successes),
  };
}

/** Distance that is to be small: squared to the target, or to the interval (0 inside). */
export function moppsScores(
  draws: readonly number[],
  by: { readonly strategy: string; readonly target: number; readonly lower: number; readonly upper: number },
): number[] {
  return draws.map((draw) =>
    by.strategy === 'topk' ? (draw - by.target) ** 2 : Math.max(0, by.lower - draw, draw - by.upper),
  );
}

/**
 * MoPPS: draws a success probability of every candidate from its posterior (Thompson sampling) and takes those
 * nearest to the target (released code; the published runs draw 8 candidates for each prompt of the batch). With the
 * threshold strategy, more prompts inside the interval than wanted are taken at random. Posteriors are recomputed from
 * the recorded groups; prompts that were not sampled keep theirs.
 */
export const mopps = allocationMethod({
  id: 'mopps',
  title: 'MoPPS',
  summary: 'Chooses the prompts whose drawn success probability is nearest to one half.',
  family: 'skip',
  confidence: 'exact',
  source: {
    paper: '',
    equation: '',
    code: 'thu-rllab/MoPPS:recipe/ours/mopps.py:PosteriorSampler',
    commit: 'a883f519bb',
  },
  parameters: [groupSize, strategy, target, lower, upper, decay, priorA, priorB, profileWeight],
  keepsTotal: false,
  needs: ['history'],
  uses: ['initialRate'],
  caveats: [
    'As released, a group of one rollout sets both parameters of the posterior to 8, by a slip of precedence.',
  ],
  decide: ({ inputs, parameters, rng }) => {
    const size = numberOf(parameters, groupSize);
    const groups = groupsIn(inputs.budget, size);
    const prior = { a: numberOf(parameters, priorA), b: numberOf(parameters, priorB) };
    const keep = numberOf(parameters, decay);
    const weight = numberOf(parameters, profileWeight);
    const posteriors = inputs.prompts.map(({ history = [], initialRate }) => {
      const rollouts = initialRate?.samples ?? 0;
      const profile = { rollouts, successes: (initialRate?.value ?? 0) * rollouts };
      const start = moppsStart(prior, profile, weight);
      return history.reduce<MoppsPosterior>(
        (before, group) => moppsUpdate(before, group, prior, keep),
        start,
      );
    });
    const draws = posteriors.map(({ a, b }) => sampleBeta(rng, a, b));
    const by = {
      strategy: choiceOf(parameters, strategy),
      target: numberOf(parameters, target),
      lower: numberOf(parameters, lower),
      upper: numberOf(parameters, upper),
    };
    const scores = moppsScores(draws, by);
    const inside = scores.flatMap((score, prompt) => (score === 0 ? [prompt] : []));
    const chosen = new Set(
      by.strategy === 'threshold' && inside.length > groups
        ? shuffled(rng, inside).slice(0, groups)
        : leastScores(scores, groups),
    );
    const goal =
      by.strategy === 'topk'
        ? `the target ${figure(by.target)}`
        : `${figure(by.lower)} to ${figure(by.upper)}`;
    return {
      done: true,
      shared: { groups: chosen.size, groupSize: size, candidates: draws.length, inside: inside.length },
      requests: chosenAndSkipped(draws.length, chosen, size, (prompt, taken) => {
        const draw = draws[prompt]!;
        const { a, b } = posteriors[prompt]!;
        const score = scores[prompt]!;
        const distance = by.strategy === 'topk' ? Math.sqrt(score) : score;
        return {
          reason:
            `A draw of ${figure(draw)} from Beta(${figure(a)}, ${figure(b)}) lies ${figure(distance)} from ${goal}: ` +
            `${taken ? 'among' : 'not among'} the ${chosen.size} taken of ${draws.length}.`,
          numbers: { a, b, draw, score, posteriorMean: a / (a + b) },
        };
      }),
    };
  },
});
