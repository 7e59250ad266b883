/** Values of 16 bits that a pass tells apart. */
const DIGIT = 0x1_0000;
const HALF_SIGN = 0x8000_0000;

/** Places with the bits of their numbers, so turned that they sort as whole numbers do. */
interface Column {
  readonly place: Int32Array;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

/**
 * Sorts places by a number each, rising; equal ones keep the order in which they stand. In place, linear in their
 * count: four passes over the bits of a double, of which those that tell nothing apart are left out.
 */
export function orderBy(places: Int32Array, key: (place: number) => number): void {
  const size = places.length;
  const value = new Float64Array(1);
  const bits = new Uint32Array(value.buffer);
  let from: Column = { place: places, low: new Uint32Array(size), high: new Uint32Array(size) };
  for (let i = 0; i < size; i++) {
    // −0 and 0 are the same number with other bits.
    value[0] = key(places[i]!) + 0;
    const negative = bits[1]! >= HALF_SIGN;
    from.low[i] = negative ? ~bits[0]! : bits[0]!;
    from.high[i] = negative ? ~bits[1]! : bits[1]! + HALF_SIGN;
  }
  let to: Column = { place: new Int32Array(size), low: new Uint32Array(size), high: new Uint32Array(size) };
  const ends = new Int32Array(DIGIT);
  for (const [word, shift] of [
    ['low', 0],
    ['low', 16],
    ['high', 0],
    ['high', 16],
  ] as const) {
    const digits = from[word];
    ends.fill(0);
    for (let i = 0; i < size; i++) ends[(digits[i]! >>> shift) & 0xffff]! += 1;
    if (size === 0 || ends[(digits[0]! >>> shift) & 0xffff] === size) continue;
    for (let d = 1; d < DIGIT; d++) ends[d]! += ends[d - 1]!;
    for (let i = size - 1; i >= 0; i--) {
      const at = --ends[(digits[i]! >>> shift) & 0xffff]!;
      to.place[at] = from.place[i]!;
      to.low[at] = from.low[i]!;
      to.high[at] = from.high[i]!;
    }
    [from, to] = [to, from];
  }
  if (from.place !== places) places.set(from.place);
}
