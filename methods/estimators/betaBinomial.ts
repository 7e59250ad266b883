import type { BetaPrior } from './betaPosterior';
import { checkCounts } from './counts';

/** n samples of one prompt, c of them correct. */
export interface PromptCounts {
  readonly samples: number;
  readonly correct: number;
}

/**
 * Why the likelihood has no finite maximum. 'oneSample': no prompt has two samples, only the mean is determined.
 * 'oneOutcome': all samples were right, or all wrong. 'neverMixed': no prompt has both outcomes (a, b → 0).
 * 'noSpread': the prompts differ no more than one common rate explains (a, b → ∞).
 */
export type NoFit = 'oneSample' | 'oneOutcome' | 'neverMixed' | 'noSpread';

export type BetaBinomialFit = FittedPopulation | { readonly none: NoFit };

export interface FittedPopulation {
  readonly distribution: BetaPrior;
  /** ln ∏ P(c | n, a, b), binomial coefficients included. */
  readonly logLikelihood: number;
  /** Correlation of two samples of one prompt: 1 / (a + b + 1). */
  readonly intraClassCorrelation: number;
  /** Of (ln a, ln b), from the observed information: variance, covariance, variance. */
  readonly covariance: readonly [number, number, number];
}

/** How many prompts have more than i of something: what the likelihood depends on. */
function tail(values: readonly number[]): Float64Array {
  const most = values.reduce((greatest, x) => Math.max(greatest, x), 0);
  const counts = new Float64Array(most);
  for (const value of values) if (value > 0) counts[value - 1]! += 1;
  for (let i = most - 2; i >= 0; i--) counts[i]! += counts[i + 1]!;
  return counts;
}

interface Tails {
  readonly right: Float64Array;
  readonly wrong: Float64Array;
  readonly all: Float64Array;
}

/** Σ w_i ln(x + i) and its first two derivatives. */
function logSum(weights: Float64Array, x: number): readonly [number, number, number] {
  let value = 0;
  let first = 0;
  let second = 0;
  for (let i = 0; i < weights.length; i++) {
    const w = weights[i]!;
    const at = x + i;
    value += w * Math.log(at);
    first += w / at;
    second -= w / (at * at);
  }
  return [value, first, second];
}

/** Log-likelihood without the binomial coefficients, with gradient and Hessian in (ln a, ln b). */
function likelihood({ right, wrong, all }: Tails, a: number, b: number) {
  const [ra, ra1, ra2] = logSum(right, a);
  const [wb, wb1, wb2] = logSum(wrong, b);
  const [s, s1, s2] = logSum(all, a + b);
  return {
    value: ra + wb - s,
    gradient: [a * (ra1 - s1), b * (wb1 - s1)] as const,
    hessian: [a * a * (ra2 - s2) + a * (ra1 - s1), -a * b * s2, b * b * (wb2 - s2) + b * (wb1 - s1)] as const,
  };
}

/** Newton's step uphill; where the surface is not concave, damped until it is. */
function uphill(
  [g1, g2]: readonly [number, number],
  [h11, h12, h22]: readonly [number, number, number],
): [number, number] {
  const trace = h11 + h22;
  const largest = trace / 2 + Math.sqrt((h11 - h22) ** 2 / 4 + h12 * h12);
  const damping = largest >= 0 ? largest + 1e-3 * (1 + Math.abs(trace)) : 0;
  const p = h11 - damping;
  const q = h22 - damping;
  const determinant = p * q - h12 * h12;
  return [-(q * g1 - h12 * g2) / determinant, -(p * g2 - h12 * g1) / determinant];
}

const lnChoose = (n: number, c: number): number => {
  let sum = 0;
  for (let i = 1; i <= Math.min(c, n - c); i++) sum += Math.log((n - i + 1) / i);
  return sum;
};

function noFit(counts: readonly PromptCounts[], total: number, correct: number): NoFit | undefined {
  if (!counts.some(({ samples }) => samples > 1)) return 'oneSample';
  if (correct === 0 || correct === total) return 'oneOutcome';
  if (!counts.some(({ samples, correct: c }) => c > 0 && c < samples)) return 'neverMixed';
  // Slope of the likelihood in 1 / (a + b) at 0, the mean held: at or below 0 it rises towards one common rate.
  const p = correct / total;
  const slope = counts.reduce(
    (sum, { samples: n, correct: c }) =>
      sum + (c * (c - 1)) / p + ((n - c) * (n - c - 1)) / (1 - p) - n * (n - 1),
    0,
  );
  return slope <= 1e-9 * total ? 'noSpread' : undefined;
}

/**
 * Maximum likelihood of the population of prompts: p ~ Beta(a, b), c | p ~ Binomial(n, p)
 * (Griffiths, "Maximum likelihood estimation for the beta-binomial distribution", Biometrics 29, 1973):
 * ln L = Σ_j [ Σ_{i<c_j} ln(a+i) + Σ_{i<n_j−c_j} ln(b+i) − Σ_{i<n_j} ln(a+b+i) ] + Σ_j ln C(n_j, c_j).
 * Newton's method in (ln a, ln b). Prompts without samples say nothing and may be there.
 *
 * Assumes that n was chosen before the outcomes. `none` says why no finite maximum exists; the data then fit any
 * such prior equally well or better the more extreme it is, and a curve beyond n would come from nowhere.
 * Throws a Refusal on impossible counts.
 */
export function fitBetaBinomial(counts: readonly PromptCounts[]): BetaBinomialFit {
  let total = 0;
  let correct = 0;
  for (const { samples, correct: c } of counts) {
    checkCounts(samples, c);
    total += samples;
    correct += c;
  }
  const none = noFit(counts, total, correct);
  if (none !== undefined) return { none };
  const tails = {
    right: tail(counts.map(({ correct: c }) => c)),
    wrong: tail(counts.map(({ samples, correct: c }) => samples - c)),
    all: tail(counts.map(({ samples }) => samples)),
  };
  let u = Math.log((2 * correct) / total);
  let v = Math.log(2 - (2 * correct) / total);
  let here = likelihood(tails, Math.exp(u), Math.exp(v));
  for (let round = 0; round < 200; round++) {
    const [du, dv] = uphill(here.gradient, here.hessian);
    let share = Math.min(1, 2 / Math.max(Math.abs(du), Math.abs(dv)));
    let next = likelihood(tails, Math.exp(u + share * du), Math.exp(v + share * dv));
    while (!(next.value >= here.value) && share > 1e-12) {
      share /= 2;
      next = likelihood(tails, Math.exp(u + share * du), Math.exp(v + share * dv));
    }
    if (!(next.value >= here.value)) break;
    u += share * du;
    v += share * dv;
    here = next;
    if (Math.max(Math.abs(share * du), Math.abs(share * dv)) < 1e-12) break;
  }
  const a = Math.exp(u);
  const b = Math.exp(v);
  // So far out one common rate fits as well, to the last digit.
  if (a + b > 1e8) return { none: 'noSpread' };
  const [h11, h12, h22] = here.hessian;
  const determinant = h11 * h22 - h12 * h12;
  return {
    distribution: { a, b },
    logLikelihood:
      here.value + counts.reduce((sum, { samples, correct: c }) => sum + lnChoose(samples, c), 0),
    intraClassCorrelation: 1 / (a + b + 1),
    covariance: [-h22 / determinant, h12 / determinant, -h11 / determinant],
  };
}
