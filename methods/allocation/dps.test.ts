import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { dps } from './dps';
import { dpsBelief, dpsIdle, dpsPrior, dpsScore, dpsState, dpsUpdate, flatPrior } from './dpsBelief';
import type { DpsBelief } from './dpsBelief';
import type { PastGroup } from './inputs';

const number = Type.Number();
const numbers = Type.Array(number);
const group = (step: number, successes: number, rollouts = 8): PastGroup => ({
  step,
  rollouts,
  successes,
  meanReward: successes / rollouts,
});

describe('DPS', () => {
  const input = Type.Object({
    steps: Type.Array(
      Type.Object({
        candidates: Type.Optional(Type.Array(Type.Integer())),
        candidates_0_to: Type.Optional(Type.Integer()),
        observed: Type.Array(Type.Tuple([Type.Integer(), number])),
      }),
    ),
  });
  const params = Type.Object({
    decay: number,
    prior_alpha: Type.Union([number, Type.Literal('progress'), Type.Literal('stability')]),
    prior_belief: Type.String(),
    entropy_weight: number,
    strategy: Type.String(),
    batch_prompts: Type.Integer(),
  });
  const belief = Type.Object({
    belief: numbers,
    belief_before: numbers,
    transition_counts: Type.Array(numbers),
  });
  const cases = readVectors('allocation/dps', {
    input,
    params,
    output: Type.Object({
      by_step: Type.Array(
        Type.Object({
          selection_scores: numbers,
          chosen_if_unambiguous: Type.Optional(Type.Array(Type.Integer())),
          after: Type.Record(Type.String(), belief),
        }),
      ),
    }),
  });
  const large = readVectors('allocation/dps', {
    input,
    params,
    output: Type.Object({ distinct_beliefs_after_last_step: Type.Array(numbers) }),
  });
  const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
  const close = (found: readonly number[], expected: readonly number[]): void => {
    expect(found).toHaveLength(expected.length);
    found.forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 9));
  };
  const COUNTS = {
    progress: [
      [1, 0.5, 0.5],
      [1, 1, 0.5],
      [1, 1, 1],
    ],
    stability: [
      [1, 0.5, 0.5],
      [0.5, 1, 0.5],
      [0.5, 0.5, 1],
    ],
  } as const;
  const PRIORS = { uniform: undefined, '1': [1, 0, 0], '2': [0, 1, 0], '3': [0, 0, 1] } as const;

  it('has all vectors', () => expect(cases.length + large.length).toBe(32));

  it.each(cases)('$name', ({ input: { steps }, params: by, output }) => {
    const first = Object.entries(PRIORS).find(([name]) => name === by.prior_belief)![1];
    const prior = typeof by.prior_alpha === 'number' ? flatPrior(by.prior_alpha) : COUNTS[by.prior_alpha];
    const weight = by.strategy === 'topk' ? 0 : by.entropy_weight;
    const beliefs = new Map<number, DpsBelief>();
    steps.forEach(({ candidates, observed }, s) => {
      const expected = output.by_step[s]!;
      for (const id of candidates!) if (!beliefs.has(id)) beliefs.set(id, dpsPrior(prior, first));
      const scores = candidates!.map((id) => dpsScore(beliefs.get(id)!, weight));
      close(scores, expected.selection_scores);
      if (expected.chosen_if_unambiguous !== undefined) {
        const ranked = candidates!.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!);
        const chosen = ranked.slice(0, by.batch_prompts).map((i) => candidates![i]!);
        expect(sorted(chosen)).toEqual(sorted(expected.chosen_if_unambiguous));
      }
      const seen = new Set(observed.map(([id]) => id));
      for (const [id, rate] of observed) {
        beliefs.set(
          id,
          dpsUpdate(beliefs.get(id) ?? dpsPrior(prior, first), dpsState(rate), prior, by.decay),
        );
      }
      for (const [id, before] of beliefs) {
        if (!seen.has(id)) beliefs.set(id, dpsUpdate(before, undefined, prior, by.decay));
      }
      for (const [id, after] of Object.entries(expected.after)) {
        const found = beliefs.get(Number(id))!;
        close(found.now, after.belief);
        close(found.before, after.belief_before);
        found.counts.forEach((row, to) => close(row, after.transition_counts[to]!));
      }
    });
  });

  it.each(large)('$name', ({ input: { steps }, params: by, output }) => {
    const found = new Map<string, readonly number[]>();
    for (let id = 0; id <= steps[0]!.candidates_0_to!; id++) {
      const history = steps.flatMap(({ observed }, s) =>
        observed.flatMap(([seen, rate]) => (seen === id ? [group(s + 1, rate * 8)] : [])),
      );
      const { now } = dpsBelief(history, steps.length + 1, 1, by.decay);
      found.set(now.map((p) => p.toFixed(9)).join(), now);
    }
    const expected = output.distinct_beliefs_after_last_step.map((now) =>
      now.map((p) => p.toFixed(9)).join(),
    );
    expect([...found.keys()].sort()).toEqual([...new Set(expected)].sort());
  });

  it('gives the worked example: B and C are taken', () => {
    const histories = [
      [group(1, 0), group(2, 0)],
      [group(1, 4), group(2, 4)],
      [group(1, 4), group(2, 8)],
      [],
    ];
    const prompts = histories.map((history, i) => ({ id: 'ABCD'[i]!, history }));
    const { requests } = dps.next(dps.start({ prompts, budget: 16, step: 3 }, Rng.from(0)), []);
    const beliefs = requests.map(({ numbers: { never, partly, always } }) =>
      [never!, partly!, always!].map((p) => p.toFixed(3)).join(' '),
    );
    expect(beliefs).toEqual([
      '0.528 0.236 0.236',
      '0.236 0.528 0.236',
      '0.309 0.381 0.309',
      '0.333 0.333 0.333',
    ]);
    expect(requests.map(({ action }) => action)).toEqual(['skip', 'launch', 'launch', 'skip']);
    expect(requests[1]!.reason).toBe(
      'Believed to be partly solved with 0.528 (never 0.236, always 0.236), rank 1 of 4: among the 2 taken.',
    );
    expect(requests[3]!.reason).toMatch(/^Never sampled: believed to be partly solved with 0\.333/u);
  });

  it('passes idle steps as fast as it may, with the outcome of as many updates', () => {
    const past = fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        past,
        fc.constantFrom(0, 0.5, 0.7, 0.95, 1),
        fc.nat({ max: 300 }),
        (outcomes, decay, idle) => {
          const prior = flatPrior(1);
          let slow = dpsBelief(
            outcomes.map((successes, i) => group(i + 1, successes)),
            outcomes.length + 1,
            1,
            decay,
          );
          const fast = dpsIdle(slow, idle, 1, decay);
          for (let i = 0; i < idle; i++) slow = dpsUpdate(slow, undefined, prior, decay);
          close(fast.now, slow.now);
          close(fast.before, slow.before);
          fast.counts.forEach((row, to) => close(row, slow.counts[to]!));
        },
      ),
    );
    const far = dpsBelief([group(1, 8)], 1_000_000_000, 1, 0.7);
    close(far.now, [1 / 3, 1 / 3, 1 / 3]);
  });

  it('keeps a probability and positive counts, whatever is observed', () => {
    const past = fc.array(fc.nat({ max: 8 }), { maxLength: 20 });
    fc.assert(
      fc.property(
        past,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat({ max: 30 }),
        (outcomes, decay, idle) => {
          const history = outcomes.map((successes, i) => group(2 * i + 1, successes));
          const { now, counts } = dpsBelief(history, 2 * outcomes.length + idle, 1, decay);
          expect(now[0] + now[1] + now[2]).toBeCloseTo(1, 12);
          for (const p of now) expect(p).toBeGreaterThan(0);
          for (const row of counts) for (const count of row) expect(count).toBeGreaterThan(0);
        },
      ),
    );
  });
});
