import { Rng } from '../../methods/random';
import { Distribution } from '../policy/distribution';
import { shuffled } from '../../methods/distributions';
import { exp } from '../policy/scalarMath';
import { zeroParameters } from '../policy/policyParameters';
import type { PolicyParameters } from '../policy/policyParameters';
import { SequencePass } from '../policy/sequencePass';
import { ADAM_DEFAULTS, Adam } from './adam';
import type { AdamOptions } from './adam';

/** A rollout to learn from. The arrays have one entry for each token of the response. */
export interface TrainedRollout {
  /** Prompt and response. */
  readonly tokens: ArrayLike<number>;
  readonly promptLength: number;
  /** Log-probability of each token when it was sampled, at the rollout's temperature. */
  readonly logProbs: ArrayLike<number>;
  /** One advantage for all tokens, or one for each. */
  readonly advantages: number | ArrayLike<number>;
  /** Share of each token in the loss; 0 masks it (a token that a person or another policy wrote). */
  readonly weights?: ArrayLike<number>;
  readonly temperature: number;
}

export interface GrpoOptions {
  readonly learningRate: number;
  /** The probability ratio is clipped to [1 - clipLow, 1 + clipHigh] (DAPO, eq. 8: 0.2 and 0.28). */
  readonly clipLow: number;
  readonly clipHigh: number;
  /** Parts into which a batch is dealt; each makes one optimizer step an epoch. */
  readonly minibatches: number;
  readonly epochs: number;
  /**
   * tokens: the loss is a mean over the tokens of a minibatch (DAPO); rollouts: a mean over its rollouts
   * of the mean over their tokens (DeepSeekMath, eq. 3).
   */
  readonly normaliser: 'tokens' | 'rollouts';
  readonly adam: AdamOptions;
}

export const GRPO_DEFAULTS: GrpoOptions = {
  learningRate: 7e-4,
  clipLow: 0.2,
  clipHigh: 0.28,
  minibatches: 4,
  epochs: 1,
  normaliser: 'tokens',
  adam: ADAM_DEFAULTS,
};

/**
 * Figures of one update. Means are over the trained tokens: weight and advantage not zero. With no such
 * token nothing changes and all figures are 0.
 */
export interface UpdateStats {
  /** Mean over optimizer steps of the clipped surrogate loss. */
  readonly loss: number;
  /** Mean over optimizer steps of the gradient's norm before clipping. */
  readonly gradNorm: number;
  /** Share of trained tokens whose ratio was clipped. */
  readonly clipFraction: number;
  /** Mean of ρ - 1 - ln ρ (Schulman's k3): divergence of the policy being updated from the sampling one. */
  readonly kl: number;
  /** Mean entropy of the trained tokens' distributions, in nats. */
  readonly entropy: number;
  readonly trainedTokens: number;
  readonly optimizerSteps: number;
}

interface Totals {
  loss: number;
  gradNorm: number;
  clipped: number;
  kl: number;
  entropy: number;
  tokens: number;
  optimizerSteps: number;
}

/** Group relative policy optimisation of one policy. Advantages come from outside. */
export class GrpoTrainer {
  readonly adam: Adam;
  /** Batches trained on so far. */
  updates = 0;
  readonly #gradient: PolicyParameters;
  readonly #pass: SequencePass;
  readonly #distribution: Distribution;

  /**
   * @param parameters changed in place by update()
   * @param seed decides how batches are dealt into minibatches
   */
  constructor(
    readonly parameters: PolicyParameters,
    readonly seed: number,
    readonly options: GrpoOptions = GRPO_DEFAULTS,
  ) {
    this.adam = new Adam(parameters.values.length, options.adam);
    this.#gradient = zeroParameters(parameters.shape);
    this.#pass = new SequencePass(parameters);
    this.#distribution = new Distribution(parameters.shape.vocabulary);
  }

  update(batch: readonly TrainedRollout[]): UpdateStats {
    const totals: Totals = {
      loss: 0,
      gradNorm: 0,
      clipped: 0,
      kl: 0,
      entropy: 0,
      tokens: 0,
      optimizerSteps: 0,
    };
    for (let epoch = 0; epoch < this.options.epochs; epoch++) {
      const random = Rng.from(this.seed).fork(`minibatches/${this.updates}/${epoch}`);
      const dealt = shuffled(random, batch);
      const parts = Math.min(this.options.minibatches, dealt.length);
      for (let part = 0; part < parts; part++) {
        const start = Math.floor((part * dealt.length) / parts);
        const end = Math.floor(((part + 1) * dealt.length) / parts);
        this.#optimizerStep(dealt.slice(start, end), totals);
      }
    }
    this.updates += 1;
    const steps = Math.max(1, totals.optimizerSteps);
    const tokens = Math.max(1, totals.tokens);
    return {
      loss: totals.loss / steps,
      gradNorm: totals.gradNorm / steps,
      clipFraction: totals.clipped / tokens,
      kl: totals.kl / tokens,
      entropy: totals.entropy / tokens,
      trainedTokens: totals.tokens,
      optimizerSteps: totals.optimizerSteps,
    };
  }

