import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Refusal } from '../refusal';
import type { RewardTree } from './credit';
import { treeRl } from './treeRl';

interface VectorChain {
  readonly length: number;
  readonly parentChain: number | null;
  readonly splitIndex: number | null;
  readonly score: number;
}

interface Built {
  readonly parents: number[];
  readonly leaves: number[];
  readonly rewards: number[];
  readonly tokens: number[];
}

/** Cuts whole chains at the positions where others attach, depth first: a chain's own rest, then its branches. */
function blocksOf(trees: readonly (readonly VectorChain[])[]): Built {
  const built: Built = { parents: [], leaves: [], rewards: [], tokens: [] };
  for (const chains of trees) {
    const emit = (index: number, start: number, parent: number, done: readonly number[]): void => {
      const { length, score } = chains[index]!;
      const children = chains.flatMap((chain, i) =>
        chain.parentChain === index ? [{ i, at: chain.splitIndex! }] : [],
      );
      const open = children.map(({ at }) => at).filter((at) => !done.includes(at));
      const block = built.parents.push(parent) - 1;
      if (open.length === 0) {
        built.tokens.push(length - start);
        built.leaves.push(block);
        built.rewards.push(score);
        return;
      }
      const cut = Math.min(...open);
      built.tokens.push(cut - start);
      emit(index, cut, block, [...done, cut]);
      for (const { i, at } of children) if (at === cut) emit(i, 0, block, []);
    };
    chains.forEach(({ parentChain }, i) => {
      if (parentChain === null) emit(i, 0, -1, []);
    });
  }
  return built;
}

describe('TreeRL', () => {
  const published = Type.Object({
    weightedValue: Type.Literal(true),
    weightStyle: Type.Literal('sqrt'),
    overallNormalisation: Type.Literal('token'),
    finalValue: Type.Literal('state'),
  });
  const cases = readVectors('trees/credit-treerl', {
    input: Type.Object({
      chainsByTree: Type.Array(
        Type.Array(
          Type.Object({
            length: Type.Integer(),
            parentChain: Type.Union([Type.Integer(), Type.Null()]),
            splitIndex: Type.Union([Type.Integer(), Type.Null()]),
            score: Type.Number(),
          }),
        ),
      ),
      selectedLeafSegments: Type.Array(Type.Integer()),
    }),
    params: published,
    output: Type.Object({
      segmentParents: Type.Array(Type.Integer()),
      segmentTokenCounts: Type.Array(Type.Integer()),
      pathSegments: Type.Array(Type.Array(Type.Integer())),
      pathValues: Type.Array(Type.Array(Type.Number())),
    }),
  });
  const [large] = readVectors('trees/credit-treerl', {
    input: Type.Object({
      compactChains: Type.Object({ trees: Type.Integer(), sideChainsPerTree: Type.Integer() }),
    }),
    params: published,
    output: Type.Object({
      segments: Type.Integer(),
      lastPathValueDigest: Type.Object({
        sumOfSquares: Type.Number(),
        minimum: Type.Number(),
        maximum: Type.Number(),
        selected: Type.Array(Type.Tuple([Type.Integer(), Type.Number()])),
      }),
    }),
  });

  it('has all vectors of the published setting', () =>
    expect(cases.length + (large === undefined ? 0 : 1)).toBe(28));

  it.each(cases)('$name', ({ input, output }) => {
    const blocks = blocksOf(input.chainsByTree);
    // Segment 0 of the vectors is the prompt, which is no block here.
    expect(blocks.parents.map((parent) => parent + 1)).toEqual(output.segmentParents.slice(1));
    expect(blocks.tokens).toEqual(output.segmentTokenCounts.slice(1));
    const selected = new Set(input.selectedLeafSegments.map((segment) => segment - 1));
    const tree: RewardTree = { ...blocks, trained: blocks.leaves.map((leaf) => selected.has(leaf)) };
    const { blockAdvantages } = treeRl.apply(tree);
    output.pathSegments.forEach((path, i) =>
      path.forEach((segment, j) =>
        expect(blockAdvantages[segment - 1]).toBeCloseTo(output.pathValues[i]![j]!, 9),
      ),
    );
  });

  it('ten thousand leaves', () => {
    const { trees, sideChainsPerTree } = large!.input.compactChains;
    const chains = Array.from({ length: trees }, (_, tree) =>
      Array.from({ length: sideChainsPerTree + 1 }, (__, chain): VectorChain => ({
        length: chain === 0 ? 200 : 10,
        parentChain: chain === 0 ? null : 0,
        splitIndex: chain === 0 ? null : 2 * chain,
        score: ((tree * 100 + chain) * 7919) % 10_007 >= 7000 ? 1 : 0,
      })),
    );
    const tree = blocksOf(chains);
    expect(tree.parents.length + 1).toBe(large!.output.segments);
    const found = treeRl.apply(tree).leafAdvantages;
    // The vectors list the leaves of a tree from the shallowest fork on: here the other way round.
    const inOrder = Array.from({ length: trees }, (_, t) =>
      found.slice(100 * t, 100 * t + 100).reverse(),
    ).flat();
    const digest = large!.output.lastPathValueDigest;
    expect(found.reduce((sum, a) => sum + a * a, 0)).toBeCloseTo(digest.sumOfSquares, 5);
    expect(Math.min(...found)).toBeCloseTo(digest.minimum, 9);
    expect(Math.max(...found)).toBeCloseTo(digest.maximum, 9);
    for (const [i, value] of digest.selected) expect(inOrder[i]).toBeCloseTo(value, 9);
  });

  it('refuses a lone rollout, missing lengths and a wrong number of training flags', () => {
    const pair = { parents: [-1, -1], leaves: [0, 1], rewards: [0, 1] };
    expect(() => treeRl.apply({ parents: [-1], leaves: [0], rewards: [1], tokens: [4] })).toThrow(Refusal);
    expect(() => treeRl.apply(pair)).toThrow(/length of every block/u);
    expect(() => treeRl.apply({ ...pair, tokens: [1, 1], trained: [true] })).toThrow(Refusal);
    expect(treeRl.apply({ ...pair, tokens: [5, 5] }).leafAdvantages).toEqual([-2, 2]);
  });
});
