import type { Parameters } from '../parameters';
import type { Rng } from '../random';
import type { AllocationAnswer, AllocationMethod } from './allocator';
import type { AllocationInputs, PromptOutcome } from './inputs';

/**
 * Answers of a method until it is done, with every requested rollout ending before the next question: the i-th of a
 * prompt has the reward `reward(prompt, i)`, and succeeds if that is 1. What a what-if and a replay are made of.
 * Throws a Refusal as the method does.
 */
export function runToEnd(
  method: AllocationMethod,
  inputs: AllocationInputs,
  rng: Rng,
  reward: (prompt: number, i: number) => number,
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
      const rewards = Array.from({ length: asked - before[prompt]! }, (_, i) =>
        reward(prompt, before[prompt]! + i),
      );
      return rewards.length > 0 ? [{ prompt, rewards, successes: rewards.map((value) => value === 1) }] : [];
    });
  }
  throw new Error(`${method.id} does not come to an end.`);
}
