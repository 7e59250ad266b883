import type { DecisionNumbers, MarginalGain } from './allocator';

/**
 * Knapsack-RL: value of n rollouts of a prompt with success probability p, the probability that the group has both
 * outcomes times the learning value of the prompt: (1 − p^n − (1−p)^n) · p (1−p)² (arXiv 2509.25849).
 */
export function knapsackValue(p: number, n: number): number {
  return (1 - p ** n - (1 - p) ** n) * p * (1 - p) ** 2;
}

/** Value of one more rollout at n: (p^n (1−p) + (1−p)^n p) · p (1−p)². It falls with n, so that greedy is optimal. */
export function knapsackGain(p: number, n: number): number {
  return (p ** n * (1 - p) + (1 - p) ** n * p) * p * (1 - p) ** 2;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const power = (n: number): string => String(n).replace(/\d/gu, (digit) => SUPERSCRIPTS[Number(digit)] ?? '');
/** At most four figures and four decimals, no leading zero. */
const short = (p: number): string =>
  String(Number(Number(p.toPrecision(4)).toFixed(4))).replace(/^0\./u, '.');

/** A pass rate at which a gain exists. */
function rateIn({ passRate }: DecisionNumbers): number | undefined {
  return passRate !== undefined && passRate > 0 && passRate < 1 ? passRate : undefined;
}

/** `knapsackGain` of the recorded pass rate. */
export const knapsackMarginalGain: MarginalGain = {
  formula: 'gain = [pⁿ(1−p) + (1−p)ⁿp] · p(1−p)²',
  gain: (numbers, count) => {
    const p = rateIn(numbers);
    return p === undefined || count < 0 ? undefined : knapsackGain(p, count);
  },
  filledIn: (numbers, count) => {
    const p = rateIn(numbers);
    if (p === undefined) return '';
    const q = 1 - p;
    const terms = [
      { value: p ** count * q, text: `${short(p)}${power(count)}·${short(q)}` },
      { value: q ** count * p, text: `${short(q)}${power(count)}·${short(p)}` },
    ];
    const sum = terms.reduce((total, { value }) => total + value, 0);
    // A term that does not reach the figures that are printed is left out.
    const shown = terms.filter(({ value }) => value > sum * 1e-4).map(({ text }) => text);
    const bracket = shown.length > 1 ? `[${shown.join(' + ')}]` : (shown[0] ?? '0');
    return `${bracket} · ${short(p * q * q)}`;
  },
};
