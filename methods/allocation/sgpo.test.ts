import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { sgpo, sgpoBucket, sgpoUses } from './sgpo';

const inputsOf = (successes: readonly number[], of: number) => ({
  prompts: successes.map((c, i) => ({ id: String(i), initialRate: { value: c / of, samples: of } })),
  budget: 0,
});

describe('sGPO', () => {
  const buckets = readVectors('allocation/sgpo', {
    input: Type.Object({ kind: Type.Literal('bucket'), profile_successes: Type.Array(Type.Integer()) }),
    params: Type.Object({ profile_rollouts: Type.Integer(), upper: Type.Number(), alpha: Type.Number() }),
    output: Type.Object({ buckets: Type.Array(Type.Union([Type.String(), Type.Integer()])) }),
  });
  const draws = readVectors('allocation/sgpo', {
    input: Type.Object({ kind: Type.Literal('unsolved-draw'), uniforms: Type.Array(Type.Number()) }),
    params: Type.Object({ alpha: Type.Number() }),
    output: Type.Object({ used: Type.Array(Type.Boolean()) }),
  });

  it('has all vectors', () => expect(buckets.length + draws.length).toBe(32));

  it.each(buckets)('$name', ({ input: { profile_successes: successes }, params, output }) => {
    const { profile_rollouts: of, upper, alpha } = params;
    expect(successes.map((c) => sgpoBucket(c / of, upper))).toEqual(output.buckets);
    for (const phase of ['2', '4', '8']) {
      const parameters = { upper, unsolvedShare: alpha, phase };
      const { requests } = sgpo.next(sgpo.start(inputsOf(successes, of), Rng.from(phase), parameters), []);
      requests.forEach(({ action, count, reasonCode }, i) => {
        const bucket = output.buckets[i];
        if (bucket === 'unsolved') expect(reasonCode).toMatch(/^unsolved/u);
        else expect(action).toBe(String(bucket) === phase ? 'launch' : 'skip');
        expect(count).toBe(action === 'launch' ? Number(phase) : 0);
      });
    }
  });

  it.each(draws)('$name', ({ input, params, output }) =>
    expect(input.uniforms.map((draw) => sgpoUses(draw, params.alpha))).toEqual(output.used),
  );

  it('sends 8 and 7 of 8 away, 6 to 3 to groups of 2, 2 to groups of 4, 1 to groups of 8', () => {
    const { requests } = sgpo.next(sgpo.start(inputsOf([8, 7, 6, 5, 4, 3, 2, 1], 8), Rng.from(1)), []);
    expect(requests.map(({ reasonCode }) => reasonCode)).toEqual([
      'too-easy',
      'too-easy',
      'in-phase',
      'in-phase',
      'in-phase',
      'in-phase',
      'phase-to-come',
      'phase-to-come',
    ]);
    expect(requests[6]!.reason).toBe(
      'Solved at a rate of 0.25 by the initial policy, which calls for groups of 4; this step belongs to the phase of 2.',
    );
  });

  it('mixes in about the given share of the unsolved ones, the same for the same seed', () => {
    const inputs = inputsOf(new Array<number>(4000).fill(0), 8);
    const used = (seed: number) =>
      sgpo
        .next(sgpo.start(inputs, Rng.from(seed)), [])
        .requests.flatMap(({ action, prompt }) => (action === 'launch' ? [prompt] : []));
    expect(used(1)).toEqual(used(1));
    expect(used(1).length).toBeGreaterThan(320);
    expect(used(1).length).toBeLessThan(480);
  });
});
