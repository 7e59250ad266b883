import { counted, figure } from '../figures';
import { integerParameter, numberOf, resolveParameters, rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import { checkChains } from './branching';
import type { BranchingMethod, Chain, ForkDecision } from './branching';

const roots = rolloutsParameter(
  'roots',
  6,
  1,
  'Parallel chains to start with, each the trunk of a tree (M).',
);
const forksPerTree = integerParameter(
  'forksPerTree',
  2,
  [0, 1024],
  'Tokens forked per tree and round (N).',
  'forks',
);
const rounds = integerParameter('rounds', 1, [0, 64], 'Rounds of forking (L).', 'rounds');
const continuations = rolloutsParameter('continuations', 2, 1, 'Continuations per forked token (T).');
const longest = integerParameter(
  'longest',
  7144,
  [1, 10_000_000],
  'Tokens from here on, counted from the prompt, are not forked.',
  'tokens',
);

/** M (1 + N L T): leaves of the whole group if every round finds a token to fork in every tree. */
export function treeRlLeaves(chains: number, forks: number, roundCount: number, width: number): number {
  return chains * (1 + forks * roundCount * width);
}

/**
 * Tokens of each chain that must not be forked (true): the first token of a chain that inherits a prefix, tokens past
 * the greatest length counted from the prompt, and all tokens after the first whose text contains "conclusion" or
 * "answer" in any case (that token itself may be forked).
 */
export function treeRlMasks(chains: readonly Chain[], greatestLength: number): boolean[][] {
  const prefix: number[] = [];
  return chains.map(({ tokens, from, texts = [] }, i) => {
    prefix[i] = from === undefined ? 0 : prefix[from.chain]! + from.at;
    let closing = false;
    return Array.from({ length: tokens }, (_, token) => {
      const masked = closing || (token === 0 && prefix[i]! > 0) || prefix[i]! + token >= greatestLength;
      closing ||= /conclusion|answer/iu.test(texts[token] ?? '');
      return masked;
    });
  });
}

/** Up to `count` unmasked tokens of highest surprisal, lower index first on ties; repeated in order if they are too few. */
export function mostSurprising(
  surprisals: readonly number[],
  masked: readonly boolean[],
  count: number,
): number[] {
  const open = surprisals.flatMap((_, token) => (masked[token] === true ? [] : [token]));
  const ranked = open.sort((a, b) => surprisals[b]! - surprisals[a]! || a - b).slice(0, count);
  return ranked.length === 0 ? [] : Array.from({ length: count }, (_, i) => ranked[i % ranked.length]!);
}

/**
 * Tokens to fork in one tree: of each chain's most surprising ones the `count` highest over the tree. On equal
 * surprisal the later chain and the larger index come first, as in the release. `members` are indices of chains.
 */
export function treeRlForks(
  chains: readonly Chain[],
  members: readonly number[],
  masks: readonly (readonly boolean[])[],
  count: number,
): { readonly chain: number; readonly at: number; readonly surprisal: number }[] {
  return members
    .flatMap((chain) => {
      const surprisals = (chains[chain]!.logprobs ?? []).map((logprob) => -logprob);
      return mostSurprising(surprisals, masks[chain]!, count).map((at) => ({
        chain,
        at,
        surprisal: surprisals[at]!,
      }));
    })
    .sort((a, b) => b.surprisal - a.surprisal || b.chain - a.chain || b.at - a.at)
    .slice(0, count);
}

/**
 * TreeRL (EPTree): in each of L rounds, in every tree, the N tokens that were most surprising when sampled (−log p of
 * the sampled token, not the entropy of the distribution) are sampled again T times each, to the end
 * (arXiv 2506.11902; released `entropy_chain_local_manager.py`). A token that is chosen several times, because a tree
 * has too few open ones, gets as many times T continuations.
 *
 * Position: 'after-completion'. The release gives root chains the generation limit as greatest length and later ones
 * always 7144; here `longest` holds for all.
 */
export const treeRl: BranchingMethod = {
  id: 'treerl',
  title: 'TreeRL surprisal (EPTree)',
  summary: 'Forks every tree at the tokens that were most surprising when they were sampled.',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2506.11902',
    equation: 'EPTree',
    code: 'THUDM/TreeRL:openrlhf/trainer/ppo_utils/tree_node.py',
    commit: 'f0edbea6f2',
  },
  parameters: [roots, forksPerTree, rounds, continuations, longest],
  position: 'after-completion',
  children: 'same-policy',
  needs: ['logprobs', 'texts'],
  rootRollouts: (given) => numberOf(resolveParameters(treeRl.parameters, given), roots),
  decide(inputs, given) {
    const parameters = resolveParameters(treeRl.parameters, given);
    const last = numberOf(parameters, rounds);
    const perTree = numberOf(parameters, forksPerTree);
    const width = numberOf(parameters, continuations);
    if (inputs.round >= last) return { forks: [], done: true, shared: {} };
    checkChains(inputs, treeRl.needs);
    const { chains } = inputs;
    const masks = treeRlMasks(chains, numberOf(parameters, longest));
    const forks = [...trees(chains).values()].flatMap((members) => {
      const merged = new Map<string, ForkDecision>();
      treeRlForks(chains, members, masks, perTree).forEach(({ chain, at, surprisal }, rank) => {
        const key = `${chain} ${at}`;
        const before = merged.get(key);
        const total = width + (before?.width ?? 0);
        merged.set(key, {
          chain,
          at,
          width: total,
          reasonCode: 'surprisal',
          reason:
            `Token ${at} had a surprisal of ${figure(surprisal)} nats when it was sampled, rank ` +
            `${before?.numbers['rank'] ?? rank + 1} of its tree: ${counted(total, 'continuation')}.`,
          numbers: { surprisal, rank: before?.numbers['rank'] ?? rank + 1 },
        });
      });
      return [...merged.values()];
    });
    forks.sort((a, b) => b.numbers['surprisal']! - a.numbers['surprisal']!);
    return {
      forks,
      done: inputs.round + 1 >= last,
      shared: { forksPerTree: perTree, continuations: width, rounds: last },
    };
  },
};

/** Indices of the chains of each tree, by the root chain they go back to. */
function trees(chains: readonly Chain[]): Map<number, number[]> {
  const root: number[] = [];
  const result = new Map<number, number[]>();
  chains.forEach(({ from }, i) => {
    const top = from === undefined ? i : root[from.chain];
    if (top === undefined)
      throw new Refusal('bad-tree', `Rollout ${i} stands before the one it attaches to.`);
    root[i] = top;
    const members = result.get(top);
    if (members === undefined) result.set(top, [i]);
    else members.push(i);
  });
  return result;
}
