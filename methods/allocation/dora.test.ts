import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import type { AllocationAnswer } from './allocator';
import { dora, doraBeams, doraShares, roundHalfEven } from './dora';

const numbers = Type.Array(Type.Number());
const run = (
  scores: readonly number[],
  embeddings: readonly (readonly number[])[],
  budget: number,
): AllocationAnswer =>
  dora.next(
    dora.start(
      { prompts: scores.map((score, i) => ({ id: String(i), score, embedding: embeddings[i]! })), budget },
      Rng.from(0),
    ),
    [],
  );

describe('DORA', () => {
  const input = Type.Object({ scores: numbers, embeddings: Type.Array(numbers) });
  const params = Type.Object({
    n_rollouts: Type.Integer(),
    score_temperature: Type.Number(),
    similarity_temperature: Type.Number(),
  });
  const cases = readVectors('allocation/dora', {
    input,
    params,
    output: Type.Object({
      first_pass_counts: numbers,
      gamma_of_survivors: numbers,
      final_weights_of_survivors: numbers,
      survivors: numbers,
      counts: numbers,
      total: Type.Integer(),
      weights: Type.Optional(numbers),
      next_beams_source: Type.Optional(numbers),
    }),
  });
  const failing = readVectors('allocation/dora', {
    input,
    params,
    output: Type.Object({ error: Type.String() }),
  });
  const byOf = (by: (typeof cases)[number]['params']) => ({
    budget: by.n_rollouts,
    scoreTemperature: by.score_temperature,
    similarityTemperature: by.similarity_temperature,
  });
  const close = (found: readonly number[], expected: readonly number[]): void => {
    expect(found).toHaveLength(expected.length);
    // The release keeps similarities and shares in single precision.
    found.forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 5));
  };

  it('has all vectors', () => expect(cases.length + failing.length).toBe(32));

  it.each(cases)('$name', ({ input: { scores, embeddings }, params: by, output }) => {
    const found = doraShares(scores, embeddings, byOf(by));
    if (output.weights !== undefined) close(found.weights, output.weights);
    expect(found.firstCounts).toEqual(output.first_pass_counts);
    expect(found.survivors).toEqual(output.survivors);
    close(found.own, output.gamma_of_survivors);
    close(found.finalWeights, output.final_weights_of_survivors);
    const spread = new Array<number>(scores.length).fill(0);
    found.survivors.forEach((i, row) => (spread[i] = found.counts[row]!));
    expect(output.counts.length === scores.length ? spread : found.counts).toEqual(output.counts);
    if (output.next_beams_source !== undefined)
      expect(doraBeams(found, by.n_rollouts)).toEqual(output.next_beams_source);
  });

  it.each(failing)(
    '$name: is refused where the release fails',
    ({ input: { scores, embeddings }, params: by }) => {
      expect(() => run(scores, embeddings, by.n_rollouts)).toThrow(/rounds to 0/u);
    },
  );

  it('gives the worked example: a direction that two share is weighed down', () => {
    const close01 = Math.sqrt(1 - 0.99 ** 2);
    // Unit vectors with the similarities of the example, as far as they matter at this temperature.
    const embeddings = [
      [1, 0, 0, 0],
      [0.99, close01, 0, 0],
      [0.7, 0, Math.sqrt(0.51), 0],
      [0.6, 0, 0, 0.8],
    ];
    const found = run([0.95, 0.95, 0.95, 0.8], embeddings, 8);
    expect(found.requests.map(({ count }) => count)).toEqual([2, 2, 3, 1]);
    expect(found.requests[2]!.reason).toBe(
      'Score 0.95 and 1 of its direction its own: 8 · 0.372 = 2.98, 3 continuations.',
    );
  });

  it('hands out exactly the budget, whatever rounding gives, and says so', () => {
    const score = fc.integer({ min: 0, max: 20 }).map((s) => s / 20);
    const direction = fc.integer({ min: 0, max: 62 }).map((t) => [Math.cos(t / 10), Math.sin(t / 10)]);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(score, direction), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 12, max: 64 }),
        (given, budget) => {
          const found = run(
            given.map(([s]) => s),
            given.map(([, d]) => d),
            budget,
          );
          expect(found.requests.reduce((sum, { count }) => sum + count, 0)).toBe(budget);
          expect(found.remark !== undefined).toBe(found.shared['rounded'] !== budget);
        },
      ),
    );
  });

  it('rounds halves to the even number', () => {
    expect([0.5, 1.5, 2.5, 2.4, 2.6, -0.5].map((value) => roundHalfEven(value) + 0)).toEqual([
      0, 2, 2, 2, 3, 0,
    ]);
  });
});
