/** Greatest common divisor of two whole numbers above 0. */
export function greatestCommonDivisor(a: number, b: number): number {
  let [high, low] = [a, b];
  while (low !== 0) [high, low] = [low, high % low];
  return high;
}

/** The divisors of a whole number above 0, ascending. */
export function divisors(value: number): number[] {
  const small: number[] = [];
  const large: number[] = [];
  for (let each = 1; each * each <= value; each += 1) {
    if (value % each !== 0) continue;
    small.push(each);
    if (each * each !== value) large.unshift(value / each);
  }
  return [...small, ...large];
}

/** "1, 2, 4 or 8"; long lists are cut in the middle. */
export function listWords(values: readonly number[]): string {
  const shown =
    values.length > 8 ? [...values.slice(0, 6).map(String), '…', String(values.at(-1))] : values.map(String);
  if (shown.length <= 1) return shown.join('');
  return `${shown.slice(0, -1).join(', ')} or ${shown.at(-1) ?? ''}`;
}

export function processWords(count: number): string {
  return count === 1 ? '1 process' : `${count} processes`;
}

/** Whether a number is a whole number above 0: what divisibility can be argued about. */
export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
