import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { sampleBeta } from '../distributions';
import { Rng } from '../random';
import { Refusal } from '../refusal';
import { bootstrapCurve } from './bootstrap';
import { posterior, posteriorPassAtK } from './betaPosterior';
import { crossings, pairedDifference } from './comparison';
import { passAtK } from './passAtK';
import { PassAtKTable, powersOfTwo } from './passAtKTable';

const tableOf = (counts: readonly (readonly [number, number])[], ks: readonly number[]): PassAtKTable => {
  const table = new PassAtKTable(ks);
  counts.forEach(([n, c], i) => table.set(i, n, c));
  return table;
};

const binomial = (rng: Rng, n: number, p: number): number => {
  let c = 0;
  for (let i = 0; i < n; i++) if (rng.float() < p) c += 1;
  return c;
};

describe('PassAtKTable', () => {
  const cases = readVectors('trees/estimate-ragged-n', {
    input: Type.Object({ samplesAndCorrect: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])) }),
    params: Type.Object({
      kValues: Type.Array(Type.Integer()),
      priorAlpha: Type.Number(),
      priorBeta: Type.Number(),
    }),
    output: Type.Object({
      perK: Type.Array(
        Type.Object({
          k: Type.Integer(),
          trapPromptCount: Type.Integer(),
          trapAverage: Type.Union([Type.Number(), Type.Null()]),
          fixedSetAverage: Type.Union([Type.Number(), Type.Null()]),
          fixedSetPromptCount: Type.Integer(),
          posteriorMeanAllPrompts: Type.Number(),
        }),
      ),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(22));

  it.each(cases)(
    '$name: averages over fixed sets only',
    ({ input: { samplesAndCorrect }, params, output }) => {
      const curves = tableOf(samplesAndCorrect, params.kValues).curves();
      const last = params.kValues.at(-1)!;
      const whole = curves.find(({ toK }) => toK === last);
      for (const { k, fixedSetAverage, fixedSetPromptCount, trapPromptCount, ...row } of output.perK) {
        if (fixedSetAverage === null) expect(whole).toBeUndefined();
        else expect(whole!.points.find((point) => point.k === k)!.mean).toBeCloseTo(fixedSetAverage, 12);
        expect(whole?.prompts.length ?? 0).toBe(fixedSetPromptCount);
        // The set that is used at k is the greatest possible one.
        const range = curves.find((curve) => curve.fromK < k && k <= curve.toK);
        expect(range?.prompts.length ?? 0).toBe(trapPromptCount);
        if (row.trapAverage !== null) {
          expect(range!.points.find((point) => point.k === k)!.mean).toBeCloseTo(row.trapAverage, 12);
        }
        const extrapolated =
          samplesAndCorrect.reduce((sum, [n, c]) => {
            return sum + posteriorPassAtK(posterior(n, c, { a: params.priorAlpha, b: params.priorBeta }), k);
          }, 0) / samplesAndCorrect.length;
        expect(extrapolated).toBeCloseTo(row.posteriorMeanAllPrompts, 12);
      }
    },
  );

  it('does not let the average fall with k on the prompts (4,3), (4,4), (64,2), (64,1)', () => {
    const curves = tableOf(
      [
        [4, 3],
        [4, 4],
        [64, 2],
        [64, 1],
      ],
      powersOfTwo(64),
    ).curves();
    expect(curves.map(({ fromK, toK, prompts }) => ({ fromK, toK, prompts }))).toEqual([
      { fromK: 0, toK: 4, prompts: [0, 1, 2, 3] },
      { fromK: 4, toK: 64, prompts: [2, 3] },
    ]);
    expect(curves[0]!.points.at(-1)!.mean).toBeCloseTo(0.546, 3);
    expect(curves[1]!.points.find(({ k }) => k === 8)!.mean).toBeCloseTo(0.181, 3);
  });

  it('never falls within a curve, whatever the counts', () => {
    const counts = fc.array(fc.tuple(fc.nat(70), fc.nat(70)), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(counts, (pairs) => {
        const table = tableOf(
          pairs.map(([n, c]) => [n, c % (n + 1)] as const),
          powersOfTwo(64),
        );
        for (const { points } of table.curves()) {
          for (let i = 1; i < points.length; i++)
            expect(points[i]!.mean).toBeGreaterThanOrEqual(points[i - 1]!.mean - 1e-12);
        }
      }),
    );
  });

  it('has the single estimates, is replaced by a later count, and leaves unknown prompts out', () => {
    const table = tableOf([[8, 2]], [1, 2, 4, 8, 16]);
    table.set(70, 16, 5);
    expect(table.size).toBe(71);
    expect(table.at(0, 2)).toBeCloseTo(passAtK(8, 2, 4)!, 14);
    expect(table.at(0, 4)).toBeUndefined();
    expect(table.at(5, 0)).toBeUndefined();
    expect(table.curves().map(({ prompts }) => prompts)).toEqual([[0, 70], [70]]);
    table.set(0, 16, 9);
    expect(table.at(0, 4)).toBe(passAtK(16, 9, 16));
    expect(table.curves().map(({ prompts }) => prompts)).toEqual([[0, 70]]);
    expect(new PassAtKTable([1]).curves()).toEqual([]);
    expect(() => table.curveOver([5])).toThrow(Refusal);
    expect(() => new PassAtKTable([2, 2])).toThrow(Refusal);
  });

  it('has no interval for a single prompt', () => {
    expect(tableOf([[4, 2]], [1]).curves()[0]!.points[0]).toEqual({
      k: 1,
      mean: 0.5,
      standardError: undefined,
      low: undefined,
      high: undefined,
    });
  });
});