  #optimizerStep(minibatch: readonly TrainedRollout[], totals: Totals): void {
    const shares = lossShares(minibatch, this.options.normaliser);
    const trained = minibatch
      .map((rollout, i) => ({ rollout, share: shares[i]! }))
      .filter(({ rollout, share }) => share > 0 && hasTrainedToken(rollout));
    if (trained.length === 0) return;
    this.#gradient.values.fill(0);
    this.#pass.forward(
      trained.map(({ rollout }) => ({
        tokens: rollout.tokens,
        promptLength: rollout.promptLength,
        isTarget: (position) => isTrained(rollout, position - rollout.promptLength),
      })),
    );
    this.#pass.outputs.forEach(({ sequence, position }, i) => {
      const { rollout, share } = trained[sequence]!;
      this.#token(rollout, position, share, this.#pass.logitsOffset(i), totals);
    });
    this.#pass.backward(this.#gradient);
    const { values } = this.parameters;
    totals.gradNorm += this.adam.update(values, this.#gradient.values, this.options.learningRate);
    totals.optimizerSteps += 1;
  }

  /** Loss of one token and its gradient with respect to the logits. */
  #token(rollout: TrainedRollout, position: number, share: number, at: number, totals: Totals): void {
    const index = position - rollout.promptLength;
    const token = rollout.tokens[position]!;
    const advantage = advantageAt(rollout, index);
    const distribution = this.#distribution;
    distribution.set(this.#pass.head.out, at, rollout.temperature);
    const logRatio = distribution.logProb(token) - rollout.logProbs[index]!;
    const ratio = exp(logRatio);
    const { clipLow, clipHigh } = this.options;
    const clips = advantage > 0 ? ratio > 1 + clipHigh : ratio < 1 - clipLow;
    const surrogate = clips ? (advantage > 0 ? 1 + clipHigh : 1 - clipLow) : ratio;
    const weight = share * weightAt(rollout, index);
    totals.loss -= weight * surrogate * advantage;
    totals.kl += ratio - 1 - logRatio;
    totals.entropy += distribution.entropy;
    totals.tokens += 1;
    if (clips) totals.clipped += 1;
    const slope = clips ? 0 : (-weight * ratio * advantage) / rollout.temperature;
    for (let v = 0; v < distribution.size; v++) {
      const hit = v === token ? 1 : 0;
      this.#pass.logitGradients[at + v] = slope * (hit - distribution.probabilities[v]!);
    }
  }
}

function weightAt(rollout: TrainedRollout, index: number): number {
  return rollout.weights === undefined ? 1 : rollout.weights[index]!;
}

function advantageAt(rollout: TrainedRollout, index: number): number {
  return typeof rollout.advantages === 'number' ? rollout.advantages : rollout.advantages[index]!;
}

function isTrained(rollout: TrainedRollout, index: number): boolean {
  return weightAt(rollout, index) !== 0 && advantageAt(rollout, index) !== 0;
}

function hasTrainedToken(rollout: TrainedRollout): boolean {
  const length = rollout.tokens.length - rollout.promptLength;
  for (let index = 0; index < length; index++) if (isTrained(rollout, index)) return true;
  return false;
}

/** What a token of weight 1 counts in the loss of its minibatch. Rollouts without an advantage count too. */
function lossShares(minibatch: readonly TrainedRollout[], normaliser: GrpoOptions['normaliser']): number[] {
  const weights = minibatch.map((rollout) => {
    let sum = 0;
    const length = rollout.tokens.length - rollout.promptLength;
    for (let index = 0; index < length; index++) sum += weightAt(rollout, index);
    return sum;
  });
  if (normaliser === 'tokens') {
    const total = weights.reduce((a, b) => a + b, 0);
    return weights.map(() => (total > 0 ? 1 / total : 0));
  }
  const counted = weights.filter((weight) => weight > 0).length;
  return weights.map((weight) => (weight > 0 ? 1 / (weight * counted) : 0));
}
