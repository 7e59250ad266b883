import { describe, expect, it } from 'vitest';
import { Rng } from '../../methods/random';
import { initialParameters, viewParameters } from '../policy/policyParameters';
import { SequencePass } from '../policy/sequencePass';
import { ADAM_DEFAULTS } from './adam';
import { GRPO_DEFAULTS, GrpoTrainer } from './grpoTrainer';
import type { GrpoOptions, TrainedRollout } from './grpoTrainer';
import { sampleRollouts } from './samplePrompts';

const SHAPE = { vocabulary: 6, hidden: 7, query: 3, positions: 4 };
const fresh = () => initialParameters(SHAPE, Rng.from(1).fork('start'));
const PROMPT = [1, 2, 3];

function sampled(count: number): TrainedRollout[] {
  const requests = Array.from({ length: count }, (_, i) => ({ prompt: PROMPT, key: `${i}` }));
  return sampleRollouts(fresh(), 5, requests).map((rollout, i) => ({
    ...rollout,
    advantages: i % 2 === 0 ? 1 : -0.5,
    temperature: 1,
  }));
}

function logProbs(values: Float32Array | Float64Array, rollout: TrainedRollout): number[] {
  const pass = new SequencePass(viewParameters(SHAPE, Float64Array.from(values)), (n) => new Float64Array(n));
  pass.forward([rollout]);
  return pass.outputs.map(({ position }, i) => {
    const at = pass.logitsOffset(i);
    const logits = Array.from(
      pass.head.out.subarray(at, at + SHAPE.vocabulary),
      (v) => v / rollout.temperature,
    );
    return logits[rollout.tokens[position]!]! - Math.log(logits.reduce((sum, v) => sum + Math.exp(v), 0));
  });
}

/** The loss as the papers write it, straight from the definition. */
function loss(
  values: Float32Array | Float64Array,
  batch: readonly TrainedRollout[],
  options: GrpoOptions,
): number {
  const weight = (rollout: TrainedRollout, i: number): number => rollout.weights?.[i] ?? 1;
  const terms = batch.map((rollout) => {
    const now = logProbs(values, rollout);
    let sum = 0;
    let weights = 0;
    now.forEach((value, i) => {
      const advantage = typeof rollout.advantages === 'number' ? rollout.advantages : rollout.advantages[i]!;
      const ratio = Math.exp(value - rollout.logProbs[i]!);
      const clipped = Math.min(1 + options.clipHigh, Math.max(1 - options.clipLow, ratio));
      sum += weight(rollout, i) * Math.min(ratio * advantage, clipped * advantage);
      weights += weight(rollout, i);
    });
    return { sum, weights };
  });
  const counted = terms.filter(({ weights }) => weights > 0);
  if (options.normaliser === 'rollouts') {
    return -counted.reduce((sum, term) => sum + term.sum / term.weights, 0) / counted.length;
  }
  return -terms.reduce((sum, t) => sum + t.sum, 0) / terms.reduce((sum, t) => sum + t.weights, 0);
}

/** Rollouts from another policy than the trained one: ratios on both sides of the clip, masks, per-token advantages. */
function stale(): TrainedRollout[] {
  return sampled(6).map((rollout, r) => ({
    ...rollout,
    temperature: r === 2 ? 0.8 : 1,
    logProbs: Array.from(rollout.logProbs, (value, i) => value + [0, 0.5, -0.5, 0.1][(i + r) % 4]!),
    ...(r === 1 ? { advantages: Array.from(rollout.logProbs, (_, i) => (i % 3) - 1) } : {}),
    ...(r === 3 ? { weights: Array.from(rollout.logProbs, (_, i) => (i % 2) * 0.5) } : {}),
    ...(r === 4 ? { advantages: 0 } : {}),
    ...(r === 5 ? { weights: Array.from(rollout.logProbs, () => 0) } : {}),
  }));
}

const ONE_STEP: GrpoOptions = {
  ...GRPO_DEFAULTS,
  minibatches: 1,
  adam: { ...ADAM_DEFAULTS, maxGradNorm: 1e9 },
};

