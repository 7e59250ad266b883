import { knapsackGain } from '../../methods/allocation/knapsackValue';
import type { DecisionView } from '../../protocol/panels/budgets';
import { decimal, ordinal, plainValue, smallFactor, superscript } from '../shared/format';
import { plainCode } from '../shared/ledgerSums';
import type { GainCurve } from './gainCurve';
import { text } from './texts';

/** One line of the rule; `strong` is what was decided. */
export interface RuleLine {
  readonly formula: string;
  readonly result?: { readonly word: string; readonly strong: boolean };
}

const short = (p: number): string => decimal(Number(p.toPrecision(4)), 4).replace(/0+$/, '');

/** Knapsack-RL (arXiv 2509.25849): the gain of the last rollout given and of the first one not given. */
const knapsackLines = ({ passRate: p, price, given, bounds }: GainCurve): readonly RuleLine[] => {
  const { factor, head } = smallFactor(Math.max(price, knapsackGain(p, given - 1)));
  const figure = (gain: number): string => decimal(gain * factor, factor === 1 ? 4 : 2);
  const q = 1 - p;
  const line = (n: number, word: string, strong: boolean): RuleLine => {
    const gain = knapsackGain(p, n - 1);
    const power = superscript(n - 1);
    // A term that does not reach the figures that are printed is left out.
    const terms = [
      [p ** (n - 1) * q, `${short(p)}${power}·${short(q)}`] as const,
      [q ** (n - 1) * p, `${short(q)}${power}·${short(p)}`] as const,
    ];
    const sum = terms.reduce((total, [value]) => total + value, 0);
    const shown = terms.filter(([value]) => value > sum * 1e-4).map(([, term]) => term);
    const bracket = shown.length > 1 ? `[${shown.join(' + ')}]` : (shown[0] ?? '0');
    const sign = gain >= price ? '≥' : '<';
    return {
      formula: `${ordinal(n).padEnd(5)} ${bracket} · ${short(p * q * q)} = ${figure(gain)} ${sign} ${figure(price)}`,
      result: { word, strong },
    };
  };
  return [
    { formula: `gain = [pⁿ(1−p) + (1−p)ⁿp] · p(1−p)²${head === '' ? '' : `   ${head}`}` },
    ...(given > bounds.least ? [line(given, text('given'), true)] : []),
    ...(given < bounds.most ? [line(given + 1, text('notGiven'), false)] : []),
  ];
};

/** The rule with its numbers; where no formula is known here, the recorded numbers by name. */
export const ruleLines = (decision: DecisionView, curve: GainCurve | null): readonly RuleLine[] => {
  if (curve && decision.method === 'knapsack-rl-published') return knapsackLines(curve);
  return Object.entries(decision.numbers).map(([name, value]) => ({
    formula: `${plainCode(name)} = ${plainValue(value)}`,
  }));
};
