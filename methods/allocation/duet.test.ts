import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { duet } from './duet';
import { duetAllocation, duetMaxTokens, duetPropensities } from './duetAllocation';
import { duetCheckpoints, duetEnd } from './duetStop';
import { meanFrom, NOTHING_SEEN, withLength, withSpread } from './duetState';
import { duetThresholds } from './duetThresholds';

const number = Type.Number();
const numbers = Type.Array(number);
const close = (found: readonly number[], expected: readonly number[], digits = 9): void => {
  expect(found).toHaveLength(expected.length);
  found.forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, digits));
};

describe('DUET allocation', () => {
  const cases = readVectors('allocation/duet', {
    input: Type.Object({ kind: Type.Literal('allocate'), s_hat: numbers, mean_length_tokens: numbers }),
    params: Type.Object({
      budget_fraction: number,
      n_min: Type.Integer(),
      n_max: Type.Integer(),
      ref_rollouts_per_prompt: Type.Integer(),
      gpus: Type.Integer(),
      bisection_iterations: Type.Integer(),
      eps_pre: number,
    }),
    output: Type.Object({
      target_tokens: number,
      lambda_star: number,
      counts_bisection: numbers,
      counts_trimmed: numbers,
      trim_decrements: Type.Integer(),
      counts_final: numbers,
      divisibility_mode: Type.String(),
      keep_propensity: Type.Union([numbers, Type.Null()]),
      max_tokens: Type.Union([numbers, Type.Null()]),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(25));

  it.each(cases)(
    '$name',
    ({ input: { s_hat: spreads, mean_length_tokens: lengths }, params: by, output }) => {
      const found = duetAllocation(spreads, lengths, {
        target: output.target_tokens,
        least: by.n_min,
        most: by.n_max,
        iterations: by.bisection_iterations,
        workers: by.gpus,
      });
      expect(found.lambda / output.lambda_star).toBeCloseTo(1, 9);
      expect(found.atLambda).toEqual(output.counts_bisection);
      expect(found.trimmed).toEqual(output.counts_trimmed);
      expect(found.trims).toBe(output.trim_decrements);
      expect(found.counts).toEqual(output.counts_final);
      expect(found.divisibility).toBe(output.divisibility_mode);
      if (output.keep_propensity !== null) {
        close(duetPropensities(found.atLambda, by.eps_pre), output.keep_propensity);
      }
      if (output.max_tokens !== null) {
        expect(duetMaxTokens(found.lambda, spreads, lengths)).toEqual(output.max_tokens);
      }
      if (lengths.some((length) => length === 0)) return;
      const prompts = spreads.map((gradientSpread, i) => ({
        id: String(i),
        gradientSpread,
        meanTokens: lengths[i]!,
      }));
      const answer = duet.next(
        duet.start({ prompts, budget: 0 }, Rng.from(0), {
          share: by.budget_fraction,
          reference: by.ref_rollouts_per_prompt,
          least: by.n_min,
          most: by.n_max,
          iterations: by.bisection_iterations,
          workers: by.gpus,
        }),
        [],
      );
      expect(answer.requests.map(({ count }) => count)).toEqual(output.counts_final);
    },
  );

  const example = (iterations: number) => {
    const prompts = [0.2, 1, 1.5, 0.6].map((gradientSpread, i) => ({
      id: String(i),
      gradientSpread,
      meanTokens: [300, 400, 600, 250][i]!,
    }));
    return duet.next(duet.start({ prompts, budget: 0 }, Rng.from(0), { iterations }), []);
  };

  it('gives the worked example, with 10 and with 40 halvings', () => {
    const found = example(10);
    expect(found.requests.map(({ count }) => count)).toEqual([1, 5, 5, 3]);
    expect(found.shared).toMatchObject({ fullTokens: 12_400, targetTokens: 6200, tokens: 6050, trims: 1 });
    expect(found.requests[2]!.reason).toBe(
      'Spread 1.5 over √(0.000123 · 600 tokens) = 5.52, within 1 to 32 6, 1 trimmed for the target: 5 rollouts.',
    );
    expect(example(40).requests.map(({ count }) => count)).toEqual([1, 4, 5, 3]);
  });

  it('says when the tokens stay above the target, and keeps the bounds', () => {
    const prompt = fc.record({
      gradientSpread: fc.double({ min: 0, max: 9, noNaN: true }),
      meanTokens: fc.integer({ min: 1, max: 4000 }),
    });
    fc.assert(
      fc.property(
        fc.array(prompt, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 100 }),
        (given, percent) => {
          const prompts = given.map((each, i) => ({ id: String(i), ...each }));
          const found = duet.next(
            duet.start({ prompts, budget: 0 }, Rng.from(0), { share: percent / 100 }),
            [],
          );
          for (const { count } of found.requests) expect(count >= 1 && count <= 32).toBe(true);
          expect(found.remark !== undefined).toBe(found.shared['tokens']! > found.shared['targetTokens']!);
        },
      ),
    );
    expect(() => duet.start({ prompts: [{ id: 'a', gradientSpread: 1 }], budget: 0 }, Rng.from(0))).toThrow(
      /mean length/u,
    );
  });
});

describe('DUET thresholds', () => {
  const cases = readVectors('allocation/duet', {
    input: Type.Object({ kind: Type.Literal('thresholds'), s_hat: numbers, mean_length_tokens: numbers }),
    params: Type.Object({
      signal: Type.Union([
        Type.Literal('max_prob'),
        Type.Literal('margin'),
        Type.Literal('top_k_mass'),
        Type.Literal('mean_logprob'),
        Type.Literal('entropy'),
      ]),
      mode: Type.Union([Type.Literal('batch_percentile'), Type.Literal('linear'), Type.Literal('log_scale')]),
      floor: number,
      ceiling: number,
    }),
    output: Type.Object({ thresholds: numbers }),
  });

  it('has all vectors', () => expect(cases.length).toBe(10));

  it.each(cases)('$name', ({ input, params, output }) => {
    close(duetThresholds(input.s_hat, input.mean_length_tokens, params), output.thresholds);
  });

  it('gives a single prompt the middle of the band', () => {
    const by = { mode: 'batch_percentile', floor: 0.5, ceiling: 0.9 } as const;
    expect(duetThresholds([1], [10], { ...by, signal: 'margin' })).toEqual([0.7]);
    expect(duetThresholds([1], [10], { ...by, signal: 'mean_logprob' })).toEqual([-1.5]);
    expect(duetThresholds([1], [10], { ...by, signal: 'entropy' })).toEqual([2.75]);
  });
});

describe('DUET stop', () => {
  const token = Type.Union([Type.Integer(), Type.Null()]);
  const cases = readVectors('allocation/duet', {
    input: Type.Object({
      kind: Type.Literal('stop'),
      top2_probability_margin_by_generated_tokens: numbers,
      marker_completed_at_token: token,
      uniforms: numbers,
    }),
    params: Type.Object({
      threshold: number,
      marker_gated: Type.Boolean(),
      k1: token,
      k2: token,
      grace_tokens: Type.Integer(),
      eps_abort: number,
      eps_len: number,
      min_tokens: Type.Integer(),
      hysteresis: Type.Integer(),
      check_every_tokens: Type.Integer(),
      marker_window_tokens: Type.Integer(),
    }),
    output: Type.Object({
      end_forced_after_tokens: token,
      aborted: Type.Boolean(),
      saw_marker: Type.Boolean(),
      eps_kept: Type.Boolean(),
      uniforms_used: Type.Integer(),
    }),
  });
  const quantiles = readVectors('allocation/duet', {
    input: Type.Object({ kind: Type.Literal('quantiles'), kept_lengths_by_step: Type.Array(numbers) }),
    params: Type.Object({
      max_response_tokens: number,
      history: Type.Integer(),
      refit_every_steps: Type.Integer(),
      k1_quantile: number,
      k2_quantile: number,
      k1_floor: number,
      min_gap: number,
    }),
    output: Type.Object({ k1_k2_after_step: Type.Array(Type.Tuple([number, number])) }),
  });

  it('has all vectors', () => expect(cases.length + quantiles.length).toBe(12));

  it.each(cases)('$name', ({ input, params: by, output }) => {
    let used = 0;
    const end = duetEnd(
      input.top2_probability_margin_by_generated_tokens,
      input.marker_completed_at_token ?? undefined,
      {
        threshold: by.threshold,
        marker: by.marker_gated
          ? {
              from: by.k1!,
              every: by.check_every_tokens,
              window: by.marker_window_tokens,
              giveUpAt: by.k2! + by.grace_tokens,
            }
          : undefined,
        minTokens: by.min_tokens,
        hysteresis: by.hysteresis,
        keepShare: by.eps_abort,
        ignoreShare: by.eps_len,
      },
      () => input.uniforms[used++]!,
    );
    expect(end).toEqual({
      after: output.end_forced_after_tokens ?? undefined,
      aborted: output.aborted,
      sawMarker: output.saw_marker,
      kept: output.eps_kept,
    });
    expect(used).toBe(output.uniforms_used);
  });

  it('keeps a small share of what has no marker, and ignores a small share of the ends', () => {
    const margins = new Array<number>(30).fill(0.9);
    const by = { threshold: 0.5, minTokens: 0, hysteresis: 2, keepShare: 0.05, ignoreShare: 0.05 };
    const marker = { from: 4, every: 4, window: 99, giveUpAt: 10 };
    expect(duetEnd(margins, undefined, { ...by, marker }, () => 0.04)).toMatchObject({
      after: undefined,
      kept: true,
    });
    const draws = [0.04, 0.5];
    expect(duetEnd(margins, undefined, { ...by, marker: undefined }, () => draws.shift()!).after).toBe(2);
  });

  it.each(quantiles)('$name', ({ input, params: by, output }) => {
    const found = duetCheckpoints(input.kept_lengths_by_step, {
      maxTokens: by.max_response_tokens,
      history: by.history,
      every: by.refit_every_steps,
      low: by.k1_quantile,
      high: by.k2_quantile,
      floor: by.k1_floor,
      gap: by.min_gap,
    });
    expect(found.map(({ from, giveUp }) => [from, giveUp])).toEqual(output.k1_k2_after_step);
  });
});

describe('DUET running means', () => {
  const mean = Type.Union([number, Type.Null()]);
  const cases = readVectors('allocation/duet', {
    input: Type.Object({
      kind: Type.Literal('state'),
      observations: Type.Array(
        Type.Tuple([Type.String(), Type.Union([Type.Literal('s'), Type.Literal('length_tokens')]), number]),
      ),
    }),
    params: Type.Object({ warmup_observations: Type.Integer() }),
    output: Type.Object({ s_and_length_of_the_prompt_after_each: Type.Array(Type.Tuple([mean, mean])) }),
  });

  it('has all vectors', () => expect(cases.length).toBe(4));

  it.each(cases)('$name', ({ input, params, output }) => {
    const seen = new Map<string, { spread: typeof NOTHING_SEEN; length: typeof NOTHING_SEEN }>();
    input.observations.forEach(([prompt, kind, value], i) => {
      const before = seen.get(prompt) ?? { spread: NOTHING_SEEN, length: NOTHING_SEEN };
      const after =
        kind === 's'
          ? { ...before, spread: withSpread(before.spread, value) }
          : { ...before, length: withLength(before.length, value) };
      seen.set(prompt, after);
      const [spread, length] = output.s_and_length_of_the_prompt_after_each[i]!;
      expect(meanFrom(after.spread, params.warmup_observations) ?? null).toEqual(
        spread === null ? null : expect.closeTo(spread, 9),
      );
      expect(meanFrom(after.length) ?? null).toEqual(length === null ? null : expect.closeTo(length, 9));
    });
    expect(withSpread(NOTHING_SEEN, Number.NaN)).toBe(NOTHING_SEEN);
  });
});
