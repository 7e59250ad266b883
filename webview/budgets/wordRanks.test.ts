import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordRanks } from './wordRanks';

const inOrder = (words: readonly string[]): string[] => {
  const ranks = wordRanks(words);
  return words
    .map((_, i) => i)
    .sort((a, b) => ranks[a]! - ranks[b]!)
    .map((i) => words[i]!);
};

describe('wordRanks', () => {
  it('reads numbers as numbers and does not mind letter case', () => {
    expect(inOrder(['p-10', 'P-9', 'p-1', 'p', 'a-100', 'p-9b', '7', 'p-9a2', 'p-9a10'])).toEqual([
      '7',
      'a-100',
      'p',
      'p-1',
      'P-9',
      'p-9a2',
      'p-9a10',
      'p-9b',
      'p-10',
    ]);
  });

  it('gives equal words equal places, and none to no word', () => {
    const [a, b, none] = wordRanks(['Geo', 'geo', '']);
    expect(a).toBe(b);
    expect(none).toBeNaN();
  });

  it('tells all words apart, however many pieces they have, and the order does not depend on how they came', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'B', '-', '1', '0', '27'),
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(fc.uniqueArray(word, { selector: (each) => each.toLowerCase() }), (words) => {
        const numbered = (each: string) => each.replaceAll(/\d+/g, (digits) => String(Number(digits)));
        const ranks = wordRanks(words);
        words.forEach((one, i) => {
          words.forEach((other, j) => {
            const same = numbered(one.toLowerCase()) === numbered(other.toLowerCase());
            if (i !== j && !same) expect(ranks[i]).not.toBe(ranks[j]);
          });
        });
        expect(inOrder([...words].reverse()).map(numbered)).toEqual(inOrder(words).map(numbered));
      }),
      { numRuns: 200 },
    );
  });
});
