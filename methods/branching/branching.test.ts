import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Refusal } from '../refusal';
import type { Chain } from './branching';
import { datpo, segmentForks, sentenceEntropies, sentenceForks, tokenForks } from './datpo';
import { datpoCounts } from './datpoCounts';
import type { DatpoLimits } from './datpoCounts';
import { independent } from './independent';
import { branchingMethodById, branchingMethods } from './methods';
import { mostSurprising, treeRl, treeRlForks, treeRlLeaves, treeRlMasks } from './treeRl';

const limits = (mostForks: number, mostBranches: number): DatpoLimits => ({
  mostForks,
  mostBranches,
  adaptive: true,
});

describe('DATPO counts', () => {
  const cases = readVectors('trees/branch-datpo-counts', {
    input: Type.Object({ baseRewards: Type.Array(Type.Number()) }),
    params: Type.Object({ maximumForkPoints: Type.Integer(), maximumBranches: Type.Integer() }),
    output: Type.Object({
      value: Type.Number(),
      forkPointsPerTrajectory: Type.Integer(),
      branchesPerFork: Type.Integer(),
      maximumLeaves: Type.Integer(),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(41));

  it.each(cases)('$name', ({ input, params, output }) => {
    const found = datpoCounts(input.baseRewards, limits(params.maximumForkPoints, params.maximumBranches));
    expect(found.value).toBeCloseTo(output.value, 9);
    expect([found.forks, found.branches, found.mostLeaves]).toEqual([
      output.forkPointsPerTrajectory,
      output.branchesPerFork,
      output.maximumLeaves,
    ]);
  });

  it('gives the worked example, and exact ceilings where doubles would not', () => {
    const leaves = [4, 3, 2, 1, 0].map(
      (c) =>
        datpoCounts(
          [0, 1, 2, 3].map((i) => (i < c ? 1 : 0)),
          limits(3, 4),
        ).mostLeaves,
    );
    expect(leaves).toEqual([4, 8, 20, 40, 52]);
    // ceil(10 · (1 − 0.7)) is 4 in doubles.
    expect(datpoCounts([1, 1, 1, 1, 1, 1, 1, 0, 0, 0], limits(10, 10)).forks).toBe(3);
    expect(datpoCounts(new Array<number>(10).fill(0.7), limits(10, 10)).forks).toBe(3);
  });

  it('refuses rewards that are no share and a group without an end', () => {
    expect(() => datpoCounts([], limits(3, 4))).toThrow(Refusal);
    expect(() => datpoCounts([1, -1], limits(3, 4))).toThrow(Refusal);
  });
});

describe('DATPO fork positions', () => {
  const cases = readVectors('trees/branch-datpo-sentence', {
    input: Type.Object({
      tokenEntropies: Type.Array(Type.Number()),
      sentenceStarts: Type.Array(Type.Integer()),
    }),
    params: Type.Object({ forkPoints: Type.Integer() }),
    output: Type.Object({
      sentenceMeans: Type.Array(Type.Number()),
      sentenceForkTokens: Type.Array(Type.Integer()),
      tokenForkTokens: Type.Array(Type.Integer()),
      fixedSegmentForkTokens: Type.Array(Type.Integer()),
      tokenForkTokensMinimumDistancePercent: Type.Record(Type.String(), Type.Array(Type.Integer())),
    }),
  });
  const at = (forks: readonly { at: number }[]): number[] => forks.map((fork) => fork.at);

  it('has all vectors', () => expect(cases.length).toBe(22));

  it.each(cases)('$name', ({ input: { tokenEntropies, sentenceStarts }, params: { forkPoints }, output }) => {
    sentenceEntropies(tokenEntropies, sentenceStarts).forEach((mean, i) =>
      expect(mean).toBeCloseTo(output.sentenceMeans[i]!, 9),
    );
    expect(at(sentenceForks(tokenEntropies, sentenceStarts, forkPoints))).toEqual(output.sentenceForkTokens);
    expect(at(tokenForks(tokenEntropies, forkPoints))).toEqual(output.tokenForkTokens);
    expect(at(segmentForks(tokenEntropies, forkPoints))).toEqual([...new Set(output.fixedSegmentForkTokens)]);
    for (const [percent, expected] of Object.entries(output.tokenForkTokensMinimumDistancePercent)) {
      expect(at(tokenForks(tokenEntropies, forkPoints, Number(percent)))).toEqual(expected);
    }
  });
});

describe('DATPO', () => {
  const root = (success: boolean, entropies: number[]): Chain => ({
    tokens: entropies.length,
    from: undefined,
    entropies,
    sentenceStarts: [0, 2],
    success,
  });

  it('forks the most uncertain sentence of every root rollout, with the numbers put in', () => {
    const chains = [
      root(true, [0.1, 0.3, 2, 1]),
      root(true, [2, 2, 0, 0]),
      root(true, [1, 1, 0, 0]),
      root(false, [0, 0, 0.5, 0.5]),
    ];
    const { forks, done, shared } = datpo.decide({ chains, round: 0 });
    expect(done).toBe(true);
    expect(shared).toMatchObject({ value: 0.75, forks: 1, branches: 1, mostLeaves: 8 });
    expect(forks.map(({ chain, at, width }) => [chain, at, width])).toEqual([
      [1, 0, 1],
      [0, 2, 1],
      [2, 0, 1],
      [3, 2, 1],
    ]);
    expect(forks[1]!.reason).toBe(
      'The sentence at token 2 has a mean entropy of 1.5 nats, rank 1 of its rollout; at a pass rate of 0.75 it gets 1 continuation.',
    );
    expect(datpo.decide({ chains, round: 1 })).toEqual({ forks: [], done: true, shared: {} });
    expect(datpo.rootRollouts({ rootRollouts: 7 })).toBe(7);
  });

  it('does not fork if every root rollout succeeded', () => {
    expect(datpo.decide({ chains: [root(true, [1, 2, 3, 4])], round: 0 }).forks).toEqual([]);
  });

  it('refuses rollouts without entropies, sentences or an outcome', () => {
    const bare: Chain = { tokens: 2, from: undefined, success: true };
    expect(() => datpo.decide({ chains: [bare], round: 0 })).toThrow(/entropy of each token/u);
    expect(() => datpo.decide({ chains: [{ ...bare, entropies: [1, 1] }], round: 0 })).toThrow(
      /sentences begin/u,
    );
    expect(() =>
      datpo.decide({ chains: [{ ...bare, entropies: [1] }], round: 0 }, { place: 'token' }),
    ).toThrow(/2 tokens but 1/u);
    expect(() =>
      datpo.decide({ chains: [{ ...root(true, [1, 1, 1, 1]), sentenceStarts: [0, 9] }], round: 0 }),
    ).toThrow(Refusal);
  });

  it('places at most the wanted number of distinct forks inside the rollout', () => {
    const entropies = fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(entropies, fc.integer({ min: 0, max: 6 }), fc.nat(30), (values, count, percent) => {
        for (const forks of [
          tokenForks(values, count, percent),
          segmentForks(values, count),
          sentenceForks(values, [0], count),
        ]) {
          expect(forks.length).toBeLessThanOrEqual(count);
          expect(new Set(at(forks)).size).toBe(forks.length);
          for (const position of at(forks)) expect(position).toBeLessThan(values.length);
        }
      }),
    );
    function at(forks: readonly { at: number }[]): number[] {
      return forks.map((fork) => fork.at);
    }
  });
});

describe('TreeRL', () => {
  const cases = readVectors('trees/branch-treerl-surprisal', {
    input: Type.Object({
      chains: Type.Array(
        Type.Object({
          tokenStrings: Type.Array(Type.String()),
          sampledTokenLogProbabilities: Type.Array(Type.Number()),
          parentChain: Type.Union([Type.Integer(), Type.Null()]),
          splitIndex: Type.Union([Type.Integer(), Type.Null()]),
        }),
      ),
    }),
    params: Type.Object({ forksPerTree: Type.Integer(), maximumLength: Type.Integer() }),
    output: Type.Object({
      masks: Type.Array(Type.Array(Type.Boolean())),
      topTokensPerChain: Type.Array(Type.Array(Type.Integer())),
      chosenForks: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])),
    }),
  });
  const counts = readVectors('trees/branch-treerl-budget', {
    input: Type.Object({
      parallelChains: Type.Integer(),
      forksPerRound: Type.Integer(),
      rounds: Type.Integer(),
      continuationsPerFork: Type.Integer(),
    }),
    params: Type.Object({}),
    output: Type.Object({ leaves: Type.Integer() }),
  });

  it('has all vectors', () => {
    expect(cases.length).toBe(35);
    expect(counts.length).toBe(45);
  });

  it.each(counts)('$name', ({ input, output }) => {
    expect(
      treeRlLeaves(input.parallelChains, input.forksPerRound, input.rounds, input.continuationsPerFork),
    ).toBe(output.leaves);
  });

  it.each(cases)('$name', ({ input, params: { forksPerTree, maximumLength }, output }) => {
    const chains = input.chains.map((chain): Chain => ({
      tokens: chain.tokenStrings.length,
      texts: chain.tokenStrings,
      logprobs: chain.sampledTokenLogProbabilities,
      from:
        chain.parentChain === null || chain.splitIndex === null
          ? undefined
          : { chain: chain.parentChain, at: chain.splitIndex },
    }));
    const masks = treeRlMasks(chains, maximumLength);
    expect(masks).toEqual(output.masks);
    chains.forEach(({ logprobs }, i) => {
      const surprisals = logprobs!.map((logprob) => -logprob);
      expect(mostSurprising(surprisals, masks[i]!, forksPerTree)).toEqual(output.topTokensPerChain[i]);
    });
    const members = chains.map((_, i) => i);
    const chosen = treeRlForks(chains, members, masks, forksPerTree);
    expect(chosen.map(({ chain, at }) => [chain, at])).toEqual(output.chosenForks);
    if (chains.filter(({ from }) => from === undefined).length > 1) return;
    const { forks } = treeRl.decide(
      { chains, round: 0 },
      { forksPerTree, longest: maximumLength, continuations: 3 },
    );
    expect(forks.reduce((sum, { width }) => sum + width, 0)).toBe(3 * output.chosenForks.length);
    expect(new Set(forks.map(({ chain, at }) => `${chain} ${at}`)).size).toBe(forks.length);
  });

  it('forks each tree on its own, round by round', () => {
    const chain = (logprobs: number[], from?: Chain['from']): Chain => ({
      tokens: logprobs.length,
      from,
      logprobs,
      texts: logprobs.map(() => 'x'),
    });
    const chains = [chain([-1, -3, -2]), chain([-0.5, -0.25]), chain([-9, -4], { chain: 0, at: 1 })];
    const { forks, done } = treeRl.decide({ chains, round: 0 }, { rounds: 2, forksPerTree: 1 });
    expect(done).toBe(false);
    expect(forks.map(({ chain: of, at, width }) => [of, at, width])).toEqual([
      [2, 1, 2],
      [1, 0, 2],
    ]);
    expect(treeRl.decide({ chains, round: 1 }, { rounds: 2 }).done).toBe(true);
    expect(treeRl.decide({ chains, round: 2 }, { rounds: 2 }).forks).toEqual([]);
    expect(() => treeRl.decide({ chains: [{ tokens: 1, from: undefined }], round: 0 })).toThrow(Refusal);
    expect(() => treeRl.decide({ chains: [chain([-1], { chain: 3, at: 0 })], round: 0 })).toThrow(Refusal);
  });
});

describe('table of branching methods', () => {
  it('finds each by its id and says when a fork is decided', () => {
    for (const method of branchingMethods) expect(branchingMethodById(method.id)).toBe(method);
    expect(branchingMethods.map(({ id, position }) => [id, position])).toEqual([
      ['independent', 'online'],
      ['datpo', 'after-outcome'],
      ['treerl', 'after-completion'],
    ]);
    expect(independent.decide({ chains: [], round: 0 })).toEqual({ forks: [], done: true, shared: {} });
    expect(independent.rootRollouts()).toBeUndefined();
    expect(() => branchingMethodById('nope')).toThrow(Refusal);
  });
});
