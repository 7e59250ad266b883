import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { graft, graftChoice, graftWeight } from './graft';
import { runToEnd } from './runToEnd';

const groups = (successes: readonly number[], rollouts: number) =>
  successes.map((count) => ({ rollouts, successes: count }));

const run = (own: readonly number[], partner: readonly number[], size: number) =>
  runToEnd(
    graft,
    {
      prompts: groups(partner, size).map((group, i) => ({ id: String(i), partner: group })),
      budget: 0,
    },
    Rng.from(0),
    (prompt, i) => (i < own[prompt]! ? 1 : 0),
    { groupSize: size },
  ).at(-1)!;

describe('GRAFT', () => {
  const replaced = readVectors('allocation/graft', {
    input: Type.Object({
      kind: Type.Literal('replace'),
      successes_a: Type.Array(Type.Integer()),
      successes_b: Type.Array(Type.Integer()),
    }),
    params: Type.Object({ rollouts_per_group: Type.Integer() }),
    output: Type.Object({
      candidates_a_to_b: Type.Array(Type.Integer()),
      candidates_b_to_a: Type.Array(Type.Integer()),
      m: Type.Integer(),
      b_gets_group_of_a_for_prompts: Type.Array(Type.Integer()),
      a_gets_group_of_b_for_prompts: Type.Array(Type.Integer()),
    }),
  });
  const weights = readVectors('allocation/graft', {
    input: Type.Object({
      kind: Type.Literal('weight'),
      mean_logp_target_old: Type.Array(Type.Number()),
      mean_logp_source_old: Type.Array(Type.Number()),
    }),
    params: Type.Object({ delta: Type.Number() }),
    output: Type.Object({ ratio: Type.Array(Type.Number()), weight: Type.Array(Type.Number()) }),
  });

  it('has all vectors', () => expect(replaced.length + weights.length).toBe(35));

  it.each(replaced)('$name', ({ input, params: { rollouts_per_group: size }, output }) => {
    const choice = graftChoice(groups(input.successes_a, size), groups(input.successes_b, size));
    expect(choice).toEqual({
      candidatesToFirst: output.candidates_b_to_a,
      candidatesToSecond: output.candidates_a_to_b,
      each: output.m,
      toFirst: output.a_gets_group_of_b_for_prompts,
      toSecond: output.b_gets_group_of_a_for_prompts,
    });
    const taken = run(input.successes_a, input.successes_b, size).requests.filter(({ count }) => count > 0);
    expect(taken.map(({ prompt }) => prompt)).toEqual(output.a_gets_group_of_b_for_prompts);
  });

  it.each(weights)('$name', ({ input, params, output }) =>
    input.mean_logp_target_old.forEach((target, i) => {
      const found = graftWeight(target, input.mean_logp_source_old[i]!, params.delta);
      expect(found.ratio / output.ratio[i]!).toBeCloseTo(1, 12);
      expect(found.weight).toBeCloseTo(output.weight[i]!, 12);
    }),
  );

  it('exchanges one group each way: q1 for q4', () => {
    const toB = run([0, 0, 0, 3, 0, 0], [5, 2, 8, 0, 0, 2], 8);
    const taken = toB.requests.filter(({ count }) => count > 0);
    expect(taken).toHaveLength(1);
    expect(taken[0]).toMatchObject({ prompt: 0, action: 'substitute', count: 8, from: 'partner' });
    expect(taken[0]!.reason).toBe(
      'None of its 8 rollouts succeeded, 5 of the partner’s 8 did; 1 are exchanged each way, with all that equal the last: the partner’s group takes the place of its own.',
    );
    expect(graftWeight(Math.log(0.9), 0, 0.8).weight).toBeCloseTo(0.9, 12);
    expect(graftWeight(Math.log(1.3), 0, 0.8).weight).toBe(1);
    expect(graftWeight(Math.log(0.8), 0, 0.8 + 1e-12).weight).toBe(0);
  });

  it('is the same seen from either side, in any order', () => {
    const pair = fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { maxLength: 20 });
    fc.assert(
      fc.property(pair, (pairs) => {
        const first = groups(
          pairs.map(([a]) => a),
          8,
        );
        const second = groups(
          pairs.map(([, b]) => b),
          8,
        );
        const here = graftChoice(first, second);
        const there = graftChoice(second, first);
        expect([there.toFirst, there.toSecond]).toEqual([here.toSecond, here.toFirst]);
        const last = pairs.length - 1;
        const reversed = graftChoice([...first].reverse(), [...second].reverse());
        expect(reversed.toFirst.map((i) => last - i).reverse()).toEqual(here.toFirst);
        expect(here.toFirst.length).toBeGreaterThanOrEqual(here.each);
      }),
    );
  });
});
