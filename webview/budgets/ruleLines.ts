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
    return {
      formula: `${ordinal(n).padEnd(5)} [${short(p)}${power}·${short(q)} + ${short(q)}${power}·${short(p)}] · ${short(p * q * q)} = ${figure(gain)} ${gain >= price ? '≥' : '<'} ${figure(price)}`,
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
