import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { s2lPo, s2lSmallRollouts } from './s2lPo';

const integers = Type.Array(Type.Integer());

describe('S2L-PO', () => {
  const cases = readVectors('allocation/s2l_po', {
    input: Type.Object({
      first_step: Type.Integer(),
      last_step: Type.Integer(),
      steps: Type.Union([integers, Type.Null()]),
    }),
    params: Type.Object({ group_size: Type.Integer(), mix_steps: Type.Integer() }),
    output: Type.Object({ small_model_rollouts: integers, learner_rollouts: integers }),
  });
  const run = (step: number, totalSteps: number, parameters = {}) =>
    s2lPo.next(
      s2lPo.start({ prompts: [{ id: 'a' }], budget: 0, step, totalSteps }, Rng.from(0), parameters),
      [],
    );

  it('has all vectors', () => expect(cases.length).toBe(35));

  it.each(cases)('$name', ({ input, params, output }) => {
    const count = input.last_step - input.first_step + 1;
    const steps = input.steps ?? Array.from({ length: count }, (_, i) => input.first_step + i);
    const small = steps.map((step) => s2lSmallRollouts(step, params.group_size, params.mix_steps));
    expect(small).toEqual(output.small_model_rollouts);
    expect(small.map((count) => params.group_size - count)).toEqual(output.learner_rollouts);
  });

  it('gives the worked example: 8, 6, 4, 2, 0 rollouts of the small model, then none', () => {
    const small = [1, 2, 3, 4, 5, 6].map((step) =>
      run(step, 10).requests.reduce(
        (sum, { count, settings }) => sum + (settings?.model === 'small' ? count : 0),
        0,
      ),
    );
    expect(small).toEqual([8, 6, 4, 2, 0, 0]);
    expect(run(2, 10).requests.map(({ reason }) => reason)).toEqual([
      'Step 2 of 5 mixed ones: ⌈3/4 · 8⌉ = 6 rollouts of the small model.',
      'Step 2 of 5 mixed ones: 8 − 6 = 2 rollouts of the learner.',
    ]);
    expect(run(6, 10).requests.map(({ reason }) => reason)).toEqual([
      'Step 6 comes after the 5 mixed ones: all 8 rollouts of the learner.',
    ]);
  });

  it('fills every group, and passes over step by step', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 200 }), (size, totalSteps) => {
        const shares = Array.from({ length: totalSteps }, (_, i) => {
          const { requests } = run(i + 1, totalSteps, { groupSize: size });
          expect(requests.reduce((sum, { count }) => sum + count, 0)).toBe(size);
          return requests.find(({ settings }) => settings?.model === 'small')?.count ?? 0;
        });
        expect(shares[0]).toBe(size);
        shares.forEach((share, i) => expect(share).toBeLessThanOrEqual(shares[i - 1] ?? size));
      }),
      { numRuns: 30 },
    );
    expect(() => run(11, 10)).toThrow(/only 10 steps/u);
    expect(run(1, 10, { mixShare: 0 }).requests).toHaveLength(1);
  });
});
