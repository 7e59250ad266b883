import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { sampleBeta } from '../distributions';
import { Rng } from '../random';
import { Refusal } from '../refusal';
import { passAtK } from './passAtK';
import { firstBadFork, passAtKOfTrees, rootSuccessRates, treeCoverage } from './treePassAtK';
import type { ForkRecord, RolloutForest } from './treePassAtK';

const params = Type.Object({ k: Type.Array(Type.Integer()) });
const byK = Type.Record(Type.String(), Type.Union([Type.Number(), Type.Null()]));
const output = Type.Object({
  rootSuccessRates: Type.Optional(Type.Array(Type.Number())),
  treeAwarePassAtK: byK,
});
const forest = Type.Object({
  parents: Type.Array(Type.Integer()),
  leafNodes: Type.Array(Type.Integer()),
  leafRewards: Type.Array(Type.Number()),
});

const compare = (
  found: (number | undefined)[],
  ks: number[],
  expected: Record<string, number | null>,
): void =>
  ks.forEach((k, i) => {
    const value = expected[String(k)];
    if (typeof value === 'number') expect(Math.abs(found[i]! - value)).toBeLessThanOrEqual(1e-10);
    else expect(found[i]).toBeUndefined();
  });

describe('tree-aware pass@k', () => {
  const file = 'trees/estimate-tree-pass-at-k';
  const explicit = readVectors(file, {
    input: forest,
    params,
    output,
  });
  const regular = readVectors(file, {
    input: Type.Object({
      regularForest: Type.Object({ roots: Type.Integer(), branching: Type.Array(Type.Integer()) }),
      leafRewardRule: Type.Object({
        multiplier: Type.Integer(),
        modulus: Type.Integer(),
        threshold: Type.Integer(),
      }),
    }),
    params,
    output: Type.Object({ treeAwarePassAtK: byK }),
  });
  const simulated = readVectors('trees/estimate-simulated-trees', {
    input: forest,
    params,
    output,
  });

  const averages = readVectors('trees/estimate-simulated-trees', {
    input: Type.Object({
      successProbability: Type.Number(),
      trees: Type.Integer(),
      branching: Type.Array(Type.Integer()),
      concentration: Type.Number(),
      forkOnlyAfterFailure: Type.Boolean(),
    }),
    params,
    output: Type.Object({
      truePassAtK: Type.Record(Type.String(), Type.Number()),
      treeAware: Type.Record(
        Type.String(),
        Type.Object({ mean: Type.Number(), standardError: Type.Number() }),
      ),
    }),
  });

  it('has all vectors', () => {
    expect(explicit.length + regular.length).toBe(37);
    expect(simulated.length + averages.length).toBe(30);
  });

  it.each(averages.filter(({ input }) => !input.forkOnlyAfterFailure))(
    '$name: $input: the mean over many forests is the truth',
    ({ input, params: { k }, output }) => {
      const rng = Rng.from(JSON.stringify(input));
      const forests = 2000;
      const sums = k.map(() => 0);
      const { successProbability: p, concentration: s } = input;
      for (let f = 0; f < forests; f++) {
        const parents: number[] = [];
        const leaves: number[] = [];
        const successes: number[] = [];
        const grow = (parent: number, value: number, depth: number): void => {
          const node = parents.push(parent) - 1;
          const width = input.branching[depth];
          if (width === undefined) {
            leaves.push(node);
            successes.push(rng.float() < value ? 1 : 0);
            return;
          }
          for (let child = 0; child < width; child++) {
            const certain = value * s < 1e-300 || (1 - value) * s < 1e-300;
            grow(node, certain ? value : sampleBeta(rng, value * s, (1 - value) * s), depth + 1);
          }
        };
        for (let tree = 0; tree < input.trees; tree++) grow(-1, sampleBeta(rng, p * s, (1 - p) * s), 0);
        passAtKOfTrees(rootSuccessRates({ parents, leaves, successes }), k).forEach((value, i) => {
          sums[i]! += value! / forests;
        });
      }
      k.forEach((each, i) => {
        const { mean, standardError } = output.treeAware[String(each)]!;
        expect(Math.abs(sums[i]! - output.truePassAtK[String(each)]!)).toBeLessThan(4.5 * standardError);
        expect(Math.abs(sums[i]! - mean)).toBeLessThan(4.5 * Math.SQRT2 * standardError);
      });
    },
  );

  it.each([...explicit, ...simulated])('$name', ({ input, params: { k }, output }) => {
    const rates = rootSuccessRates({
      parents: input.parents,
      leaves: input.leafNodes,
      successes: input.leafRewards,
    });
    output.rootSuccessRates?.forEach((q, i) => expect(rates[i]).toBeCloseTo(q, 12));
    compare(passAtKOfTrees(rates, k), k, output.treeAwarePassAtK);
  });

  it.each(regular)('$name', ({ input: { regularForest, leafRewardRule }, params: { k }, output }) => {
    const parents: number[] = new Array<number>(regularForest.roots).fill(-1);
    let level = parents.map((_, i) => i);
    for (const width of regularForest.branching) {
      const next: number[] = [];
      for (const parent of level) {
        for (let child = 0; child < width; child++) next.push(parents.push(parent) - 1);
      }
      level = next;
    }
    const { multiplier, modulus, threshold } = leafRewardRule;
    const successes = level.map((_, i) => ((i * multiplier) % modulus >= threshold ? 1 : 0));
    compare(
      passAtKOfTrees(rootSuccessRates({ parents, leaves: level, successes }), k),
      k,
      output.treeAwarePassAtK,
    );
  });

  it('is the worked example q = (.5, 0, 1, .25), k = 2', () => {
    expect(passAtKOfTrees([0.5, 0, 1, 0.25], [2])[0]).toBeCloseTo(0.7292, 4);
    expect(passAtKOfTrees([1, 0, 0, 0], [2])[0]).toBeCloseTo(0.5, 12);
  });

  it('is the ordinary estimator on single-leaf trees, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), fc.nat(59), (outcomes, someK) => {
        const k = 1 + (someK % outcomes.length);
        const c = outcomes.filter(Boolean).length;
        const [value] = passAtKOfTrees(outcomes.map(Number), [k]);
        expect(value).toBeCloseTo(passAtK(outcomes.length, c, k)!, 11);
        expect(passAtKOfTrees([...outcomes].reverse().map(Number), [k])[0]).toBeCloseTo(value!, 12);
      }),
    );
  });

  it('is unbiased on trees forked online, where the naive estimate over leaves is not', () => {
    const rng = Rng.from('trees');
    let aware = 0;
    let naive = 0;
    const forests = 6000;
    for (let f = 0; f < forests; f++) {
      const parents: number[] = [];
      const leaves: number[] = [];
      const successes: number[] = [];
      for (let tree = 0; tree < 8; tree++) {
        const root = parents.push(-1) - 1;
        const value = sampleBeta(rng, 0.3, 0.7);
        for (let leaf = 0; leaf < 4; leaf++) {
          leaves.push(parents.push(root) - 1);
          successes.push(rng.float() < value ? 1 : 0);
        }
      }
      aware += passAtKOfTrees(rootSuccessRates({ parents, leaves, successes }), [4])[0]! / forests;
      naive +=
        passAtK(
          32,
          successes.reduce((sum, s) => sum + s, 0),
          4,
        )! / forests;
    }
    expect(Math.abs(aware - 0.7599)).toBeLessThan(0.005);
    expect(naive).toBeLessThan(0.74);
  });

  it('refuses trees that are not closed or out of order', () => {
    expect(() => rootSuccessRates({ parents: [-1, 0], leaves: [0], successes: [1] })).toThrow(
      /Node 1 has no end/u,
    );
    expect(() => rootSuccessRates({ parents: [1, -1], leaves: [0], successes: [1] })).toThrow(Refusal);
    expect(() => rootSuccessRates({ parents: [-1], leaves: [3], successes: [1] })).toThrow(Refusal);
    expect(() => passAtKOfTrees([1.5], [1])).toThrow(Refusal);
  });
});

