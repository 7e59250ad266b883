import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { mixedProbability } from '../estimators/zeroGradientShare';
import { Refusal } from '../refusal';
import type { RewardTree } from './credit';
import { datpo, siblingDiversity, treeSiblingDiversity } from './datpo';
import { drGrpo } from './drGrpo';
import { groupAdvantages, leaveOneOutAdvantages } from './groupAdvantage';
import { grpo } from './grpo';
import { leaveOneOut } from './leaveOneOut';
import { creditMethodById, creditMethods } from './methods';
import { treeGrpo } from './treeGrpo';
import { zeroGradient } from './zeroGradient';

const close = (found: readonly number[], expected: readonly number[], tolerance = 1e-9): void => {
  expect(found.length).toBe(expected.length);
  found.forEach((value, i) =>
    expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(
      tolerance * Math.max(1, Math.abs(expected[i]!)),
    ),
  );
};

/** Independent rollouts: one block each. */
const flat = (rewards: readonly number[]): RewardTree => ({
  parents: rewards.map(() => -1),
  leaves: rewards.map((_, i) => i),
  rewards,
});

const perGroup = (
  groups: readonly string[],
  rewards: readonly number[],
  rule: (rewards: number[]) => readonly number[],
): number[] => {
  const result = new Array<number>(rewards.length);
  for (const group of new Set(groups)) {
    const members = groups.flatMap((name, i) => (name === group ? [i] : []));
    rule(members.map((i) => rewards[i]!)).forEach((advantage, j) => (result[members[j]!] = advantage));
  }
  return result;
};

const input = Type.Object({
  groupIdentifiers: Type.Array(Type.String()),
  rewards: Type.Array(Type.Number()),
});
const output = Type.Object({ advantages: Type.Array(Type.Number()) });

describe.each([
  [
    'credit-grpo-ddof1',
    (rewards: number[]) => grpo.apply(flat(rewards)).leafAdvantages,
    { divide: true, ddof: 1 },
  ],
  [
    'credit-grpo-ddof0',
    (rewards: number[]) => grpo.apply(flat(rewards), { deviation: 'population' }).leafAdvantages,
    { divide: true, ddof: 0 },
  ],
  [
    'credit-dr-grpo',
    (rewards: number[]) => drGrpo.apply(flat(rewards)).leafAdvantages,
    { divide: false, ddof: 1 },
  ],
  ['credit-leave-one-out', (rewards: number[]) => leaveOneOut.apply(flat(rewards)).leafAdvantages, undefined],
] as const)('%s', (file, rule, options) => {
  const cases = readVectors(`trees/${file}`, { input, params: Type.Object({}), output });
  const [large] = readVectors(`trees/${file}`, {
    input: Type.Object({
      count: Type.Integer(),
      rewardRule: Type.Object({
        multiplier: Type.Integer(),
        modulus: Type.Integer(),
        threshold: Type.Integer(),
      }),
    }),
    params: Type.Object({}),
    output: Type.Object({
      advantagesDigest: Type.Object({
        sumOfSquares: Type.Number(),
        minimum: Type.Number(),
        maximum: Type.Number(),
        selected: Type.Array(Type.Tuple([Type.Integer(), Type.Number()])),
      }),
    }),
  });

  it('has all vectors', () => expect(cases.length + (large === undefined ? 0 : 1)).toBe(33));

  it.each(cases)('$name', (vector) => {
    close(
      perGroup(vector.input.groupIdentifiers, vector.input.rewards, rule),
      vector.output.advantages,
      1e-8,
    );
  });

  it('ten thousand rollouts in one group', () => {
    const { count, rewardRule } = large!.input;
    const rewards = Array.from({ length: count }, (_, i) =>
      (i * rewardRule.multiplier) % rewardRule.modulus >= rewardRule.threshold ? 1 : 0,
    );
    const found =
      options === undefined
        ? leaveOneOutAdvantages(rewards)
        : groupAdvantages(rewards, { ...options, epsilon: 1e-6 });
    const digest = large!.output.advantagesDigest;
    close(
      [found.reduce((sum, a) => sum + a * a, 0), Math.min(...found), Math.max(...found)],
      [digest.sumOfSquares, digest.minimum, digest.maximum],
      1e-8,
    );
    close(
      digest.selected.map(([i]) => found[i]!),
      digest.selected.map(([, value]) => value),
      1e-8,
    );
  });
});

