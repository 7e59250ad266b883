import type { PolicyParameters } from '../policy/policyParameters';
import type { Task } from '../tasks/taskSet';
import { verify } from '../tasks/verifier';
import { sampleRollouts } from './samplePrompts';

/** Right answers among the samples of one prompt: what pass@k is estimated from. */
export interface PromptCount {
  readonly id: string;
  readonly level: number;
  readonly n: number;
  readonly correct: number;
}

export interface Evaluation {
  readonly prompts: readonly PromptCount[];
  /** Mean over prompts of correct / n. */
  readonly pass1: number;
  /** Mean length of a response, end token included. */
  readonly meanTokens: number;
}

/** Prompts of one batch: enough rows to be quick, few enough to stay in the cache. */
const PROMPTS_AT_ONCE = 4;

/** Counts right answers, n samples a prompt, temperature 1. `label` separates the draws of two evaluations. */
export function evaluate(
  parameters: PolicyParameters,
  tasks: readonly Task[],
  n: number,
  seed: number,
  label: string,
): Evaluation {
  const prompts: PromptCount[] = [];
  let tokens = 0;
  for (let start = 0; start < tasks.length; start += PROMPTS_AT_ONCE) {
    const batch = tasks.slice(start, start + PROMPTS_AT_ONCE);
    const requests = batch.flatMap((task) =>
      Array.from({ length: n }, (_, i) => ({ prompt: task.tokens, key: `${label}/${task.id}/${i}` })),
    );
    const rollouts = sampleRollouts(parameters, seed, requests);
    batch.forEach((task, t) => {
      let correct = 0;
      for (const rollout of rollouts.slice(t * n, (t + 1) * n)) {
        const response = rollout.tokens.slice(rollout.promptLength);
        tokens += response.length;
        correct += verify(task.problem, response).reward;
      }
      prompts.push({ id: task.id, level: task.level, n, correct });
    });
  }
  const pass1 = prompts.reduce((sum, p) => sum + p.correct / p.n, 0) / prompts.length;
  return { prompts, pass1, meanTokens: tokens / (prompts.length * n) };
}
