import { editDistance } from '../text/editDistance';

/** Why a key is taken for another one. */
export interface NearKey {
  readonly name: string;
  readonly how: 'spelling' | 'beginning';
}

const LEAST_BEGINNING = 6;
const LEAST_SHARE = 0.75;

/** A key without what people write differently: hyphens, capitals, camel case, spaces at its ends. */
export function plainKey(key: string): string {
  return key
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

/** The keys that an unknown key can have been meant to be. */
export class KeyIndex {
  readonly #known: readonly { readonly name: string; readonly letters: number }[];

  constructor(names: Iterable<string>) {
    this.#known = Array.from(names, (name) => ({ name, letters: lettersOf(name) }));
  }

  /**
   * The known key that an unknown one was probably meant to be: the same but for case and hyphens, or within a
   * Damerau-Levenshtein distance of 2 (1 for short keys) and nearer than every other, or the beginning of exactly one.
   * Undefined where none is, or two are as near.
   */
  nearest(key: string): NearKey | undefined {
    const plain = plainKey(key);
    if (plain.length < 3) return undefined;
    const limit = plain.length <= 4 ? 1 : 2;
    const letters = lettersOf(plain);
    let best: { name: string; distance: number } | undefined;
    let tied = false;
    const continued: string[] = [];
    for (const known of this.#known) {
      if (isBeginning(plain, known.name)) continued.push(known.name);
      // One edit adds or takes away at most two kinds of letters.
      if (bitCount(known.letters ^ letters) > 2 * limit) continue;
      const distance = editDistance(plain, known.name, limit);
      if (distance === 0) return { name: known.name, how: 'spelling' };
      if (distance > limit) continue;
      if (best?.distance === distance) tied = true;
      if (best && best.distance <= distance) continue;
      best = { name: known.name, distance };
      tied = false;
    }
    if (best && !tied) return { name: best.name, how: 'spelling' };
    const only = continued.length === 1 ? continued[0] : undefined;
    return only === undefined ? undefined : { name: only, how: 'beginning' };
  }
}

/** A name cut inside a word, or most of a name: `chat_template` is a key of its own, not a short `chat_template_kwargs`. */
function isBeginning(plain: string, name: string): boolean {
  if (plain.length < LEAST_BEGINNING || !name.startsWith(plain)) return false;
  return name.charAt(plain.length) !== '_' || plain.length >= LEAST_SHARE * name.length;
}

/** The kinds of letters in a text, one bit each (several kinds share a bit). */
function lettersOf(text: string): number {
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) letters |= 1 << (text.charCodeAt(index) & 31);
  return letters;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
