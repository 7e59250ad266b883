import type { DecisionView } from '../../protocol/panels/budgets';
import { decimal, ordinal, plainValue, smallFactor } from '../shared/format';
import { plainCode } from '../shared/ledgerSums';
import type { GainCurve } from './gainCurve';
import { text } from './texts';

/** One line of the rule; `strong` is what was decided. */
export interface RuleLine {
  readonly formula: string;
  readonly result?: { readonly word: string; readonly strong: boolean };
}

/** The formula, then the last rollout given and the first one not given, with the numbers put in. */
const gainLines = ({ rule, numbers, price, given, bounds }: GainCurve): readonly RuleLine[] => {
  const gainOf = (n: number): number => rule.gain(numbers, n - 1) ?? Number.NaN;
  const { factor, head } = smallFactor(Math.max(price, gainOf(given)));
  const figure = (gain: number): string => decimal(gain * factor, factor === 1 ? 4 : 2);
  const line = (n: number, word: string, strong: boolean): RuleLine => {
    const gain = gainOf(n);
    const sign = gain >= price ? '≥' : '<';
    return {
      formula: `${ordinal(n).padEnd(5)} ${rule.filledIn(numbers, n - 1)} = ${figure(gain)} ${sign} ${figure(price)}`,
      result: { word, strong },
    };
  };
  return [
    { formula: `${rule.formula}${head === '' ? '' : `   ${head}`}` },
    ...(given > bounds.least ? [line(given, text('given'), true)] : []),
    ...(given < bounds.most ? [line(given + 1, text('notGiven'), false)] : []),
  ];
};

/** The rule with its numbers; where no formula is declared, the recorded numbers by name. */
export const ruleLines = (decision: DecisionView, curve: GainCurve | null): readonly RuleLine[] =>
  curve
    ? gainLines(curve)
    : Object.entries(decision.numbers).map(([name, value]) => ({
        formula: `${plainCode(name)} = ${plainValue(value)}`,
      }));
