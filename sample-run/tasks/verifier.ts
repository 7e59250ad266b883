import { COLUMNS, correctAnswer, digitAt } from './problem';
import type { Problem } from './problem';
import { END_TOKEN, detokenise } from './vocabulary';

export interface Verdict {
  /** 1 when the text ends with exactly the right answer, else 0. */
  readonly reward: 0 | 1;
  /** The number given as the answer; null when the text has no well-formed answer at its end. */
  readonly answer: number | null;
  /** Share of the columns, in [0, 1], whose written digit is right. Shown, never rewarded. */
  readonly columns: number;
}

const ANSWER = / Answer: (\d{1,9})\.$/;
const COLUMN = / (Units|Tens|Hundreds|Thousands):[^.:]*? write (\d)/g;
const COLUMN_INDEX: Readonly<Record<string, number>> = { Units: 0, Tens: 1, Hundreds: 2, Thousands: 3 };

/**
 * Judges a response (the tokens after the prompt). It must end with the end token: a text that was cut
 * off is wrong, also when the answer already stands there.
 */
export function verify(problem: Problem, response: ArrayLike<number>): Verdict {
  const { text } = detokenise(response);
  const sum = correctAnswer(problem);
  const ended = response.length > 0 && response[response.length - 1] === END_TOKEN;
  const given = ANSWER.exec(text)?.[1];
  const answer = ended && given !== undefined ? Number(given) : null;
  const right = new Set<number>();
  for (const match of text.matchAll(COLUMN)) {
    const column = COLUMN_INDEX[match[1]!]!;
    if (column < COLUMNS[problem.level] && Number(match[2]) === digitAt(sum, column)) right.add(column);
  }
  const exact = answer !== null && given === String(sum);
  return { reward: exact ? 1 : 0, answer, columns: right.size / COLUMNS[problem.level] };
}
