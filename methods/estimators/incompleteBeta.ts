import { checkBeta } from './counts';
import { Refusal } from '../refusal';

/**
 * Stirling's remainder lnΓ(x) − [(x − ½) ln x − x + ½ ln 2π] for x > 0: the asymptotic series from 12 on, below it
 * the recurrence δ(x) = δ(x+1) + (x + ½) ln(1 + 1/x) − 1.
 */
function stirlingRemainder(x: number): number {
  let shift = 0;
  let y = x;
  for (; y < 12; y++) shift += (y + 0.5) * Math.log1p(1 / y) - 1;
  const s = 1 / (y * y);
  return (
    shift +
    (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - (s * 691) / 360360))))) / y
  );
}

/** x ln(x/m) + m − x without cancellation where x is near m (Loader, "Fast and accurate computation of binomial probabilities", 2000). */
function deviance(x: number, m: number): number {
  const d = x - m;
  if (Math.abs(d) < 0.1 * (x + m)) {
    const v = d / (x + m);
    let sum = d * v;
    let term = 2 * x * v;
    for (let j = 1; j < 1000; j++) {
      term *= v * v;
      const next = sum + term / (2 * j + 1);
      if (next === sum) break;
      sum = next;
    }
    return sum;
  }
  return x * Math.log(x / m) - d;
}

/** x^a (1−x)^b / B(a, b), with y = 1 − x given apart so that neither end loses digits. */
export function betaPower(x: number, y: number, a: number, b: number): number {
  const s = a + b;
  const remainder = stirlingRemainder(s) - stirlingRemainder(a) - stirlingRemainder(b);
  const exponent = remainder - deviance(a, s * x) - deviance(b, s * y);
  return Math.sqrt((a / s) * (b / (2 * Math.PI))) * Math.exp(exponent);
}

/** Continued fraction of I_x(a, b) · a / power (Lentz's method; DLMF 8.17.22). Converges fast for x < (a+1)/(a+b+2). */
function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 - ((a + b) * x) / (a + 1);
  d = 1 / (Math.abs(d) < tiny ? tiny : d);
  let value = d;
  for (let m = 1; m < 20_000; m++) {
    const m2 = 2 * m;
    const even = (m * (b - m) * x) / ((a + m2 - 1) * (a + m2));
    d = 1 + even * d;
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    c = 1 + even / c;
    if (Math.abs(c) < tiny) c = tiny;
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + m2) * (a + m2 + 1));
    d = 1 + odd * d;
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    c = 1 + odd / c;
    if (Math.abs(c) < tiny) c = tiny;
    const change = d * c;
    value *= change;
    if (Math.abs(change - 1) < 1e-16) break;
  }
  return value;
}

/** Regularised incomplete beta function I_x(a, b) with y = 1 − x given apart. */
function regularised(x: number, y: number, a: number, b: number, power: number): number {
  return x < (a + 1) / (a + b + 2) ? (power * fraction(x, a, b)) / a : 1 - (power * fraction(y, b, a)) / b;
}

/** P(X ≤ x) for X ~ Beta(a, b). Throws a Refusal unless a, b > 0 and 0 ≤ x ≤ 1. */
export function betaProbability(x: number, a: number, b: number): number {
  checkBeta(a, b);
  if (!(x >= 0 && x <= 1)) throw new Refusal('bad-rate', `${x} is not a probability between 0 and 1.`);
  if (x === 0) return 0;
  if (x === 1) return 1;
  return regularised(x, 1 - x, a, b, betaPower(x, 1 - x, a, b));
}

/** Least x with I_x(a, b) = p for p ≤ ½, by safeguarded Newton steps for ln I over u = ln(x / (1−x)), where it is concave. */
function lowerQuantile(p: number, a: number, b: number): number {
  let low = -745;
  let high = 745;
  const mean = a / (a + b);
  // Start: normal in logit space, or the power law of the left end where that is closer.
  let u = Math.log(mean / (1 - mean));
  if (a < 1 || b < 1) u = Math.min(u, Math.log(p) / a);
  for (let i = 0; i < 200; i++) {
    const x = u < 0 ? Math.exp(u) / (1 + Math.exp(u)) : 1 / (1 + Math.exp(-u));
    const y = u < 0 ? 1 / (1 + Math.exp(u)) : Math.exp(-u) / (1 + Math.exp(-u));
    const power = betaPower(x, y, a, b);
    const value = regularised(x, y, a, b, power);
    if (value > p) high = u;
    else low = u;
    let next = u - (Math.log(value / p) * value) / power;
    if (!(next > low && next < high)) next = (low + high) / 2;
    const step = Math.abs(next - u);
    u = next;
    if (step <= 1e-14 * Math.max(1, Math.abs(u)) || high - low < 1e-14) break;
  }
  return u < 0 ? Math.exp(u) / (1 + Math.exp(u)) : 1 / (1 + Math.exp(-u));
}

/**
 * x with P(X ≤ x) = p for X ~ Beta(a, b); 0 and 1 at p = 0 and p = 1. The tail nearer to p is solved, so that both
 * ends keep their relative accuracy (about 1e-12). Throws a Refusal unless a, b > 0 and 0 ≤ p ≤ 1.
 */
export function betaQuantile(p: number, a: number, b: number): number {
  checkBeta(a, b);
  if (!(p >= 0 && p <= 1)) throw new Refusal('bad-rate', `${p} is not a probability between 0 and 1.`);
  if (p === 0 || p === 1) return p;
  return p <= 0.5 ? lowerQuantile(p, a, b) : 1 - lowerQuantile(1 - p, b, a);
}