describe('GRPO trainer', () => {
  it.each(['tokens', 'rollouts'] as const)(
    'follows the gradient of the clipped loss, normalised by %s',
    (normaliser) => {
      const batch = stale();
      const options: GrpoOptions = { ...ONE_STEP, normaliser };
      const trainer = new GrpoTrainer(fresh(), 1, options);
      const stats = trainer.update(batch);
      const start = Float64Array.from(fresh().values);
      expect(stats.loss).toBeCloseTo(loss(start, batch, options), 5);
      // After one step the first moment is (1 - beta1) times the gradient.
      const scale = 1 / (1 - options.adam.beta1);
      let squares = 0;
      for (let i = 0; i < start.length; i++) {
        const held = start[i]!;
        start[i] = held + 1e-6;
        const above = loss(start, batch, options);
        start[i] = held - 1e-6;
        const below = loss(start, batch, options);
        start[i] = held;
        const numeric = (above - below) / 2e-6;
        squares += numeric * numeric;
        expect(Math.abs(trainer.adam.first[i]! * scale - numeric), `parameter ${i}`).toBeLessThan(1e-6);
      }
      expect(stats.gradNorm).toBeCloseTo(Math.sqrt(squares), 5);
      expect(stats.gradNorm).toBeGreaterThan(0.01);
      expect(stats.clipFraction).toBeGreaterThan(0);
      expect(stats.clipFraction).toBeLessThan(1);
    },
  );

  it('finds a ratio of exactly 1 on what the policy itself has just sampled', () => {
    const trainer = new GrpoTrainer(fresh(), 1, ONE_STEP);
    const stats = trainer.update(sampled(5));
    expect(stats.kl).toBe(0);
    expect(stats.clipFraction).toBe(0);
    expect(stats.entropy).toBeGreaterThan(0);
    expect(stats.optimizerSteps).toBe(1);
  });

  it('raises what has a positive advantage and lowers what has a negative one', () => {
    const parameters = fresh();
    const batch = sampled(8);
    const sum = (rollout: TrainedRollout): number =>
      logProbs(parameters.values, rollout).reduce((a, b) => a + b, 0);
    const before = batch.map(sum);
    const trainer = new GrpoTrainer(parameters, 1, { ...GRPO_DEFAULTS, learningRate: 1e-3 });
    for (let i = 0; i < 5; i++) trainer.update(batch);
    const gain = (even: boolean): number =>
      batch.reduce(
        (total, rollout, i) => ((i % 2 === 0) === even ? total + sum(rollout) - before[i]! : total),
        0,
      );
    expect(gain(true)).toBeGreaterThan(0);
    expect(gain(false)).toBeLessThan(0);
  });

  it('does nothing without an advantage or with every token masked', () => {
    const parameters = fresh();
    const trainer = new GrpoTrainer(parameters, 1);
    const batch = sampled(4);
    const idle = [
      ...batch.map((rollout) => ({ ...rollout, advantages: 0 })),
      ...batch.map((rollout) => ({ ...rollout, weights: Array.from(rollout.logProbs, () => 0) })),
    ];
    for (const stats of [trainer.update(idle), trainer.update([])]) {
      expect(stats).toEqual({
        loss: 0,
        gradNorm: 0,
        clipFraction: 0,
        kl: 0,
        entropy: 0,
        trainedTokens: 0,
        optimizerSteps: 0,
      });
    }
    expect(parameters.values).toEqual(fresh().values);
  });

  it('deals a batch into minibatches by seed and update', () => {
    const run = (seed: number): Float32Array | Float64Array => {
      const parameters = fresh();
      const trainer = new GrpoTrainer(parameters, seed, { ...GRPO_DEFAULTS, minibatches: 3, epochs: 2 });
      expect(trainer.update(sampled(7)).optimizerSteps).toBe(6);
      return parameters.values;
    };
    expect(run(1)).toEqual(run(1));
    expect(run(1)).not.toEqual(run(2));
  });
});
