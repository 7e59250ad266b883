import { describe, expect, it } from 'vitest';
import type { Curve } from '../../protocol/panels/passAtK';
import type { DrawnView } from './drawnView';
import { headlineOf } from './headline';
import { isInTime, overSteps, tradedAt } from './overSteps';
import { tradeText } from './overText';

const curve = (key: string, value: readonly number[], crossing: number | null): Curve => ({
  key,
  step: Number(key),
  policyVersion: Number(key),
  pooled: 1,
  value,
  low: value,
  high: value,
  extrapolated: [],
  nMin: 4,
  nMax: 4,
  samples: 40,
  correct: 10,
  prompts: 10,
  interval: 'cluster',
  crossing,
});

/** Points of pass@1 and pass@4 of steps 1, 2, … against step 0, with half-widths of 2. */
const viewOf = (points: readonly (readonly [one: number, many: number])[]): DrawnView => ({
  source: 'heldOut',
  set: 'held-out',
  sets: ['held-out'],
  by: 'step',
  names: {},
  sampling: { temperature: 1, topP: 1 },
  k: [1, 4],
  extrapolatedK: [],
  curves: [
    curve('0', [0.3, 0.6], null),
    ...points.map(([one, many], i) =>
      curve(String(i + 1), [0.3 + one / 100, 0.6 + many / 100], one > 0 && many < 0 ? 2 : null),
    ),
  ],
  keys: ['0', ...points.map((_, i) => String(i + 1))],
  shown: String(points.length),
  against: '0',
  paired: true,
  fixedPrompts: 10,
  allPrompts: 10,
  largestK: 4,
  ranges: [],
  interval: 'cluster',
  difference: points.flatMap(([one, many], i) => [
    { key: String(i + 1), k: 1, value: one, halfWidth: 2, prompts: 10 },
    { key: String(i + 1), k: 4, value: many, halfWidth: 2, prompts: 10 },
  ]),
  buckets: [],
  notes: [],
  threshold: null,
  rows: null,
});

describe('accuracy against coverage over the steps', () => {
  it('begin at the reference with no difference', () => {
    const over = overSteps(viewOf([[3, -1]]), 4);
    expect(over).toMatchObject({ steps: [0, 1], accuracy: [0, 3], coverage: [0, -1], crossing: [null, 2] });
  });

  it('is a trade only where both intervals leave 0, in this direction', () => {
    const over = overSteps(
      viewOf([
        [5, -1],
        [5, -5],
        [-5, 5],
        [1, -5],
        [5, 5],
      ]),
      4,
    );
    expect(tradedAt(over)).toEqual([2]);
  });

  it('says "from … on" only where it lasts', () => {
    const lasting = viewOf([
      [1, 0],
      [5, -5],
      [9, -8],
    ]);
    expect(tradeText(lasting, overSteps(lasting, 4))).toMatch(
      /^From step 2 on pass@1 is higher and pass@4 lower than at step 0.*The curves cross at 2 of 3 steps, first at step 2/,
    );
    const once = viewOf([
      [5, -5],
      [5, 1],
    ]);
    expect(tradeText(once, overSteps(once, 4))).toMatch(/^At 1 of 2 steps, first at step 1,/);
    const never = viewOf([[5, 5]]);
    expect(tradeText(never, overSteps(never, 4))).toBe(
      'Nowhere is pass@1 higher and pass@4 lower than at step 0 by more than the intervals. The curves cross nowhere.',
    );
  });

  it('is there for curves that follow each other in time', () => {
    const view = viewOf([[5, -5]]);
    expect(isInTime(view)).toBe(true);
    expect(isInTime({ ...view, by: 'method' })).toBe(false);
  });
});

describe('the headline', () => {
  it.each([
    [5, -5, 'Accuracy rises, coverage shrinks'],
    [5, 1, 'Accuracy rises, coverage does not change measurably'],
    [-5, 5, 'Accuracy falls, coverage grows'],
  ])('of %i and %i points', (one, many, title) => {
    expect(headlineOf(viewOf([[one, many]])).title).toBe(title);
  });

  it('compares runs and methods by name, not in time', () => {
    const view: DrawnView = {
      ...viewOf([[5, -5]]),
      by: 'method',
      names: { '1': 'Knapsack-RL', '0': 'Uniform' },
    };
    expect(headlineOf(view)).toEqual({
      title: 'Knapsack-RL has higher accuracy, lower coverage',
      text: 'pass@1 +5.0 points, pass@4 −5.0 points against Uniform',
    });
  });

  it('names no difference where there is none to be had', () => {
    const view: DrawnView = { ...viewOf([[5, -5]]), difference: [] };
    expect(headlineOf(view)).toEqual({
      title: 'One measurement, step 1: pass@1 .350',
      text: 'It shares no prompt with step 0: they cannot be compared.',
    });
  });
});
