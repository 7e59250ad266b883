import type { Parameters } from '../parameters';
import type { Rng } from '../random';
import type { AllocationAnswer, AllocationMethod } from './allocator';
import type { AllocationInputs } from './inputs';
import type { PromptOutcome, RolloutEnding } from './outcomes';

/** How one rollout ended, as far as it is known. Either all rollouts of a run have a member or none. */
export interface RolloutResult {
  readonly reward: number;
  /** Absent: it succeeded if its reward is 1. */
  readonly success?: boolean;
  readonly answer?: string;
  readonly tokens?: number;
  readonly ending?: RolloutEnding;
  readonly prediction?: number;
}

const known = <T>(values: readonly (T | undefined)[]): T[] => values.filter((value) => value !== undefined);

/** Results of a prompt's rollouts as its outcome. */
export function outcomeOf(prompt: number, results: readonly RolloutResult[]): PromptOutcome {
  return {
    prompt,
    rewards: results.map(({ reward }) => reward),
    successes: results.map(({ reward, success }) => success ?? reward === 1),
    answers: known(results.map(({ answer }) => answer)),
    tokens: known(results.map(({ tokens }) => tokens)),
    endings: known(results.map(({ ending }) => ending)),
    predictions: known(results.map(({ prediction }) => prediction)),
  };
}

/**
 * Answers of a method until it is done, with every requested rollout ending before the next question: the i-th of a
 * prompt ends with `result(prompt, i)`, a number being a reward that succeeds if it is 1. What a what-if and a replay are made of.
 * Throws a Refusal as the method does.
 */
export function runToEnd(
  method: AllocationMethod,
  inputs: AllocationInputs,
  rng: Rng,
  result: (prompt: number, i: number) => number | RolloutResult,
  parameters?: Parameters,
): AllocationAnswer[] {
  const answers: AllocationAnswer[] = [];
  let state = method.start(inputs, rng, parameters);
  let outcomes: PromptOutcome[] = [];
  for (let round = 0; round < 1000; round++) {
    const before = state.asked;
    const answer = method.next(state, outcomes);
    answers.push(answer);
    if (answer.done) return answers;
    state = answer.state;
    outcomes = state.asked.flatMap((asked, prompt) => {
      const from = before[prompt]!;
      if (asked === from) return [];
      const results = Array.from({ length: asked - from }, (_, i) => {
        const ended = result(prompt, from + i);
        return typeof ended === 'number' ? { reward: ended } : ended;
      });
      return [outcomeOf(prompt, results)];
    });
  }
  throw new Error(`${method.id} does not come to an end.`);
}
