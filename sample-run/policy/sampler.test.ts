import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rng } from '../../methods/random';
import { initialParameters } from './policyParameters';
import { Sampler } from './sampler';
import type { SampledToken } from './sampler';
import { SequencePass } from './sequencePass';

const SHAPE = { vocabulary: 9, hidden: 8, query: 4, positions: 5 };
const PARAMETERS = initialParameters(SHAPE, Rng.from(1).fork('start'));
const SEED = 11;

interface Plan {
  readonly prefix: readonly number[];
  readonly key: string;
  readonly temperature: number;
}
const PLANS: readonly Plan[] = Array.from({ length: 7 }, (_, i) => ({
  prefix: [[1, 2, 3], [4], [5, 6, 7, 8, 2, 1]][i % 3]!,
  key: `rollout-${i}`,
  temperature: [1, 0.7][i % 2]!,
}));

function alone({ prefix, key, temperature }: Plan, count: number): SampledToken[] {
  const sampler = new Sampler(PARAMETERS, SEED);
  const handle = sampler.open(prefix, { key, temperature });
  return Array.from({ length: count }, () => sampler.step([handle])[0]!);
}

describe('sampler', () => {
  it('gives a rollout the same tokens and figures in any batch, order and rhythm', () => {
    const expected = PLANS.map((plan) => alone(plan, 12));
    const schedule = fc.array(fc.uniqueArray(fc.nat(PLANS.length - 1), { minLength: 1 }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(schedule, (batches) => {
        const sampler = new Sampler(PARAMETERS, SEED);
        const handles = PLANS.map((plan) => sampler.open(plan.prefix, plan));
        const drawn: SampledToken[][] = PLANS.map(() => []);
        for (const batch of batches) {
          const tokens = sampler.step(batch.map((i) => handles[i]!));
          batch.forEach((i, row) => drawn[i]!.push(tokens[row]!));
        }
        drawn.forEach((tokens, i) => expect(tokens).toEqual(expected[i]!.slice(0, tokens.length)));
      }),
      { numRuns: 40 },
    );
  });

  it('differs by run seed and by key', () => {
    const text = (seed: number, key: string): number[] => {
      const sampler = new Sampler(PARAMETERS, seed);
      const handle = sampler.open([1], { key, temperature: 1 });
      return Array.from({ length: 20 }, () => sampler.step([handle])[0]!.token);
    };
    expect(text(1, 'a')).toEqual(text(1, 'a'));
    expect(text(1, 'a')).not.toEqual(text(1, 'b'));
    expect(text(1, 'a')).not.toEqual(text(2, 'a'));
  });

  it('forks at any token into the very distribution from which the parent goes on', () => {
    const sampler = new Sampler(PARAMETERS, SEED);
    const parent = sampler.open([1, 2, 3], { key: 'parent', temperature: 1 });
    const seen: Float64Array[] = [];
    for (let i = 0; i < 40; i++) {
      seen.push(sampler.probabilities(parent));
      sampler.step([parent]);
    }
    const path = sampler.tokens(parent);
    for (let at = 3; at < path.length; at++) {
      const fork = sampler.open(path.slice(0, at), { key: `fork-${at}`, temperature: 1 });
      expect(sampler.probabilities(fork)).toEqual(seen[at - 3]);
    }
    const edited = sampler.open([...path.slice(0, 9), 8], { key: 'edited', temperature: 1 });
    expect(sampler.probabilities(edited)).not.toEqual(seen[7]);
  });

  it('goes on exactly after a restart: same key, the path so far as the prefix', () => {
    const expected = alone(PLANS[0]!, 12).map(({ token }) => token);
    const sampler = new Sampler(PARAMETERS, SEED);
    const prefix = [...PLANS[0]!.prefix, ...expected.slice(0, 5)];
    const handle = sampler.open(prefix, PLANS[0]!);
    const rest = Array.from({ length: 7 }, () => sampler.step([handle])[0]!.token);
    expect(rest).toEqual(expected.slice(5));
  });

  it('reports the log-probability and entropy that a whole pass over the text finds', () => {
    const plan = PLANS[2]!;
    const tokens = alone(plan, 12);
    const text = [...plan.prefix, ...tokens.map(({ token }) => token)];
    const pass = new SequencePass(PARAMETERS);
    pass.forward([{ tokens: text, promptLength: plan.prefix.length }]);
    tokens.forEach(({ token, logProb, entropy, alternatives }, i) => {
      const at = pass.logitsOffset(i);
      const logits = Array.from(pass.head.out.subarray(at, at + SHAPE.vocabulary));
      const total = logits.reduce((sum, v) => sum + Math.exp(v / plan.temperature), 0);
      const p = logits.map((v) => Math.exp(v / plan.temperature) / total);
      expect(logProb).toBeCloseTo(Math.log(p[token]!), 10);
      expect(entropy).toBeCloseTo(-p.reduce((sum, q) => sum + q * Math.log(q), 0), 10);
      expect(alternatives).toHaveLength(5);
      expect(alternatives[0]!.probability).toBeCloseTo(Math.max(...p), 10);
    });
  });

  it('reads paths anew with changed weights after refresh, and only then', () => {
    const parameters = initialParameters(SHAPE, Rng.from(2).fork('start'));
    const sampler = new Sampler(parameters, SEED);
    const handle = sampler.open([1, 2, 3, 4], { key: 'a', temperature: 1 });
    sampler.step([handle]);
    for (let i = 0; i < parameters.values.length; i++) parameters.values[i]! *= 1.5;
    const stale = sampler.probabilities(handle);
    sampler.refresh([handle]);
    const fresh = sampler.probabilities(handle);
    const other = new Sampler(parameters, SEED);
    const reference = other.open(sampler.tokens(handle), { key: 'b', temperature: 1 });
    expect(fresh).toEqual(other.probabilities(reference));
    expect(stale).not.toEqual(fresh);
  });

  it('refuses what it cannot sample from', () => {
    const sampler = new Sampler(PARAMETERS, SEED);
    const options = { key: 'a', temperature: 1 };
    expect(() => sampler.open([], options)).toThrow(/at least one token/);
    expect(() => sampler.open([1, 9], options)).toThrow(/not in the vocabulary/);
    expect(() => sampler.open([1], { key: 'a', temperature: 0 })).toThrow(/above 0/);
    const handle = sampler.open([1], options);
    sampler.close(handle);
    expect(sampler.size).toBe(0);
    expect(() => sampler.step([handle])).toThrow(/No open rollout/);
    expect(sampler.step([])).toEqual([]);
  });
});
