import { sampleBeta } from '../distributions';
import { figure } from '../figures';
import { numberOf } from '../parameters';
import { allocationMethod } from './allocator';
import { chosenAndSkipped, groupSize, groupsIn, leastScores } from './choice';
import type { PromptInput } from './inputs';

/** Information of a prompt with success probability p: p (1−p)², greatest at p = 1/3. */
export function vadeInformation(p: number): number {
  return p * (1 - p) ** 2;
}

/** Beta posterior of a prompt from its earlier groups, uniform before any: (1 + correct, 1 + wrong). */
export function vadePosterior({ history = [] }: Pick<PromptInput, 'history'>): {
  readonly a: number;
  readonly b: number;
} {
  let correct = 0;
  let wrong = 0;
  for (const { successes, rollouts } of history) {
    correct += successes;
    wrong += rollouts - successes;
  }
  return { a: correct + 1, b: wrong + 1 };
}

/** Prompts with the greatest information at the drawn success probabilities; equal ones by index. */
export function vadeChoice(draws: readonly number[], count: number): number[] {
  return leastScores(
    draws.map((p) => -vadeInformation(p)),
    count,
  );
}

/**
 * VADE: draws a success probability of every candidate from its Beta posterior (Thompson sampling) and takes those
 * with the greatest p (1−p)² (project page; no code is public). Reconstructed: old counts also decay at two scales,
 * whose constants are not published; here they do not decay. Equal information goes to the lower index.
 */
export const vade = allocationMethod({
  id: 'vade',
  title: 'VADE',
  summary: 'Chooses the prompts whose drawn success probability promises most, by p(1−p)².',
  family: 'skip',
  confidence: 'reconstructed',
  source: { paper: 'VADE-RL project page', equation: 'information gain', code: '', commit: '' },
  parameters: [groupSize],
  keepsTotal: false,
  needs: ['history'],
  uses: [],
  caveats: [
    'Read on the project page; no code is public.',
    'Old counts also decay at two scales, whose constants are not published: here they do not decay.',
  ],
  decide: ({ inputs, parameters, rng }) => {
    const size = numberOf(parameters, groupSize);
    const groups = groupsIn(inputs.budget, size);
    const posteriors = inputs.prompts.map(vadePosterior);
    const draws = posteriors.map(({ a, b }) => sampleBeta(rng, a, b));
    const ranked = vadeChoice(draws, draws.length);
    const rank = new Map(ranked.map((prompt, i) => [prompt, i + 1]));
    const chosen = new Set(ranked.slice(0, groups));
    return {
      done: true,
      shared: { groups: chosen.size, groupSize: size, candidates: draws.length },
      requests: chosenAndSkipped(draws.length, chosen, size, (prompt) => {
        const draw = draws[prompt]!;
        const { a, b } = posteriors[prompt]!;
        const information = vadeInformation(draw);
        return {
          reason:
            `A draw of ${figure(draw)} from Beta(${figure(a)}, ${figure(b)}) gives ${figure(draw)} · (1 − ${figure(draw)})² = ` +
            `${figure(information)}, rank ${rank.get(prompt)!} of ${draws.length}; the first ${chosen.size} are sampled.`,
          numbers: { a, b, draw, information, rank: rank.get(prompt)!, posteriorMean: a / (a + b) },
        };
      }),
    };
  },
});
