import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { betaProbability } from '../estimators/incompleteBeta';
import { Rng } from '../random';
import type { AllocationAnswer } from './allocator';
import { answerCounts, asc, ascCriterion, leadProbability } from './asc';
import { runToEnd } from './runToEnd';

const run = (answers: readonly (readonly string[])[], parameters = {}): AllocationAnswer[] =>
  runToEnd(
    asc,
    { prompts: answers.map((_, i) => ({ id: String(i) })), budget: 0 },
    Rng.from(0),
    (prompt, i) => ({ reward: 0, answer: answers[prompt]![i] ?? 'Z' }),
    parameters,
  );
const used = (answers: readonly AllocationAnswer[]): readonly number[] => answers.at(-1)!.state.asked;

describe('ASC', () => {
  const cases = readVectors('allocation/asc', {
    input: Type.Object({ answers_in_order: Type.Array(Type.String()) }),
    params: Type.Object({ criterion: Type.String(), threshold: Type.Number(), max_gens: Type.Integer() }),
    output: Type.Object({
      samples_used: Type.Integer(),
      stopped_early: Type.Boolean(),
      criterion_value_by_step: Type.Array(Type.Number()),
      exact_probability_by_step: Type.Optional(Type.Array(Type.Number())),
      borderline: Type.Boolean(),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(40));

  it.each(cases)('$name', ({ input: { answers_in_order: answers }, params: by, output }) => {
    const expected = output.exact_probability_by_step ?? output.criterion_value_by_step;
    expected.forEach((value, i) => {
      const found = ascCriterion(by.criterion, answerCounts(answers.slice(0, i + 1)));
      // The release answers −1 where it does not judge.
      expect(found ?? -1).toBeCloseTo(value, 12);
    });
    const most = Math.min(by.max_gens, answers.length);
    const found = run([answers], { criterion: by.criterion, threshold: by.threshold, most });
    if (output.borderline) return;
    expect(used(found)).toEqual([output.samples_used]);
    expect(found.at(-1)!.requests[0]!.reasonCode).toBe(output.stopped_early ? 'settled' : 'at-most');
  });

  it('gives the worked example: four equal answers, or six of seven', () => {
    expect([1, 2, 3, 4].map((a) => leadProbability(a, 0))).toEqual([0.75, 0.875, 0.9375, 0.96875]);
    expect([4, 5, 6].map((a) => leadProbability(a, 1).toFixed(3))).toEqual(['0.891', '0.938', '0.965']);
    const found = run([
      ['A', 'A', 'A', 'A', 'A'],
      ['A', 'B', 'A', 'A', 'A', 'A', 'A', 'A'],
    ]);
    expect(used(found)).toEqual([4, 7]);
    const stops = found.flatMap(({ requests }) => requests.filter(({ action }) => action === 'stop'));
    expect(stops[0]!.reason).toBe(
      '4 answers, 1 distinct: the probability that the most common answer leads is 0.969, reaching 0.95: no more.',
    );
  });

  it('is the tail of a Beta distribution', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), (a, b) => {
        expect(leadProbability(a, b)).toBeCloseTo(betaProbability(0.5, b + 1, a + 1), 9);
      }),
    );
  });

  it('never asks for more than the most, and needs the answers', () => {
    const answers = fc.array(fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 12 }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 12 }), (given, most) => {
        const found = run(given, { most });
        for (const count of used(found)) expect(count >= 1 && count <= most).toBe(true);
        const [stopped, ...others] = [...run(given.slice(0, 1), { most })].slice(-1);
        expect(others).toEqual([]);
        expect(used([stopped!])[0]).toBe(used(found)[0]);
      }),
    );
    const first = asc.next(asc.start({ prompts: [{ id: 'a' }], budget: 0 }, Rng.from(0)), []);
    expect(() => asc.next(first.state, [{ prompt: 0, rewards: [1], successes: [] }])).toThrow(
      /the final answer/u,
    );
    // A rollout that never ends is asked for again, but only so often.
    const again = asc.next(first.state, []);
    expect(again.requests[0]!.reason).toBe('0 answers, too few to judge: one more.');
  });
});
