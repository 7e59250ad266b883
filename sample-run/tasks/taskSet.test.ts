import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rng } from '../../methods/random';
import { COLUMNS, LEVELS, correctAnswer, problemKey, randomProblem } from './problem';
import { HELD_OUT_TASKS, TRAIN_TASKS, isTaskProblem, taskById } from './taskSet';
import { PROMPT_END_TOKEN, VOCABULARY_SIZE, detokenise } from './vocabulary';

const ALL = [...TRAIN_TASKS, ...HELD_OUT_TASKS];

describe('task set', () => {
  it('has 96 training and 60 held-out prompts on four levels, with an id and a sum of their own each', () => {
    expect(TRAIN_TASKS).toHaveLength(96);
    expect(HELD_OUT_TASKS).toHaveLength(60);
    for (const level of LEVELS) {
      expect(TRAIN_TASKS.filter((task) => task.level === level)).toHaveLength(24);
      expect(HELD_OUT_TASKS.filter((task) => task.level === level)).toHaveLength(15);
    }
    expect(new Set(ALL.map((task) => task.id)).size).toBe(156);
    expect(new Set(ALL.map((task) => problemKey(task.problem))).size).toBe(156);
  });

  it('keeps ids and prompts stable: runs and records of other versions name them', () => {
    expect(['add-1000', 'add-1017', 'add-2023', 'add-3500', 'add-4514'].map((id) => taskById(id)?.text))
      .toMatchInlineSnapshot(`
      [
        "What is 66 plus 99?",
        "What is 49 plus 15?",
        "What is 35 plus 13 plus 55?",
        "What is 584 plus 238?",
        "What is 8385 plus 9172?",
      ]
    `);
    expect(taskById('add-1024')).toBeUndefined();
  });

  it('writes prompts as text that ends with the prompt end token', () => {
    for (const task of ALL) {
      expect(task.tokens.at(-1)).toBe(PROMPT_END_TOKEN);
      expect(task.tokens.every((token) => token > 0 && token < VOCABULARY_SIZE)).toBe(true);
      expect(task.text).toBe(`What is ${task.problem.operands.join(' plus ')}?`);
      expect(detokenise(task.tokens).text).toBe(task.text);
    }
  });

  it('draws problems of the size of their level', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LEVELS), fc.nat(), (level, seed) => {
        const problem = randomProblem(level, Rng.from(seed));
        expect(problem.operands).toHaveLength(level === 2 ? 3 : 2);
        for (const operand of problem.operands) expect(String(operand)).toHaveLength(COLUMNS[level]);
        expect(isTaskProblem(problem)).toBe(
          ALL.some((task) => problemKey(task.problem) === problemKey(problem)),
        );
        expect(correctAnswer(problem)).toBe(problem.operands.reduce((a, b) => a + b));
      }),
    );
    expect(isTaskProblem({ ...ALL[0]!.problem, operands: ALL[0]!.problem.operands.toReversed() })).toBe(true);
  });
});
