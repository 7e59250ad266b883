import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { aprielDomainSampling, aprielDomains, aprielPick } from './aprielDomains';
import { aprielPenalty, aprielScale, lengthPenalty } from './aprielPenalty';

const amounts = Type.Record(Type.String(), Type.Number());
const PUBLISHED = { math: 0.35, coding: 0.25, logic: 0.15, ifeval: 0.15, fn_calling: 0.1 };
const DEFAULTS = { adaptive: true, minimum: 50, lowest: 0.1, highest: 10 };

describe('Apriel domains', () => {
  const cases = readVectors('allocation/apriel_domains', {
    input: Type.Object({
      kind: Type.Literal('domain'),
      completions: amounts,
      uniforms: Type.Array(Type.Number()),
    }),
    params: Type.Object({
      target_weights: amounts,
      adaptive: Type.Boolean(),
      min_completions: Type.Integer(),
      factor_clip: Type.Tuple([Type.Number(), Type.Number()]),
    }),
    output: Type.Object({
      adjusted: Type.Boolean(),
      probabilities: amounts,
      picks: Type.Array(Type.String()),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(25));

  it.each(cases)('$name', ({ input, params, output }) => {
    const [lowest, highest] = params.factor_clip;
    const found = aprielDomains(params.target_weights, input.completions, {
      adaptive: params.adaptive,
      minimum: params.min_completions,
      lowest,
      highest,
    });
    for (const { domain, probability } of found)
      expect(probability).toBeCloseTo(output.probabilities[domain]!, 12);
    const drawable = Object.entries(output.probabilities).filter(([, probability]) => probability > 0);
    expect(found).toHaveLength(drawable.length);
    expect(found.some(({ completed }) => completed !== undefined)).toBe(output.adjusted);
    expect(input.uniforms.map((uniform) => found[aprielPick(found, uniform)]!.domain)).toEqual(output.picks);
  });

  it('gives the worked example: coding, which fell behind, is drawn nearly half of the time', () => {
    const completed = { math: 50, coding: 10, logic: 20, ifeval: 15, fn_calling: 5 };
    const found = aprielDomains(PUBLISHED, completed, DEFAULTS);
    expect(found.map(({ factor }) => Number(factor.toFixed(3)))).toEqual([0.7, 2.5, 0.75, 1, 2]);
    expect(found.map(({ probability }) => probability.toFixed(3))).toEqual([
      '0.184',
      '0.469',
      '0.084',
      '0.113',
      '0.150',
    ]);
    const prompts = Object.keys(PUBLISHED).map((domain) => ({ id: domain, domain }));
    const { requests } = aprielDomainSampling.next(
      aprielDomainSampling.start({ prompts, budget: 8000, completedByDomain: completed }, Rng.from(1)),
      [],
    );
    found.forEach(({ probability }, i) => expect(requests[i]!.count / 8000).toBeCloseTo(probability, 1));
    expect(requests[1]!.reason).toMatch(
      /^Its domain aims at 0\.25 and has 0\.1 of the completed rollouts, factor 2\.5: probability 0\.469, one of 1 prompt in it; drawn \d+ times\.$/u,
    );
  });

  it('refuses domains without a share, and mixtures in which nothing can be drawn', () => {
    const start = (domain: string, more = {}) =>
      aprielDomainSampling.next(
        aprielDomainSampling.start(
          { prompts: [{ id: 'a', domain }], budget: 8, completedByDomain: {}, ...more },
          Rng.from(0),
        ),
        [],
      );
    expect(() => start('poetry')).toThrow(/record its own domainWeights/u);
    expect(() => start('poetry', { domainWeights: { math: 1 } })).toThrow(/no share in domainWeights/u);
    expect(() => start('math', { domainWeights: { math: 0 } })).toThrow(/of weight 0: nothing can be drawn/u);
    expect(start('constructor', { domainWeights: { constructor: 1 } }).requests[0]!.count).toBe(8);
  });

  it('draws exactly the groups that the budget pays for, the same ones for the same seed', () => {
    const domain = fc.constantFrom('math', 'coding', 'logic');
    fc.assert(
      fc.property(
        fc.array(domain, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(),
        (domains, groups, seed) => {
          const prompts = domains.map((name, i) => ({ id: String(i), domain: name }));
          const inputs = { prompts, budget: groups * 8, completedByDomain: { math: 90, coding: 10 } };
          const draw = () =>
            aprielDomainSampling
              .next(aprielDomainSampling.start(inputs, Rng.from(seed)), [])
              .requests.map(({ count }) => count);
          expect(draw().reduce((sum, count) => sum + count, 0)).toBe(groups * 8);
          expect(draw()).toEqual(draw());
        },
      ),
    );
  });
});

describe('Apriel length penalty', () => {
  const cases = readVectors('allocation/apriel_domains', {
    input: Type.Object({
      kind: Type.Literal('penalty'),
      rollouts: Type.Array(
        Type.Object({ success: Type.Boolean(), output_tokens: Type.Integer(), finished: Type.Boolean() }),
      ),
    }),
    params: Type.Object({
      gamma: Type.Number(),
      failure_scale: Type.Number(),
      max_tokens: Type.Integer(),
      buffer_tokens: Type.Integer(),
    }),
    output: Type.Object({
      solve_rate: Type.Number(),
      original_penalty: Type.Array(Type.Number()),
      reward_change: Type.Array(Type.Number()),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(7));

  it.each(cases)('$name', ({ input: { rollouts }, params: by, output }) => {
    const rate = rollouts.filter(({ success }) => success).length / rollouts.length;
    expect(rate).toBeCloseTo(output.solve_rate, 12);
    rollouts.forEach(({ success, output_tokens: tokens, finished }, i) => {
      const penalty = lengthPenalty(tokens, by.max_tokens, by.buffer_tokens);
      expect(penalty).toBeCloseTo(output.original_penalty[i]!, 12);
      const scale = aprielScale(
        { success, cut: !finished && tokens >= by.max_tokens },
        rate,
        by.gamma,
        by.failure_scale,
      );
      expect(penalty * (scale - 1)).toBeCloseTo(output.reward_change[i]!, 12);
    });
  });

  it('gives long answers to hard prompts back a part of their penalty', () => {
    const parameters = { groupSize: 2, gamma: 1, maxTokens: 1000, bufferTokens: 200 };
    const first = aprielPenalty.next(
      aprielPenalty.start({ prompts: [{ id: 'a' }], budget: 0 }, Rng.from(0), parameters),
      [],
    );
    const last = aprielPenalty.next(first.state, [
      { prompt: 0, rewards: [1, 0], successes: [true, false], tokens: [900, 900] },
    ]);
    expect(last.requests[0]!.values).toEqual([0.25, 0]);
    expect(last.requests[0]!.reason).toBe(
      'Solve rate 0.5: penalties of successes are scaled by 0.5^1 = 0.5, which changes the rewards by 0.25 in all.',
    );
    expect(() => aprielPenalty.start({ prompts: [{ id: 'a' }], budget: 0 }, Rng.from(0))).toThrow(
      /gamma has no published value/u,
    );
  });
});
