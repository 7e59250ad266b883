import type { Rng } from '../../methods/random';
import { PROMPT_END_TOKEN, digitToken, pieceToken } from './vocabulary';

/**
 * Levels of difficulty:
 * 1 two numbers of two digits, 2 three numbers of two digits, 3 two numbers of three digits,
 * 4 two numbers of four digits.
 */
export type Level = 1 | 2 | 3 | 4;
export const LEVELS: readonly Level[] = [1, 2, 3, 4];

export const LEVEL_NAMES: Readonly<Record<Level, string>> = {
  1: 'two numbers, two digits',
  2: 'three numbers, two digits',
  3: 'two numbers, three digits',
  4: 'two numbers, four digits',
};

/** A sum to work out. */
export interface Problem {
  readonly level: Level;
  readonly operands: readonly number[];
}

const OPERAND_COUNT: Readonly<Record<Level, number>> = { 1: 2, 2: 3, 3: 2, 4: 2 };
/** Digits of each operand, and so columns to add up. */
export const COLUMNS: Readonly<Record<Level, number>> = { 1: 2, 2: 2, 3: 3, 4: 4 };

export function randomProblem(level: Level, random: Rng): Problem {
  const smallest = 10 ** (COLUMNS[level] - 1);
  const operands = Array.from({ length: OPERAND_COUNT[level] }, () => smallest + random.below(9 * smallest));
  return { level, operands };
}

export function correctAnswer(problem: Problem): number {
  return problem.operands.reduce((sum, operand) => sum + operand, 0);
}

/** The same sum has the same key, in whatever order its numbers stand. */
export function problemKey(problem: Problem): string {
  return [...problem.operands].sort((a, b) => a - b).join('+');
}

/** Tokens of a number as it stands in a text: a space, then its digits. */
export function numberTokens(value: number): number[] {
  return Array.from(String(value), (digit, i) => digitToken(Number(digit), i === 0));
}

const WHAT_IS = pieceToken('What is');
const PLUS = pieceToken(' plus');

/** Tokens of "What is 47 plus 85?" */
export function promptTokens(problem: Problem): number[] {
  const tokens = [WHAT_IS];
  problem.operands.forEach((operand, i) => {
    if (i > 0) tokens.push(PLUS);
    tokens.push(...numberTokens(operand));
  });
  tokens.push(PROMPT_END_TOKEN);
  return tokens;
}

/** Digit of the column, 0 for units. */
export function digitAt(value: number, column: number): number {
  return Math.floor(value / 10 ** column) % 10;
}
