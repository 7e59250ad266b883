import { orderBy } from './stableOrder';

/** Pieces of a word that are told apart; what comes after them is one more piece of text. */
const PIECES = 8;

/** Letters and numbers in turn, beginning with letters: `p-9b` is `p-`, 9, `b`. */
const pieces = (word: string): (string | number)[] => {
  const found: (string | number)[] = [];
  let from = 0;
  let digits = false;
  for (let i = 0; i <= word.length; i++) {
    const code = i < word.length ? word.charCodeAt(i) : -1;
    const isDigit = code >= 48 && code <= 57;
    if (i < word.length && isDigit === digits) continue;
    found.push(digits ? Number(word.slice(from, i)) : word.slice(from, i));
    from = i;
    digits = isDigit;
    if (found.length === PIECES) {
      if (from < word.length) found.push(word.slice(from));
      return found;
    }
  }
  return found;
};

/**
 * Places of words in the order in which people read them: letter case does not count, and p-9 stands before p-10.
 * Equal words have equal places; NaN: no word.
 */
export const wordRanks = (words: readonly string[]): Float64Array => {
  const distinct = new Map<string, number>();
  const lower = words.map((word) => word.toLowerCase());
  for (const word of lower) if (word !== '' && !distinct.has(word)) distinct.set(word, distinct.size);
  const split = Array.from(distinct.keys(), pieces);
  const places = Int32Array.from(split, (_, i) => i);
  const most = split.reduce((longest, { length }) => Math.max(longest, length), 0);
  for (let at = most - 1; at >= 0; at--) {
    const texts = new Set<string>();
    for (const each of split) {
      const piece = each[at];
      if (typeof piece === 'string') texts.add(piece);
    }
    const rankOf = new Map([...texts].sort().map((text, i) => [text, i]));
    // A word that has ended stands before those that go on.
    orderBy(places, (place) => {
      const piece = split[place]![at];
      return piece === undefined ? -1 : typeof piece === 'number' ? piece : rankOf.get(piece)!;
    });
  }
  const ranks = new Float64Array(split.length);
  places.forEach((place, rank) => (ranks[place] = rank));
  return Float64Array.from(lower, (word) => (word === '' ? Number.NaN : ranks[distinct.get(word)!]!));
};
