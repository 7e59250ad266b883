import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { depo, depoKeeps, depoPadded, depoScan } from './depo';

const run = (predictions: readonly number[], budget: number, step: number, parameters = {}) =>
  depo.next(
    depo.start(
      { prompts: predictions.map((prediction, i) => ({ id: String(i), prediction })), budget, step },
      Rng.from(0),
      {
        groupSize: 1,
        ...parameters,
      },
    ),
    [],
  );

describe('DEPO', () => {
  const cases = readVectors('allocation/depo', {
    input: Type.Object({
      predicted_scores_by_loader_batch: Type.Array(Type.Array(Type.Number())),
      global_step_at_start: Type.Integer(),
      padding_draws: Type.Array(Type.Integer()),
    }),
    params: Type.Object({
      train_batch_prompts: Type.Integer(),
      warmup_steps: Type.Integer(),
      keep_low: Type.Number(),
      keep_high: Type.Number(),
      workers: Type.Integer(),
    }),
    output: Type.Object({
      batches: Type.Array(
        Type.Object({
          prompt_positions: Type.Array(Type.Integer()),
          scanned: Type.Integer(),
          survival_rate: Type.Number(),
          step: Type.Integer(),
        }),
      ),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(33));

  it.each(cases)('$name', ({ input, params: by, output }) => {
    const loaders = input.predicted_scores_by_loader_batch;
    const scores = loaders.flat();
    const loaderOf = loaders.flatMap((batch, loader) => batch.map(() => loader));
    // The warm-up is looked up when a loader batch is fetched, so each has the step of that moment.
    const stepAtFetch = [input.global_step_at_start];
    let step = input.global_step_at_start;
    let cursor = 0;
    const draws = [...input.padding_draws];
    for (const expected of output.batches) {
      const { kept, scanned } = depoScan(scores.length - cursor, by.train_batch_prompts, (place) => {
        const at = cursor + place;
        stepAtFetch[loaderOf[at]!] ??= step;
        return (
          stepAtFetch[loaderOf[at]!]! <= by.warmup_steps || depoKeeps(scores[at]!, by.keep_low, by.keep_high)
        );
      });
      const short = kept.length < by.train_batch_prompts;
      const batch = short ? depoPadded(kept, by.workers, (below) => draws.shift()! % below) : kept;
      expect(batch.map((place) => cursor + place)).toEqual(expected.prompt_positions);
      expect(scanned).toBe(expected.scanned);
      expect(kept.length / scanned).toBeCloseTo(expected.survival_rate, 12);
      expect(step).toBe(expected.step);
      if (cursor === 0) {
        const parameters = { low: by.keep_low, high: by.keep_high, warmUp: by.warmup_steps };
        const { requests } = run(scores.slice(0, scanned), by.train_batch_prompts, step, parameters);
        const launched = requests.filter(({ action }) => action === 'launch').map(({ prompt }) => prompt);
        expect(launched).toEqual(kept);
      }
      cursor += scanned;
      step += 1;
    }
  });

  it('gives the worked example: both bounds are kept, and the warm-up takes the first four', () => {
    const predictions = [0.05, 0.2, 0.9, 0.5, 0.15, 0.86, 0.85];
    const found = run(predictions, 4, 101);
    expect(found.requests.flatMap(({ action, prompt }) => (action === 'launch' ? [prompt] : []))).toEqual([
      1, 3, 4, 6,
    ]);
    expect(found.shared).toMatchObject({ kept: 4, scanned: 7, survival: 4 / 7 });
    expect(found.requests[0]!.reason).toBe('Predicted success 0.05 lies below 0.15: skipped.');
    const warm = run(predictions, 4, 100);
    expect(warm.requests.map(({ prompt, action }) => [prompt, action])).toEqual(
      [0, 1, 2, 3].map((prompt) => [prompt, 'launch']),
    );
  });

  it('fills a short batch by repeating prompts, and says so', () => {
    const found = run([0.5, 0.05, 0.5], 8, 200, { workers: 4 });
    expect(found.requests.reduce((sum, { count }) => sum + count, 0)).toBe(4);
    expect(found.remark).toBe(
      'Only 2 of 8 prompts were found among 3: the batch is filled up to 4 by repeating some.',
    );
    expect(run([0.05], 8, 200, { workers: 4 }).remark).toMatch(/stays short/u);
    expect(() => run([0.5], 1, 200, { low: 0.9, high: 0.1 })).toThrow(/above high/u);
    expect(() => depo.start({ prompts: [{ id: 'a', prediction: 0.5 }], budget: 8 }, Rng.from(0))).toThrow(
      /number of the step/u,
    );
  });

  it('takes only what lies within the window, in order, and never more than the batch', () => {
    const predictions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(predictions, fc.integer({ min: 1, max: 12 }), (given, batch) => {
        const launched = run(given, batch, 101).requests.filter(({ action }) => action === 'launch');
        expect(launched.length).toBeLessThanOrEqual(batch);
        const expected = given.flatMap((p, i) => (depoKeeps(p, 0.15, 0.85) ? [i] : [])).slice(0, batch);
        expect(launched.map(({ prompt }) => prompt)).toEqual(expected);
      }),
    );
  });
});