describe('conditions of the tree-aware form', () => {
  const good: ForkRecord = {
    position: 'online',
    children: 'same-policy',
    sameVersion: true,
    sameSampling: true,
    pruned: false,
  };
  const pair: RolloutForest = { parents: [-1, 0, 0, -1], leaves: [1, 2, 3], successes: [1, 0, 0] };

  it('uses all leaves if every fork is online and same-policy', () => {
    expect(treeCoverage(pair, [good], [1, 0], [1, 2, 3])).toEqual({
      form: 'trees',
      failed: undefined,
      units: 2,
      passAtK: [0.25, 0.5, undefined],
    });
  });

  it.each([
    [{ ...good, position: 'after-completion' as const }, 'position'],
    [{ ...good, position: 'after-outcome' as const }, 'position'],
    [{ ...good, position: 'person' as const }, 'position'],
    [{ ...good, children: 'guided' as const }, 'children'],
    [{ ...good, sameVersion: false }, 'version'],
    [{ ...good, sameSampling: false }, 'sampling'],
    [{ ...good, pruned: true }, 'pruned'],
  ])('falls back to the independent roots and says which fork and why: %o', (bad, because) => {
    expect(firstBadFork([good, bad])).toEqual({ fork: 1, because });
    expect(treeCoverage(pair, [good, bad], [1, 0], [1, 2])).toEqual({
      form: 'roots',
      failed: { fork: 1, because },
      units: 2,
      passAtK: [0.5, 1],
    });
  });
});
