import type { Parameters as MethodParameters } from '../parameters';
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

/** No rule takes more; one that does has no end. */
const MOST_ROUNDS = 100_000;

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
 * Answers of a method one by one until it is done, with every requested rollout ending before the next question: the
 * i-th of a prompt ends with `result(prompt, i)`, a number being a reward that succeeds if it is 1. For long runs of many
 * prompts, of which all answers together would not fit into memory. Throws a Refusal as the method does.
 */
export function* answersOf(
  method: AllocationMethod,
  inputs: AllocationInputs,
  rng: Rng,
  result: (prompt: number, i: number) => number | RolloutResult,
  parameters?: MethodParameters,
): Generator<AllocationAnswer, void> {
  let state = method.start(inputs, rng, parameters);
  let outcomes: PromptOutcome[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = state.asked;
    const answer = method.next(state, outcomes);
    yield answer;
    if (answer.done) return;
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

/** All answers of a method; see `answersOf`. */
export function runToEnd(...run: Parameters<typeof answersOf>): AllocationAnswer[] {
  return [...answersOf(...run)];
}