describe('intervals of the average', () => {
  it('the cluster standard error is within 5 % of the bootstrap at 200 prompts', () => {
    const rng = Rng.from('cluster');
    const counts = Array.from(
      { length: 200 },
      () => [64, binomial(rng, 64, sampleBeta(rng, 0.6, 1.5))] as const,
    );
    const table = tableOf(counts, powersOfTwo(64));
    const [curve] = table.curves();
    const resampled = bootstrapCurve(table, curve!.prompts, 7, Rng.from('bootstrap'), { resamples: 4000 });
    curve!.points.forEach((point, i) => {
      expect(Math.abs(resampled[i]!.standardError / point.standardError! - 1)).toBeLessThan(0.05);
      expect(resampled[i]!.low).toBeLessThan(point.mean);
      expect(resampled[i]!.high).toBeGreaterThan(point.mean);
    });
  });

  it('both cover the true average in 93 to 97 % of samples, without bias', () => {
    const rng = Rng.from('average');
    const k = 4;
    // E[1 − (1−p)^4] under Beta(1, 2), the population the prompts are drawn from.
    const truth = posteriorPassAtK({ a: 1, b: 2 }, k);
    let cluster = 0;
    let resampled = 0;
    let bias = 0;
    const trials = 500;
    for (let t = 0; t < trials; t++) {
      const counts = Array.from({ length: 200 }, () => [8, binomial(rng, 8, sampleBeta(rng, 1, 2))] as const);
      const table = tableOf(counts, [k]);
      const [curve] = table.curves();
      const [point] = curve!.points;
      bias += (point!.mean - truth) / trials;
      if (point!.low! <= truth && truth <= point!.high!) cluster += 1;
      const [interval] = bootstrapCurve(table, curve!.prompts, 1, rng.fork(t), { resamples: 400 });
      if (interval!.low <= truth && truth <= interval!.high) resampled += 1;
    }
    expect(Math.abs(bias)).toBeLessThan(0.005);
    for (const covered of [cluster, resampled]) {
      expect(covered / trials).toBeGreaterThan(0.93);
      expect(covered / trials).toBeLessThan(0.97);
    }
  });

  it('is the same for the same seed and refuses one prompt', () => {
    const table = tableOf(
      [
        [8, 1],
        [8, 7],
        [8, 3],
      ],
      [1, 2],
    );
    const once = (): unknown => bootstrapCurve(table, [0, 1, 2], 2, Rng.from(3));
    expect(once()).toEqual(once());
    expect(() => bootstrapCurve(table, [0], 2, Rng.from(3))).toThrow(Refusal);
  });
});

describe('comparison of two curves', () => {
  const ks = [1, 2, 4, 8];

  it('is paired over the prompts that both have', () => {
    const shown = tableOf(
      [
        [8, 4],
        [8, 6],
        [4, 1],
      ],
      ks,
    );
    const reference = tableOf(
      [
        [8, 2],
        [8, 4],
        [8, 1],
      ],
      ks,
    );
    const [first] = pairedDifference(shown, reference, 4);
    expect(first!.prompts).toBe(2);
    expect(first!.mean).toBeCloseTo(0.25, 12);
    expect(first!.halfWidth).toBeCloseTo(0, 12);
    expect(pairedDifference(shown, reference, 3)[0]!.prompts).toBe(3);
    expect(pairedDifference(shown, new PassAtKTable(ks), 1)).toEqual([]);
    expect(() => pairedDifference(shown, new PassAtKTable([1]), 1)).toThrow(Refusal);
  });

  it('finds where coverage was traded for accuracy', () => {
    const [crossing, ...others] = crossings(ks, [0.4, 0.5, 0.6, 0.65], [0.2, 0.4, 0.7, 0.9]);
    expect(others).toEqual([]);
    expect(crossing!.above).toBe('reference');
    expect(crossing!.k).toBeCloseTo(2 * Math.SQRT2, 10);
    expect(crossings(ks, [0, 0.5, 0.6, 0.7], [0, 0.4, 0.5, 0.6])).toEqual([]);
    expect(crossings(ks, [0.1, 0.5, 0.5, 0.6], [0.2, 0.5, 0.5, 0.5])[0]!.above).toBe('shown');
    expect(crossings(ks, [0.1, undefined, undefined, 0.6], [0.2, 0.3, 0.4, 0.5])).toHaveLength(1);
  });
});
