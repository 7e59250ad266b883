import { groupAdvantages } from '../../methods/credit/groupAdvantage';
import { shuffled } from '../../methods/distributions';
import { Rng } from '../../methods/random';
import type { PolicyParameters } from '../policy/policyParameters';
import { TRAIN_TASKS } from '../tasks/taskSet';
import type { Task } from '../tasks/taskSet';
import { verify } from '../tasks/verifier';
import { GRPO_DEFAULTS, GrpoTrainer } from './grpoTrainer';
import type { GrpoOptions, TrainedRollout, UpdateStats } from './grpoTrainer';
import { sampleRollouts } from './samplePrompts';

export interface StepReport {
  readonly rollouts: number;
  readonly meanReward: number;
  /** Response tokens, end token included. */
  readonly meanTokens: number;
  /** Share of the step's groups whose rewards are all equal. */
  readonly zeroGradientShare: number;
  readonly stats: UpdateStats;
}

export interface OfflineOptions {
  readonly promptsPerStep: number;
  readonly groupSize: number;
  readonly grpo: GrpoOptions;
}

/** 192 rollouts a step; 40 steps are ten passes over the 96 prompts. */
export const OFFLINE_DEFAULTS: OfflineOptions = { promptsPerStep: 24, groupSize: 8, grpo: GRPO_DEFAULTS };

/** The training loop without a server: uniform allocation, independent rollouts, GRPO advantages. */
export class OfflineRun {
  readonly trainer: GrpoTrainer;
  readonly #random: Rng;
  #queue: Task[] = [];
  #steps = 0;

  /** @param parameters trained in place */
  constructor(
    readonly parameters: PolicyParameters,
    readonly seed: number,
    readonly options: OfflineOptions = OFFLINE_DEFAULTS,
  ) {
    this.trainer = new GrpoTrainer(parameters, seed, options.grpo);
    this.#random = Rng.from(seed).fork('prompts');
  }

  step(): StepReport {
    const { promptsPerStep, groupSize } = this.options;
    this.#steps += 1;
    while (this.#queue.length < promptsPerStep) this.#queue.push(...shuffled(this.#random, TRAIN_TASKS));
    const tasks = this.#queue.splice(0, promptsPerStep);
    const sampled = sampleRollouts(
      this.parameters,
      this.seed,
      tasks.flatMap((task) =>
        Array.from({ length: groupSize }, (_, i) => ({
          prompt: task.tokens,
          key: `${this.#steps}/${task.id}/${i}`,
        })),
      ),
    );
    const batch: TrainedRollout[] = [];
    let reward = 0;
    let zeroGradient = 0;
    tasks.forEach((task, t) => {
      const group = sampled.slice(t * groupSize, (t + 1) * groupSize);
      const rewards = group.map(
        (rollout) => verify(task.problem, rollout.tokens.slice(rollout.promptLength)).reward,
      );
      reward += rewards.reduce<number>((a, b) => a + b, 0);
      if (rewards.every((r) => r === rewards[0])) zeroGradient += 1;
      const advantages = groupAdvantages(rewards, { divide: true, ddof: 1, epsilon: 1e-6 });
      group.forEach((rollout, i) => batch.push({ ...rollout, advantages: advantages[i]!, temperature: 1 }));
    });
    const tokens = sampled.reduce((sum, rollout) => sum + rollout.logProbs.length, 0);
    return {
      rollouts: sampled.length,
      meanReward: reward / sampled.length,
      meanTokens: tokens / sampled.length,
      zeroGradientShare: zeroGradient / tasks.length,
      stats: this.trainer.update(batch),
    };
  }
}
