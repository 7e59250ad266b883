import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import type { AllocationAnswer } from './allocator';
import { esc, escExpected } from './esc';
import { runToEnd } from './runToEnd';

const run = (answers: readonly unknown[], parameters = {}): AllocationAnswer[] =>
  runToEnd(
    esc,
    { prompts: [{ id: 'a' }], budget: 0 },
    Rng.from(0),
    (_, i) => ({ reward: 0, answer: JSON.stringify(answers[i]) }),
    parameters,
  );

describe('ESC', () => {
  const params = Type.Object({ window: Type.Integer(), max_samples: Type.Integer() });
  const runs = readVectors('allocation/esc', {
    input: Type.Object({ kind: Type.Literal('run'), answers_in_order: Type.Array(Type.Unknown()) }),
    params,
    output: Type.Object({ samples_used: Type.Integer(), stopped_on_unanimous_window: Type.Boolean() }),
  });
  const expectations = readVectors('allocation/esc', {
    input: Type.Object({ kind: Type.Literal('expected'), answer_probabilities: Type.Array(Type.Number()) }),
    params,
    output: Type.Object({ expected_samples: Type.Number() }),
  });

  it('has all vectors', () => expect(runs.length + expectations.length).toBe(34));

  it.each(runs)('$name', ({ input: { answers_in_order: answers }, params: by, output }) => {
    const found = run(answers, { window: by.window, most: by.max_samples });
    expect(found.at(-1)!.state.asked).toEqual([output.samples_used]);
    expect(found.at(-1)!.requests[0]!.reasonCode).toBe(
      output.stopped_on_unanimous_window ? 'agrees' : 'at-most',
    );
  });

  it.each(expectations)('$name', ({ input, params: by, output }) => {
    const found = escExpected(input.answer_probabilities, { window: by.window, most: by.max_samples });
    expect(found).toBeCloseTo(output.expected_samples, 9);
  });

  it('gives the worked example: the second window agrees, after 10 answers', () => {
    const found = run(['A', 'A', 'B', 'A', 'A', 'A', 'A', 'A', 'A', 'A']);
    expect(found.at(-1)!.state.asked).toEqual([10]);
    expect(found[1]!.requests[0]!.reason).toBe('Window 1 has 2 distinct answers: 5 more.');
    expect(found[2]!.requests[0]!.reason).toBe('All 5 answers of window 2 agree: no more.');
  });

  it('takes a window that did not finish for one that does not agree, and refuses one that does not fit', () => {
    const first = esc.next(esc.start({ prompts: [{ id: 'a' }], budget: 0 }, Rng.from(0)), []);
    const outcome = { prompt: 0, rewards: [1, 1], successes: [], answers: ['A', 'A'] };
    expect(esc.next(first.state, [outcome]).requests[0]!.reason).toBe(
      'Only 2 of 5 rollouts of window 1 finished: 5 more.',
    );
    expect(() => run([], { window: 9, most: 8 })).toThrow(/does not fit/u);
  });

  it('samples whole windows, as often as agreement takes', () => {
    const answers = fc.array(fc.constantFrom('A', 'B'), { minLength: 24, maxLength: 24 });
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 6 }), (given, window) => {
        const windows = Math.floor(24 / window);
        const agrees = (w: number): boolean => new Set(given.slice(w * window, (w + 1) * window)).size === 1;
        const first = Array.from({ length: windows }, (_, w) => w).findIndex(agrees);
        const expected = (first < 0 ? windows : first + 1) * window;
        expect(run(given, { window, most: 24 }).at(-1)!.state.asked).toEqual([expected]);
      }),
    );
  });
});
