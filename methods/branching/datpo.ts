import { counted, figure } from '../figures';
import {
  booleanOf,
  booleanParameter,
  choiceOf,
  choiceParameter,
  integerParameter,
  numberOf,
  numberParameter,
  resolveParameters,
  rolloutsParameter,
} from '../parameters';
import type { Parameters } from '../parameters';
import { checkChains } from './branching';
import type { BranchingMethod, Chain, ForkDecision } from './branching';
import { datpoCounts } from './datpoCounts';
import type { DatpoLimits } from './datpoCounts';

export const rootRollouts = rolloutsParameter(
  'rootRollouts',
  4,
  1,
  'Independent rollouts before any fork (N).',
);
export const mostForks = integerParameter(
  'mostForks',
  3,
  [1, 1024],
  'Fork points per root rollout at a pass rate of 0 (K_max).',
  'forks',
);
export const mostBranches = integerParameter(
  'mostBranches',
  4,
  [1, 1024],
  'Continuations per fork point at a pass rate of 0 (B_max).',
  'rollouts',
);
export const adaptive = booleanParameter(
  'adaptive',
  true,
  'Follow the pass rate; false always takes the limits, as an ablation.',
);
const place = choiceParameter(
  'place',
  'sentence',
  ['sentence', 'token', 'segment'],
  'Fork at the sentences of highest mean entropy, at the tokens of highest entropy, or at equal distances.',
);
const minimumDistance = numberParameter(
  'minimumDistance',
  0,
  [0, 100],
  'For forks at tokens: least distance between two of them. The comparisons of the paper use 5 and 10.',
  '% of the rollout’s length',
);

/** The limits out of resolved parameters. */
export function datpoLimits(parameters: Parameters): DatpoLimits {
  return {
    mostForks: numberOf(parameters, mostForks),
    mostBranches: numberOf(parameters, mostBranches),
    adaptive: booleanOf(parameters, adaptive),
  };
}

/** Mean entropy of each sentence, in nats: from its first token to the one before the next sentence. */
export function sentenceEntropies(entropies: readonly number[], starts: readonly number[]): number[] {
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? entropies.length;
    let sum = 0;
    for (let token = start; token < end; token++) sum += entropies[token]!;
    return sum / (end - start);
  });
}

interface Candidate {
  readonly at: number;
  /** Entropy that it is ranked by, in nats. */
  readonly entropy: number;
}

/** Greatest first; equal ones in order of position, which is their order before sorting. */
const byEntropy = (candidates: Candidate[]): Candidate[] => candidates.sort((a, b) => b.entropy - a.entropy);

/** Sentences with the highest mean entropy; a fork is at the first token of its sentence. */
export function sentenceForks(
  entropies: readonly number[],
  starts: readonly number[],
  count: number,
): Candidate[] {
  const means = sentenceEntropies(entropies, starts);
  return byEntropy(starts.map((at, i) => ({ at, entropy: means[i]! }))).slice(0, count);
}

/** Tokens with the highest entropy, each at least `percent` % of the length away from those taken before it. */
export function tokenForks(entropies: readonly number[], count: number, percent = 0): Candidate[] {
  const apart = (percent * entropies.length) / 100;
  const taken: Candidate[] = [];
  for (const candidate of byEntropy(entropies.map((entropy, at) => ({ at, entropy })))) {
    if (taken.length >= count) break;
    if (taken.every(({ at }) => Math.abs(at - candidate.at) >= apart)) taken.push(candidate);
  }
  return taken;
}

/** Positions ⌊i · length / (count + 1)⌋, i = 1 … count; equal ones once. */
export function segmentForks(entropies: readonly number[], count: number): Candidate[] {
  const positions = Array.from({ length: count }, (_, i) =>
    Math.floor(((i + 1) * entropies.length) / (count + 1)),
  );
  return [...new Set(positions)].map((at) => ({ at, entropy: entropies[at]! }));
}

/**
 * DATPO: from the share V of root rollouts that succeeded follow the numbers of fork points and branches
 * (`datpoCounts`); in each root rollout the sentences with the highest mean entropy are forked at their first token
 * (arXiv 2609.08650, sections on adaptive counts and sentence entropy). One round.
 *
 * Position: 'after-outcome', since whether and how widely a rollout is forked depends on rewards, its own among them;
 * where it is forked is known once the rollout is complete. The source leaves open whether the first token of the
 * sentence is kept; here it is sampled again, as everywhere in this project a child replaces the token it attaches at.
 */
export const datpo: BranchingMethod = {
  id: 'datpo',
  title: 'DATPO sentence entropy',
  summary:
    'Forks root rollouts at their most uncertain sentences, more and wider the fewer of them succeeded.',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2609.08650',
    equation: 'equations 1 and 2, sentence entropy',
    code: 'colin31472/DATPO:datpo/training/tree_search.py',
    commit: '95592f4f8c',
  },
  parameters: [rootRollouts, mostForks, mostBranches, adaptive, place, minimumDistance],
  position: 'after-outcome',
  children: 'same-policy',
  needs: ['entropies', 'success'],
  rootRollouts: (given) => numberOf(resolveParameters(datpo.parameters, given), rootRollouts),
  decide(inputs, given) {
    const parameters = resolveParameters(datpo.parameters, given);
    const where = choiceOf(parameters, place);
    if (inputs.round > 0) return { forks: [], done: true, shared: {} };
    checkChains(inputs, where === 'sentence' ? ['entropies', 'sentenceStarts', 'success'] : datpo.needs);
    const roots = inputs.chains.flatMap((chain, i) => (chain.from === undefined ? [{ chain, i }] : []));
    const counts = datpoCounts(
      roots.map(({ chain }) => (chain.success === true ? 1 : 0)),
      datpoLimits(parameters),
    );
    const candidatesOf = ({ entropies = [], sentenceStarts = [] }: Chain): Candidate[] => {
      if (where === 'sentence') return sentenceForks(entropies, sentenceStarts, counts.forks);
      if (where === 'token')
        return tokenForks(entropies, counts.forks, numberOf(parameters, minimumDistance));
      return segmentForks(entropies, counts.forks);
    };
    const forks = roots.flatMap(({ chain, i }) =>
      candidatesOf(chain).map(({ at, entropy }, rank): ForkDecision => {
        const what =
          where === 'segment'
            ? `Token ${at}, one of ${counted(counts.forks, 'point')} at equal distances`
            : `The ${where} at token ${at} has ${where === 'sentence' ? 'a mean entropy' : 'an entropy'} of ${figure(entropy)} nats, rank ${rank + 1} of its rollout`;
        return {
          chain: i,
          at,
          width: counts.branches,
          reasonCode: `${where}-entropy`,
          reason: `${what}; at a pass rate of ${figure(counts.value)} it gets ${counted(counts.branches, 'continuation')}.`,
          numbers: {
            entropy,
            rank: rank + 1,
            value: counts.value,
            forks: counts.forks,
            branches: counts.branches,
          },
        };
      }),
    );
    forks.sort((a, b) => b.numbers['entropy']! - a.numbers['entropy']!);
    return { forks, done: true, shared: { ...counts, rootRollouts: roots.length } };
  },
};
