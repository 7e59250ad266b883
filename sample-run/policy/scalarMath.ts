/**
 * Exponential and logarithm built from IEEE additions, multiplications and divisions only. ECMAScript
 * leaves the last bits of Math.exp and Math.log to the engine; a run that must repeat bit
 * for bit on any machine may not depend on them.
 */
const LOG2E = 1.4426950408889634;
const LN2_HIGH = 0.69314718036912381649;
const LN2_LOW = 1.90821492927058770002e-10;
const MIN_EXPONENT = -1022;
const MAX_EXPONENT = 1023;

/** Powers of two by repeated doubling and halving, which is exact in doubles. */
const POWERS = (() => {
  const powers = new Float64Array(MAX_EXPONENT - MIN_EXPONENT + 1);
  powers[-MIN_EXPONENT] = 1;
  for (let e = 1; e <= MAX_EXPONENT; e++) powers[e - MIN_EXPONENT] = powers[e - 1 - MIN_EXPONENT]! * 2;
  for (let e = -1; e >= MIN_EXPONENT; e--) powers[e - MIN_EXPONENT] = powers[e + 1 - MIN_EXPONENT]! * 0.5;
  return powers;
})();

/** e^x with a relative error below 1e-13; 0 below -708, and the value at 709 above it. */
export function exp(x: number): number {
  if (x < -708) return 0;
  const bounded = x > 709 ? 709 : x;
  const k = Math.floor(bounded * LOG2E + 0.5);
  const r = bounded - k * LN2_HIGH - k * LN2_LOW;
  const series =
    1 +
    r *
      (1 +
        r *
          (1 / 2 +
            r *
              (1 / 6 +
                r *
                  (1 / 24 +
                    r *
                      (1 / 120 +
                        r *
                          (1 / 720 +
                            r *
                              (1 / 5040 +
                                r *
                                  (1 / 40320 +
                                    r * (1 / 362880 + r * (1 / 3628800 + r * (1 / 39916800)))))))))));
  return series * POWERS[k - MIN_EXPONENT]!;
}

const SQRT2 = 1.4142135623730951;

/** Natural logarithm of a positive finite normal number, with an absolute error below 1e-14 of its size. */
export function log(x: number): number {
  if (!(x > 0)) return -Infinity;
  let low = MIN_EXPONENT;
  let high = MAX_EXPONENT;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (POWERS[middle - MIN_EXPONENT]! <= x) low = middle;
    else high = middle - 1;
  }
  let exponent = low;
  let mantissa = x / POWERS[exponent - MIN_EXPONENT]!;
  if (mantissa > SQRT2) {
    mantissa *= 0.5;
    exponent += 1;
  }
  const s = (mantissa - 1) / (mantissa + 1);
  const q = s * s;
  let series = 0;
  for (let n = 21; n >= 1; n -= 2) series = series * q + 1 / n;
  return exponent * LN2_HIGH + (exponent * LN2_LOW + 2 * s * series);
}
