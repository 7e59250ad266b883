/**
 * Random numbers that are looked up, not drawn: the number at a position is a function of
 * (run seed, key, position). A rollout's stream therefore does not depend on what else is sampled, in
 * which batch or order, and nothing has to be saved to continue it after a restart.
 */
export interface RandomKey {
  readonly a: number;
  readonly b: number;
}

/** Finaliser of MurmurHash3 (public domain): every input bit reaches every output bit. */
function mix(h: number): number {
  let x = h | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/** The stream of a key, for example of a rollout's id, in a run with this seed. */
export function randomKey(seed: number, key: string): RandomKey {
  let a = mix(seed ^ 0x9e3779b9);
  let b = mix(Math.floor(seed / 4294967296) ^ 0x7f4a7c15 ^ seed);
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    a = mix(a ^ unit);
    b = mix(Math.imul(b, 31) + unit);
  }
  return { a: mix(a ^ key.length), b };
}

/** The number at a position of the stream: uniform in [0, 1), 53 bits. */
export function uniformAt(key: RandomKey, position: number): number {
  const high = mix(mix(key.a ^ Math.imul(position, 0x9e3779b1)) ^ key.b);
  const low = mix(mix(key.b ^ Math.imul(position, 0x85ebca77)) ^ Math.imul(key.a, 0x27d4eb2f));
  return ((high >>> 5) * 67108864 + (low >>> 6)) / 9007199254740992;
}

/** A stream read in order, where the order is the caller's own and fixed. */
export class RandomStream {
  readonly #key: RandomKey;
  #position = 0;

  constructor(seed: number, key: string) {
    this.#key = randomKey(seed, key);
  }

  /** Uniform in [0, 1). */
  next(): number {
    return uniformAt(this.#key, this.#position++);
  }

  /** Uniform integer in [0, below). */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** Fisher-Yates shuffle into a new array. */
  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const held = shuffled[i]!;
      shuffled[i] = shuffled[j]!;
      shuffled[j] = held;
    }
    return shuffled;
  }
}
