import type { MethodChoice } from './controlState';

/** What a run is started with; the same over restarts. */
export interface JobSettings {
  readonly runId: string;
  readonly name: string;
  readonly seed: number;
  /** Steps after which the run ends. */
  readonly steps: number;
  /** Milliseconds between two tokens of a rollout; 0: as fast as it can. */
  readonly pace: number;
  readonly promptsPerStep: number;
  /** Rollouts a prompt on average. */
  readonly groupSize: number;
  readonly allocation: MethodChoice;
  readonly branching: MethodChoice;
  readonly credit: MethodChoice;
  readonly temperature: number;
  /** Rollouts that are sampled at a time. */
  readonly slots: number;
  /** Steps from one evaluation to the next. */
  readonly evaluateEvery: number;
  /** Samples of each held-out prompt in an evaluation. */
  readonly evaluateSamples: number;
  /** Steps whose tokens stay in memory. */
  readonly heldSteps: number;
}

export const DEFAULT_SETTINGS = {
  seed: 1,
  steps: 400,
  pace: 80,
  promptsPerStep: 24,
  groupSize: 8,
  allocation: { method: 'knapsack-rl-published', parameters: {} },
  branching: { method: 'datpo', parameters: {} },
  credit: { method: 'grpo', parameters: {} },
  temperature: 1,
  slots: 64,
  evaluateEvery: 5,
  evaluateSamples: 64,
  heldSteps: 64,
} as const satisfies Partial<JobSettings>;
