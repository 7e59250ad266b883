import type { AllocationMethod, AllocationRequest } from '../allocation/allocator';
import type { Memory, PromptInput } from '../allocation/inputs';
import type { PromptOutcome } from '../allocation/outcomes';
import type { Parameters } from '../parameters';
import type { Rng } from '../random';
import { spentIn, type StepInputs, type WhatIfStep } from './inputs';
import { askedOf, type Gaps } from './missing';
import type { StepOutcomes } from './outcomes';

/** What a method gave in a step, by the places of its prompts. */
export interface Play {
  readonly counts: Int32Array;
  /** Rollouts, by place in launch order, that the rule takes out of training. */
  readonly dropped: ReadonlyMap<number, ReadonlySet<number>>;
  /** Values that the rule compares the rollouts' rewards with, in place of those of their group. */
  readonly baselines: ReadonlyMap<number, readonly number[]>;
  readonly carry: Memory | undefined;
  /** The same in every draw: it asked for all at once and drew nothing. */
  readonly fixed: boolean;
  /** Prompts that kept the run's count, since the method lacks an input of theirs. */
  readonly leftOut: number;
}

export interface Player {
  readonly method: AllocationMethod;
  readonly parameters: Parameters;
  readonly gaps: Gaps;
}

/** What a method would know before a step. */
export interface Known {
  readonly prompts: readonly PromptInput[];
  readonly step: StepInputs;
}

const MOST_ROUNDS = 1000;

/**
 * Asks a method about a step round by round, with every rollout that it asks for ending before the next round.
 * Throws a Refusal as the method does.
 */
export function playStep(
  { method, parameters, gaps }: Player,
  step: WhatIfStep,
  known: Known,
  outcomes: StepOutcomes,
  rng: Rng,
): Play {
  const asked = askedOf(method, known.prompts, known.step, gaps);
  const { places } = asked;
  const counts = Int32Array.from(step.prompts, ({ asRun }) => asRun);
  const kept = places.reduce((left, place) => left - counts[place]!, spentIn(step));
  let state = method.start(
    { ...asked.step, prompts: asked.prompts, budget: spentIn(step) - kept },
    rng,
    parameters,
  );
  const untouched = state.rng;
  const taken = new Taken();
  let ended: PromptOutcome[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = state.asked;
    const answer = method.next(state, ended);
    for (const request of answer.requests) taken.note(request, places, before);
    state = answer.state;
    if (!answer.done) {
      ended = state.asked.flatMap((count, prompt) =>
        newOutcome(outcomes, prompt, places[prompt]!, before[prompt]!, count),
      );
      continue;
    }
    places.forEach((place, i) => (counts[place] = state.asked[i]!));
    const fixed = round === 0 && state.rng.state.every((word, i) => word === untouched.state[i]);
    return {
      counts,
      dropped: taken.dropped,
      baselines: taken.baselines,
      carry: answer.carry,
      fixed,
      leftOut: counts.length - places.length,
    };
  }
  throw new Error(`${method.id} does not come to an end.`);
}

/** What a rule says of rollouts that have ended. */
class Taken {
  readonly dropped = new Map<number, Set<number>>();
  readonly baselines = new Map<number, readonly number[]>();

  /** @param before rollouts asked for when the request was made: "all so far". */
  note(request: AllocationRequest, places: readonly number[], before: readonly number[]): void {
    const place = places[request.prompt]!;
    if (request.action === 'baseline' && request.values !== undefined) {
      this.baselines.set(place, request.values);
    } else if (request.action === 'drop') {
      const all = this.dropped.get(place) ?? new Set<number>();
      this.dropped.set(place, all);
      for (const i of request.rollouts ?? Array.from({ length: before[request.prompt]! }, (_, at) => at))
        all.add(i);
    }
  }
}

function newOutcome(
  outcomes: StepOutcomes,
  prompt: number,
  place: number,
  from: number,
  to: number,
): PromptOutcome[] {
  if (to <= from) return [];
  const numbers = Array.from({ length: to - from }, (_, i) => from + i);
  const rewards = numbers.map((i) => outcomes.at(place, i));
  return [
    {
      prompt,
      rewards,
      successes: rewards.map((reward) => reward === 1),
      tokens: numbers.map((i) => outcomes.tokens(place, i)),
    },
  ];
}

/**
 * Whether the rollouts of a prompt give a gradient: two different rewards among those kept, or one that differs from
 * what the rule compares it with.
 */
export function hasGradient(
  { counts, dropped, baselines }: Play,
  place: number,
  successes: number,
  outcomes: StepOutcomes,
): boolean {
  const n = counts[place]!;
  const out = dropped.get(place);
  const values = baselines.get(place);
  if (out === undefined && values === undefined) return successes > 0 && successes < n;
  let kept = 0;
  let right = 0;
  for (let i = 0; i < n; i++) {
    if (out?.has(i) === true) continue;
    const outcome = outcomes.at(place, i);
    if (values !== undefined && outcome !== (values[i] ?? values[0])) return true;
    kept++;
    right += outcome;
  }
  return values === undefined && right > 0 && right < kept;
}
