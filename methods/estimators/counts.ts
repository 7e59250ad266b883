import { Refusal } from '../refusal';

/** Throws a Refusal unless 0 ≤ c ≤ n are integers: n samples of one prompt, c of them correct. */
export function checkCounts(samples: number, correct: number): void {
  if (!Number.isInteger(samples) || !Number.isInteger(correct) || correct < 0 || correct > samples) {
    throw new Refusal(
      'bad-count',
      `${correct} correct of ${samples} samples is not a count. Both must be whole numbers and the first must not ` +
        'exceed the second; check what the job reports as success.',
    );
  }
}

/** Throws a Refusal unless k is an integer of at least 1. */
export function checkK(k: number): void {
  if (!Number.isInteger(k) || k < 1) {
    throw new Refusal('bad-count', `k = ${k} is not a number of samples. Give a whole number of at least 1.`);
  }
}

/** Throws a Refusal unless both parameters of a Beta distribution are positive and finite. */
export function checkBeta(a: number, b: number): void {
  if (!(a > 0 && b > 0 && Number.isFinite(a) && Number.isFinite(b))) {
    throw new Refusal(
      'bad-parameter',
      `Beta(${a}, ${b}) is not a distribution. Both parameters must be positive.`,
    );
  }
}

/** Throws a Refusal unless level lies strictly between 0 and 1. */
export function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) {
    throw new Refusal(
      'bad-parameter',
      `An interval of level ${level} does not exist. Give a level between 0 and 1.`,
    );
  }
}
