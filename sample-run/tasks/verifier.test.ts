import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rng } from '../../methods/random';
import { demonstrate } from './demonstration';
import type { DemonstratorHabits } from './demonstration';
import { COLUMNS, LEVELS, correctAnswer, randomProblem } from './problem';
import type { Problem } from './problem';
import { verify } from './verifier';
import { END_TOKEN, VOCABULARY_SIZE, detokenise, endsSentence, tokenise } from './vocabulary';

const FLAWLESS: DemonstratorHabits = { forgetCarry: 0, slip: 0, skipWorking: 0 };
const PROBLEM: Problem = { level: 1, operands: [47, 85] };
const problems = fc
  .tuple(fc.constantFrom(...LEVELS), fc.nat())
  .map(([level, seed]) => ({ problem: randomProblem(level, Rng.from(seed)), seed }));

function response(text: string, ended = true): number[] {
  const result = tokenise(text);
  if (!result.ok) throw new Error(result.message);
  return ended ? [...result.tokens, END_TOKEN] : result.tokens;
}

describe('verifier', () => {
  it('rewards every flawless demonstration', () => {
    fc.assert(
      fc.property(problems, ({ problem, seed }) => {
        const verdict = verify(problem, demonstrate(problem, FLAWLESS, Rng.from(seed).fork('says')));
        expect(verdict).toEqual({ reward: 1, answer: correctAnswer(problem), columns: 1 });
      }),
    );
  });

  it('rewards demonstrations with errors exactly when their answer is the sum', () => {
    const habits = { forgetCarry: 0.5, slip: 0.3, skipWorking: 0.5 };
    fc.assert(
      fc.property(problems, ({ problem, seed }) => {
        const tokens = demonstrate(problem, habits, Rng.from(seed).fork('says'));
        const { reward, answer } = verify(problem, tokens);
        expect(answer).not.toBeNull();
        expect(reward).toBe(answer === correctAnswer(problem) ? 1 : 0);
      }),
    );
  });

  it('needs the exact answer at the end of an ended text', () => {
    const good = ' Units: 7 plus 5 is 12, write 2, carry 1. Tens: write 3, carry 1. Answer: 132.';
    expect(verify(PROBLEM, response(good))).toEqual({ reward: 1, answer: 132, columns: 1 });
    expect(verify(PROBLEM, response(good, false))).toEqual({ reward: 0, answer: null, columns: 1 });
    expect(verify(PROBLEM, response(' Answer: 131.')).reward).toBe(0);
    expect(verify(PROBLEM, response(' Answer: 0132.')).reward).toBe(0);
    expect(verify(PROBLEM, response(' Answer: 132')).reward).toBe(0);
    expect(verify(PROBLEM, response(' Answer: 132. Answer: 131.')).reward).toBe(0);
    expect(verify(PROBLEM, response(' Units: write 2. Tens: write 9. Answer: 192.'))).toEqual({
      reward: 0,
      answer: 192,
      columns: 0.5,
    });
  });

  it('judges any tokens without failing', () => {
    fc.assert(
      fc.property(problems, fc.array(fc.nat(VOCABULARY_SIZE - 1)), ({ problem }, tokens) => {
        const { reward, columns } = verify(problem, tokens);
        expect([0, 1]).toContain(reward);
        expect(columns).toBeGreaterThanOrEqual(0);
        expect(columns).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('demonstration', () => {
  it('reads as sentences, one a column, and the answer', () => {
    fc.assert(
      fc.property(problems, ({ problem, seed }) => {
        const tokens = demonstrate(problem, FLAWLESS, Rng.from(seed).fork('says'));
        const sentences = tokens.filter((token) => endsSentence(token) && token !== END_TOKEN).length;
        expect(sentences).toBe(COLUMNS[problem.level] + 1);
        expect(detokenise(tokens).text).toMatch(
          /^ Units: \d plus \d.*, write \d.*\. Tens: .*\. Answer: \d+\.$/,
        );
      }),
    );
  });

  it('shows each habit when it is certain', () => {
    const says = (habits: Partial<DemonstratorHabits>): string =>
      detokenise(demonstrate(PROBLEM, { ...FLAWLESS, ...habits }, Rng.from(1))).text.replaceAll(
        'makes',
        'is',
      );
    expect(says({})).toBe(
      ' Units: 7 plus 5 is 12, write 2, carry 1. Tens: 4 plus 8 plus 1 is 13, write 3, carry 1. Answer: 132.',
    );
    expect(says({ forgetCarry: 1 })).toContain('Tens: 4 plus 8 is 12, write 2, carry 1. Answer: 122.');
    expect(says({ skipWorking: 1 })).toBe(' Units: write 2, carry 1. Tens: write 3, carry 1. Answer: 132.');
    expect(says({ slip: 1 })).toMatch(/Units: 7 plus 5 is 1[13], write [13]/);
  });
});