describe('GRPO against the released single-precision function', () => {
  const cases = readVectors('allocation/grpo', {
    input: Type.Object({ rewards: Type.Array(Type.Number()), group_of_rollout: Type.Array(Type.Integer()) }),
    params: Type.Object({ epsilon: Type.Number(), divide_by_std: Type.Boolean(), std_ddof: Type.Integer() }),
    output: Type.Object({
      advantages_exact: Type.Array(Type.Number()),
      zero_spread_groups: Type.Array(Type.Integer()),
      probability_mixed: Type.Array(Type.Number()),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(33));

  it.each(cases)('$name', (vector) => {
    const names = vector.input.group_of_rollout.map(String);
    const options = { divide: vector.params.divide_by_std, ddof: 1, epsilon: vector.params.epsilon } as const;
    close(
      perGroup(names, vector.input.rewards, (rewards) => groupAdvantages(rewards, options)),
      vector.output.advantages_exact,
      1e-8,
    );
    const groups = [...new Set(vector.input.group_of_rollout)].map((group) =>
      vector.input.rewards.filter((_, i) => vector.input.group_of_rollout[i] === group),
    );
    const zero = groups.flatMap((rewards, i) =>
      zeroGradient({ closed: true, rewards }).kind === 'zero' ? [i] : [],
    );
    expect(zero).toEqual(vector.output.zero_spread_groups);
    close(
      groups.map((rewards) =>
        mixedProbability(rewards.filter((r) => r === 1).length / rewards.length, rewards.length),
      ),
      vector.output.probability_mixed,
    );
  });
});

describe('Tree-GRPO', () => {
  const cases = readVectors('trees/credit-tree-grpo', {
    input: Type.Object({ leafRewardsByTree: Type.Array(Type.Array(Type.Number())) }),
    params: Type.Object({ epsilon: Type.Number() }),
    output: Type.Object({ intraPlusInter: Type.Array(Type.Number()) }),
  });

  it('has all vectors', () => expect(cases.length).toBe(26));

  it.each(cases)('$name', (vector) => {
    const parents: number[] = [];
    const leaves: number[] = [];
    for (const rewards of vector.input.leafRewardsByTree) {
      const root = parents.push(-1) - 1;
      for (let i = 0; i < rewards.length; i++) leaves.push(parents.push(root) - 1);
    }
    const tree = { parents, leaves, rewards: vector.input.leafRewardsByTree.flat() };
    close(
      treeGrpo.apply(tree, { epsilon: vector.params.epsilon }).leafAdvantages,
      vector.output.intraPlusInter,
    );
  });

  it('gives the worked example and the shared block the mean of its rollouts', () => {
    const tree = {
      parents: [-1, 0, 0, 0, -1, 4, 4, 4],
      leaves: [1, 2, 3, 5, 6, 7],
      rewards: [1, 0, 0, 1, 1, 0],
    };
    const credit = treeGrpo.apply(tree);
    close(credit.leafAdvantages, [2.0676, -1.4902, -1.4902, 1.4902, 1.4902, -2.0676], 1e-4);
    expect(credit.blockAdvantages[0]).toBeCloseTo((2.0676 - 2 * 1.4902) / 3, 4);
    expect(credit.blockValues[0]).toBeCloseTo(1 / 3, 12);
    expect(credit.rootValue).toBe(0.5);
  });
});

describe('DATPO', () => {
  const cases = readVectors('trees/credit-datpo', {
    input: Type.Object({
      parents: Type.Array(Type.Integer()),
      leafNodes: Type.Array(Type.Integer()),
      leafRewards: Type.Array(Type.Number()),
      blockEmbeddings: Type.Array(Type.Array(Type.Number())),
    }),
    params: Type.Object({ diversityWeight: Type.Number() }),
    output: Type.Object({
      stateValues: Type.Array(Type.Number()),
      siblingDiversity: Type.Array(Type.Number()),
      advantages: Type.Array(Type.Number()),
      treeSiblingDiversity: Type.Union([Type.Number(), Type.Null()]),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(26));

  it.each(cases)('$name', (vector) => {
    // Node 0 of the vectors is the prompt, which is no block here.
    const tree: RewardTree = {
      parents: vector.input.parents.slice(1).map((parent) => parent - 1),
      leaves: vector.input.leafNodes.map((leaf) => leaf - 1),
      rewards: vector.input.leafRewards,
      embeddings: vector.input.blockEmbeddings.slice(1),
    };
    const credit = datpo.apply(tree, { diversityWeight: vector.params.diversityWeight });
    close(credit.blockAdvantages, vector.output.advantages.slice(1));
    expect(credit.rootValue).toBeCloseTo(vector.output.stateValues[0]!, 12);
    // The vectors write the value after an end, which is 0; here a block has the mean reward through it.
    const ends = new Set(tree.leaves);
    credit.blockValues.forEach((value, block) => {
      if (!ends.has(block)) expect(value).toBeCloseTo(vector.output.stateValues[block + 1]!, 12);
    });
    close(siblingDiversity(tree), vector.output.siblingDiversity.slice(1));
    expect(treeSiblingDiversity(tree) ?? 0).toBeCloseTo(vector.output.treeSiblingDiversity ?? 0, 9);
  });

  it('gives the worked example, without embeddings where they have no weight', () => {
    // Rollout A forked once, its ends 1, 0, 0; rollout B ends at 0.
    const tree = { parents: [-1, 0, 0, 0, -1], leaves: [1, 2, 3, 4], rewards: [1, 0, 0, 0] };
    close(datpo.apply(tree).blockAdvantages, [0.08333333, 0.66666667, -0.33333333, -0.33333333, -0.25], 1e-7);
    expect(() => datpo.apply(tree, { diversityWeight: 0.2 })).toThrow(/needs an embedding/u);
  });
});

describe('every credit rule', () => {
  const tree = fc
    .array(fc.record({ parent: fc.nat(), reward: fc.constantFrom(0, 1, 0.1, 0.5) }), {
      minLength: 1,
      maxLength: 12,
    })
    .map((rows) => {
      const parents = rows.map(({ parent }, i) => (i === 0 ? -1 : (parent % (i + 1)) - 1));
      const leaves = rows.flatMap((_, i) => (parents.includes(i) ? [] : [i]));
      return {
        parents,
        leaves,
        rewards: leaves.map((leaf) => rows[leaf]!.reward),
        tokens: parents.map(() => 3),
      };
    });

  it.each(creditMethods.map((method) => [method.id, method] as const))(
    '%s: zero on equal rewards, same order, no change of input',
    (id, method) => {
      expect(creditMethodById(id)).toBe(method);
      fc.assert(
        fc.property(tree, (given) => {
          fc.pre(id !== 'treerl' || given.leaves.length > 1);
          const copy = structuredClone(given);
          const credit = method.apply(given);
          expect(given).toEqual(copy);
          expect(credit.leafAdvantages.length).toBe(given.leaves.length);
          expect(credit.blockAdvantages.length).toBe(given.parents.length);
          for (const value of credit.blockValues) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(1);
          }
          const equal = method.apply({ ...given, rewards: given.rewards.map(() => 0.1) });
          const trees = given.parents.filter((parent) => parent < 0).length;
          // A lone rollout keeps its reward by convention, also as the only one of its tree.
          if (given.leaves.length > 1 && (id !== 'tree-grpo' || trees === 1)) {
            for (const advantage of equal.leafAdvantages) expect(Math.abs(advantage)).toBeLessThan(1e-12);
          }
        }),
      );
    },
  );

  it('refuses trees that are none', () => {
    const reject = (parents: number[], leaves: number[], rewards: number[]): void =>
      expect(() => grpo.apply({ parents, leaves, rewards })).toThrow(Refusal);
    reject([], [], []);
    reject([-1, 0], [0], [1]);
    reject([-1, 0], [1], [Number.NaN]);
    reject([-1, 0], [1], [1, 2]);
    reject([1, -1], [0], [1]);
    reject([-1, -1], [0], [1]);
    reject([-1], [0, 0], [1, 1]);
    expect(() => creditMethodById('nope')).toThrow(/Known: grpo/u);
  });
});

describe('zeroGradient', () => {
  it('judges exact equality, not a standard deviation', () => {
    const zero = { kind: 'zero', because: 'equal-rewards', reward: 0.1 };
    for (const n of [2, 3, 6, 7, 8]) {
      expect(zeroGradient({ closed: true, rewards: new Array<number>(n).fill(0.1) })).toEqual(zero);
    }
    expect(zeroGradient({ closed: true, rewards: [0.1, 0.1 + 2 ** -55] }).kind).toBe('gradient');
    expect(zeroGradient({ closed: true, rewards: [0.3, 0.1 + 0.2] }).kind).toBe('gradient');
    expect(zeroGradient({ closed: true, rewards: [0, -0] }).kind).toBe('zero');
  });

  it('counts a group without a trained token, and not one of one or none', () => {
    expect(zeroGradient({ closed: true, rewards: [0, 1], trainedTokens: 0 })).toEqual({
      kind: 'zero',
      because: 'nothing-trained',
    });
    expect(zeroGradient({ closed: true, rewards: [0, 1], trainedTokens: 5 }).kind).toBe('gradient');
    expect(zeroGradient({ closed: true, rewards: [1], trainedTokens: 0 }).kind).toBe('neither');
    expect(zeroGradient({ closed: true, rewards: [] }).kind).toBe('neither');
  });

  it('says of a running group only what is so far', () => {
    expect(zeroGradient({ closed: false, rewards: [0, 0] })).toEqual({ kind: 'running', allEqual: 0 });
    expect(zeroGradient({ closed: false, rewards: [0] })).toEqual({ kind: 'running', allEqual: undefined });
    expect(zeroGradient({ closed: false, rewards: [0, 1] })).toEqual({
      kind: 'running',
      allEqual: undefined,
    });
    expect(() => zeroGradient({ closed: true, rewards: [Number.NaN, 0] })).toThrow(Refusal);
  });

  it('does not depend on the order of the rewards', () => {
    const rewards = fc.array(fc.constantFrom(0, 1, 0.1), { maxLength: 6 });
    fc.assert(
      fc.property(rewards, (some) => {
        expect(zeroGradient({ closed: true, rewards: [...some].reverse() }).kind).toBe(
          zeroGradient({ closed: true, rewards: some }).kind,
        );
      }),
    );
  });
});
