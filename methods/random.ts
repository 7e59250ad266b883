/**
 * The only source of randomness in this project's rules, estimators and sample run.
 *
 * Generator: xoshiro128** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), period
 * 2^128 − 1, in 32-bit integer arithmetic, so that integers, floats and shuffles are the same on every machine.
 * `normal`, `gamma` and `beta` also use Math.log, Math.sqrt and Math.pow: the same on every V8 of one version.
 *
 * Seeds and labels are hashed into the four words of state; `fork` depends on the seed and the path of labels
 * only, never on how many numbers were drawn before, so that adding a draw in one place moves nothing elsewhere.
 */

type Words = readonly [number, number, number, number];

/** A generator's state as JSON: `key` is what forks are derived from, `state` what the next draw comes from. */
export interface RngState {
  readonly key: Words;
  readonly state: Words;
}

const rotl = (x: number, k: number): number => (x << k) | (x >>> (32 - k));

/** Finaliser of MurmurHash3 (Appleby, 2008): every input bit flips half of the output bits. */
const avalanche = (x: number): number => {
  let h = x;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};

const ROOT: Words = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x6a09e667];

/** Hashes a label into a key; the four lanes use different odd multipliers and feed each other at the end. */
const derive = (key: Words, label: string): Words => {
  let [a, b, c, d] = key;
  for (let i = 0; i < label.length; i++) {
    const unit = label.charCodeAt(i) + 1;
    a = Math.imul(rotl(a ^ unit, 13), 0x9e3779b1);
    b = Math.imul(rotl(b ^ unit, 17), 0x85ebca77);
    c = Math.imul(rotl(c ^ unit, 19), 0xc2b2ae3d);
    d = Math.imul(rotl(d ^ unit, 23), 0x27d4eb2f);
  }
  a = avalanche(a ^ label.length);
  b = avalanche(b + a);
  c = avalanche(c + b);
  d = avalanche(d + c);
  a = avalanche(a + d);
  // An all-zero state is the one fixed point of the generator.
  return (a | b | c | d) === 0 ? ROOT : [a, b, c, d];
};

export class Rng {
  readonly #key: Words;
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  private constructor(key: Words, state: Words) {
    this.#key = key;
    [this.#a, this.#b, this.#c, this.#d] = state;
  }

  /** Equal seeds give equal streams; a number is taken by its decimal text. */
  static from(seed: number | string): Rng {
    const key = derive(ROOT, String(seed));
    return new Rng(key, key);
  }

  /** Continues exactly where `save` was called. */
  static restore(saved: RngState): Rng {
    return new Rng(saved.key, saved.state);
  }

  save(): RngState {
    return { key: this.#key, state: [this.#a >>> 0, this.#b >>> 0, this.#c >>> 0, this.#d >>> 0] };
  }

  /** An independent stream for a purpose; the same label always gives the same stream, `this` does not move. */
  fork(label: number | string): Rng {
    const key = derive(this.#key, String(label));
    return new Rng(key, key);
  }

  /** Integer, uniform on 0 .. 2^32 − 1. */
  uint32(): number {
    const result = Math.imul(rotl(Math.imul(this.#b, 5), 7), 9) >>> 0;
    const t = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= t;
    this.#d = rotl(this.#d, 11);
    return result;
  }

  /** Uniform on [0, 1), a multiple of 2^−53. */
  float(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 0x4000000 + low) / 0x20000000000000;
  }

  /** Integer, uniform on 0 .. n − 1 without modulo bias. Throws RangeError unless n is an integer in 1 .. 2^32. */
  below(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > 0x100000000) {
      throw new RangeError(`below(n) needs an integer n between 1 and 2^32; it was given ${n}.`);
    }
    const limit = 0x100000000 - (0x100000000 % n);
    for (;;) {
      const drawn = this.uint32();
      if (drawn < limit) return drawn % n;
    }
  }
}
