import { describe, expect, it } from 'vitest';
import type { DecisionView } from '../../protocol/panels/budgets';
import { countAtRate, gainCurve } from './gainCurve';
import { ruleLines } from './ruleLines';

const decision: DecisionView = {
  decision: 'd',
  kind: 'allocate',
  method: 'knapsack-rl-published',
  step: 4,
  sentence: 's',
  command: null,
  author: null,
  parameters: { least: 2, most: 64 },
  shared: { price: 0.000485 },
  subject: 'p',
  subjects: 128,
  inputs: { passRate: 0.0625, samples: 16 },
  outcome: { rollouts: 31 },
  numbers: { passRate: 0.0625, price: 0.000485 },
  reasonCode: null,
  reason: null,
  alternatives: [],
  position: null,
  children: null,
  json: '{}',
};

describe('the gain of one more rollout', () => {
  it('falls, and crosses the price after the last one given', () => {
    const curve = gainCurve(decision, 31);
    expect(curve).not.toBeNull();
    if (!curve) return;
    const { first, gains, price } = curve;
    expect(first).toBe(3);
    expect(gains).toEqual([...gains].sort((a, b) => b - a));
    expect(gains[31 - first]).toBeGreaterThanOrEqual(price);
    expect(gains[32 - first]).toBeLessThan(price);
  });

  it('would give the same count at the same rate, and the least where nothing can be gained', () => {
    const curve = gainCurve(decision, 31);
    if (!curve) throw new Error('no curve');
    expect(countAtRate(0.0625, curve)).toBe(31);
    expect([0, 1].map((p) => countAtRate(p, curve))).toEqual([2, 2]);
  });

  it('is not drawn where the decision recorded other gains than the rule would have', () => {
    const numbers = { ...decision.numbers, gainOfLast: 0.5 };
    expect(gainCurve({ ...decision, numbers }, 31)).toBeNull();
  });

  it('is not drawn for another rule, a rate of 0 or 1, or without a price', () => {
    expect(gainCurve({ ...decision, method: 'uniform' }, 8)).toBeNull();
    expect(gainCurve({ ...decision, numbers: { passRate: 0, price: 0.1 } }, 8)).toBeNull();
    expect(gainCurve({ ...decision, numbers: { passRate: 1.5, price: 0.1 } }, 8)).toBeNull();
    expect(gainCurve({ ...decision, numbers: { passRate: 0.5 }, shared: {} }, 8)).toBeNull();
  });
});

describe('the rule with its numbers', () => {
  it('shows the last one given and the first one not given', () => {
    const lines = ruleLines(decision, gainCurve(decision, 31));
    expect(lines.map(({ formula }) => formula)).toEqual([
      'gain = [pⁿ(1−p) + (1−p)ⁿp] · p(1−p)²   ×10⁻⁴',
      '31st  .9375³⁰·.0625 · .0549 = 4.95 ≥ 4.85',
      '32nd  .9375³¹·.0625 · .0549 = 4.64 < 4.85',
    ]);
    expect(lines.map(({ result }) => result?.word)).toEqual([undefined, 'given', 'not given']);
  });

  it('names the recorded numbers where no formula is known', () => {
    expect(ruleLines({ ...decision, method: 'own', numbers: { meanReward: 0.25, cap: 8 } }, null)).toEqual([
      { formula: 'mean reward = .25' },
      { formula: 'cap = 8' },
    ]);
  });
});
