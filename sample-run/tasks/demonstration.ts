import type { Rng } from '../../methods/random';
import { COLUMNS, digitAt, numberTokens } from './problem';
import type { Problem } from './problem';
import { END_TOKEN, digitToken, pieceToken } from './vocabulary';

/**
 * How the demonstrator errs. The warm start learns the errors along with the method, so that the run
 * begins with a policy that knows how to add and often does not do it: what reinforcement learning can
 * then sharpen. Probabilities per column.
 */
export interface DemonstratorHabits {
  /** A carry is announced and then left out of the next column. */
  readonly forgetCarry: number;
  /** The sum of a column is one too high or too low. */
  readonly slip: number;
  /** The working is skipped: " Tens: write 3, carry 1." with the right digits. */
  readonly skipWorking: number;
}

export const COLUMN_NAMES = ['Units', 'Tens', 'Hundreds', 'Thousands'] as const;
const COLUMN_TOKENS = COLUMN_NAMES.map((name) => pieceToken(` ${name}:`));
const PLUS = pieceToken(' plus');
const IS = pieceToken(' is');
const MAKES = pieceToken(' makes');
const WRITE = pieceToken(' write');
const COMMA_WRITE = pieceToken(', write');
const CARRY = pieceToken(', carry');
const STOP = pieceToken('.');
const ANSWER = pieceToken(' Answer:');

/**
 * The response to a problem, end token included, column by column from the units:
 * " Units: 7 plus 5 is 12, write 2, carry 1. Tens: 4 plus 8 plus 1 makes 13, write 3, carry 1. Answer: 133."
 */
export function demonstrate(problem: Problem, habits: DemonstratorHabits, random: Rng): number[] {
  const tokens: number[] = [];
  const columns = COLUMNS[problem.level];
  let carry = 0;
  let answer = 0;
  for (let column = 0; column < columns; column++) {
    const forgets = carry > 0 && random.float() < habits.forgetCarry;
    const terms = problem.operands.map((operand) => digitAt(operand, column));
    if (carry > 0 && !forgets) terms.push(carry);
    let sum = terms.reduce((a, b) => a + b, 0);
    if (random.float() < habits.slip) sum = Math.max(0, sum + (random.float() < 0.5 ? -1 : 1));
    tokens.push(COLUMN_TOKENS[column]!);
    const works = random.float() >= habits.skipWorking;
    if (works) {
      terms.forEach((term, i) => {
        if (i > 0) tokens.push(PLUS);
        tokens.push(digitToken(term, true));
      });
      tokens.push(random.float() < 0.5 ? IS : MAKES, ...numberTokens(sum));
    }
    const written = sum % 10;
    carry = (sum - written) / 10;
    tokens.push(works ? COMMA_WRITE : WRITE, digitToken(written, true));
    if (carry > 0) tokens.push(CARRY, digitToken(carry, true));
    tokens.push(STOP);
    answer += written * 10 ** column;
  }
  answer += carry * 10 ** columns;
  tokens.push(ANSWER, ...numberTokens(answer), STOP, END_TOKEN);
  return tokens;
}
