import { counted } from '../figures';
import { rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import type { AllocationRequest, DecisionNumbers } from './allocator';

/** Shared by the rules that choose whole prompts: each chosen one gets a group of this size. */
export const groupSize = rolloutsParameter(
  'groupSize',
  8,
  1,
  'Rollouts of every chosen prompt; the budget divided by it is the number of prompts that are chosen.',
);

/** How many groups the budget pays for. Throws a Refusal if it does not pay for one. */
export function groupsIn(budget: number, size: number): number {
  const groups = Math.floor(budget / size);
  if (groups === 0) {
    throw new Refusal(
      'bad-budget',
      `${counted(budget, 'rollout')} do not pay for one group of ${size}. Raise the budget or lower groupSize.`,
    );
  }
  return groups;
}

/** Indices of the `count` least scores, ascending by score, equal ones by index. */
export function leastScores(scores: readonly number[], count: number): number[] {
  return scores
    .map((_, i) => i)
    .sort((a, b) => scores[a]! - scores[b]! || a - b)
    .slice(0, count);
}

/** Launches for the chosen prompts and skips for the others, in the order of the prompts. */
export function chosenAndSkipped(
  prompts: number,
  chosen: ReadonlySet<number>,
  size: number,
  explain: (prompt: number, taken: boolean) => { readonly reason: string; readonly numbers: DecisionNumbers },
): AllocationRequest[] {
  return Array.from({ length: prompts }, (_, prompt) => {
    const taken = chosen.has(prompt);
    return taken
      ? { prompt, action: 'launch' as const, count: size, reasonCode: 'chosen', ...explain(prompt, true) }
      : { prompt, action: 'skip' as const, count: 0, reasonCode: 'not-chosen', ...explain(prompt, false) };
  });
}
