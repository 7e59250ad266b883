import { editDistance } from '../../text/editDistance';

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

/**
 * The known key that an unknown one was probably meant to be: the same but for case and hyphens, or within a
 * Damerau-Levenshtein distance of 2 (1 for short keys) and nearer than every other, or the beginning of exactly one.
 * Undefined where none is, or two are as near.
 */
export function nearestKey(key: string, known: Iterable<string>): NearKey | undefined {
  const plain = plainKey(key);
  const limit = plain.length <= 4 ? 1 : 2;
  if (plain.length < 3) return undefined;
  let best: { name: string; distance: number } | undefined;
  let tied = false;
  const continued: string[] = [];
  for (const name of known) {
    const distance = editDistance(plain, name, limit);
    if (distance === 0) return { name, how: 'spelling' };
    if (distance <= limit) {
      tied = best?.distance === distance;
      if (!best || distance < best.distance) best = { name, distance };
    }
    if (isBeginning(plain, name)) continued.push(name);
  }
  if (best && !tied) return { name: best.name, how: 'spelling' };
  const only = continued.length === 1 ? continued[0] : undefined;
  return only === undefined ? undefined : { name: only, how: 'beginning' };
}

/** A name cut inside a word, or most of a name: `chat_template` is a key of its own, not a short `chat_template_kwargs`. */
function isBeginning(plain: string, name: string): boolean {
  if (plain.length < LEAST_BEGINNING || !name.startsWith(plain)) return false;
  return name.charAt(plain.length) !== '_' || plain.length >= LEAST_SHARE * name.length;
}
