import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mixedProbability } from '../estimators/zeroGradientShare';
import { Rng } from '../random';
import { alp, alpPenalty } from './alp';
import { bavt, bavtProbabilities } from './bavt';
import { broRl } from './broRl';
import { runToEnd } from './runToEnd';
import { sao } from './sao';

const prompts = (count: number) => Array.from({ length: count }, (_, i) => ({ id: String(i) }));
const total = (method: typeof sao, count: number): number =>
  method
    .next(method.start({ prompts: prompts(count), budget: 0 }, Rng.from(0)), [])
    .requests.reduce((sum, request) => sum + request.count, 0);

describe('BroRL and SAO', () => {
  it('ask for 512 and for 1 rollout of every prompt', () => {
    expect(total(broRl, 128)).toBe(65_536);
    expect(total(sao, 512)).toBe(512);
  });

  it('says what so many are for: at p = .01 a group of 512 is mixed with probability .994, one of 16 with .149', () => {
    expect(mixedProbability(0.01, 512)).toBeCloseTo(0.994, 3);
    expect(mixedProbability(0.01, 16)).toBeCloseTo(0.149, 3);
    const inputs = { prompts: [{ id: 'a', passRate: { value: 0.01, samples: 100 } }], budget: 0 };
    expect(broRl.next(broRl.start(inputs, Rng.from(0)), []).requests[0]!.reason).toBe(
      'Every prompt gets 512 rollouts; at a pass rate of 0.01 the group is mixed with probability 0.994.',
    );
  });
});

describe('ALP', () => {
  it('takes 16 times more off a prompt that is always solved than off one that never is', () => {
    expect(alpPenalty(4000, 1, 16, 1e-7)).toBeCloseTo(4e-4, 12);
    expect(alpPenalty(4000, 0.25, 16, 1e-7)).toBeCloseTo(1e-4, 12);
    expect(alpPenalty(4000, 0, 16, 1e-7)).toBeCloseTo(2.5e-5, 12);
  });

  it('gives one penalty a rollout, from its tokens', () => {
    const answers = runToEnd(
      alp,
      { prompts: prompts(1), budget: 0 },
      Rng.from(0),
      (_, i) => ({ reward: i < 4 ? 1 : 0, tokens: 1000 * (i + 1) }),
      { groupSize: 16, beta: 1e-7 },
    );
    const [request] = answers[1]!.requests;
    expect(request).toMatchObject({ action: 'penalty', count: 16 });
    request!.values!.forEach((value, i) => expect(value).toBeCloseTo(-1e-7 * 1000 * (i + 1) * 0.25, 12));
    expect(request!.reason).toBe(
      'Solve rate 0.25: 1.00e-7 · tokens · max(0.25, 1/16) is 0.000212 off the reward at the mean of 8500 tokens.',
    );
  });

  it('asks for beta and the group size, which are not published, and for the tokens', () => {
    const inputs = { prompts: prompts(1), budget: 0 };
    expect(() => alp.start(inputs, Rng.from(0))).toThrow(/groupSize has no published value/u);
    expect(() => runToEnd(alp, inputs, Rng.from(0), () => 1, { groupSize: 2, beta: 1e-6 })).toThrow(
      /the generated tokens of each rollout/u,
    );
  });
});

describe('BAVT', () => {
  const rounded = (values: readonly number[], left: number): number[] =>
    bavtProbabilities(values, left).map((p) => Number(p.toFixed(3)));

  it('draws evenly by value at first and greedily at the end', () => {
    const values = [0.9, 0.6, 0.3];
    expect(rounded(values, 1)).toEqual([0.5, 0.333, 0.167]);
    expect(rounded(values, 0.5)).toEqual([0.643, 0.286, 0.071]);
    expect(rounded(values, 0.1)).toEqual([0.983, 0.017, 0]);
  });

  const answerTo = (values: readonly number[], budget: number, seed: number) =>
    bavt.next(
      bavt.start({ prompts: values.map((score, i) => ({ id: `n${i}`, score })), budget }, Rng.from(seed)),
      [],
    );

  it('draws one node, and explains each', () => {
    const { requests, shared } = answerTo([0.9, 0.6, 0.3], 5, 1);
    expect(shared['left']).toBe(0.5);
    expect(requests.reduce((sum, { count }) => sum + count, 0)).toBe(1);
    expect(requests[0]!.reason).toMatch(/^With 5 of 10 steps left, 0\.9\^2 makes a probability of 0\.643; /u);
  });

  it('has probabilities that sum to 1, at any share that is left', () => {
    const values = fc.array(fc.double({ min: 1e-6, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(values, fc.double({ min: 1e-4, max: 1, noNaN: true }), (given, left) => {
        const found = bavtProbabilities(given, left);
        expect(found.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
        const best = given.indexOf(Math.max(...given));
        expect(found[best]).toBe(Math.max(...found));
      }),
    );
  });

  it('refuses an empty budget and values that are none', () => {
    expect(() => answerTo([0.5], 0, 1)).toThrow(/Nothing of the budget is left/u);
    expect(() => answerTo([0.5, 0], 5, 1)).toThrow(/n1 has a value of 0/u);
    expect(() => answerTo([1.5], 5, 1)).toThrow(/between 0 and 1/u);
  });
});
