import type { PastGroup, PassRate, PromptInput } from '../allocation/inputs';
import type { StepInputs, WhatIfStep } from './inputs';
import type { StepOutcomes } from './outcomes';
import type { Known, Play } from './play';

/** Weight of the newest step in the moving average of the failure rate, from the second step of a replay on. */
export const FAILURE_WEIGHT = 0.3;

interface Learnt {
  /** As it was when the prompt was first in one of the replayed steps. */
  readonly before: PromptInput;
  readonly groups: PastGroup[];
}

/**
 * What a method knows while it is replayed over several steps of one draw: what the record held when each prompt was
 * first met, and since then its own groups only, never those that the run made in its place.
 */
export class Knowledge {
  private readonly prompts = new Map<string, Learnt>();
  /** Step inputs that follow from the method's own groups. */
  private own: Pick<StepInputs, 'failureRate' | 'memory'>;

  constructor({ inputs: { failureRate, memory } }: WhatIfStep) {
    this.own = {
      ...(failureRate === undefined ? {} : { failureRate }),
      ...(memory === undefined ? {} : { memory }),
    };
  }

  before({ prompts, inputs }: WhatIfStep): Known {
    return { prompts: prompts.map(({ input }) => this.of(input)), step: { ...inputs, ...this.own } };
  }

  learn({ number, prompts }: WhatIfStep, { counts, carry }: Play, outcomes: StepOutcomes): void {
    let rollouts = 0;
    let right = 0;
    prompts.forEach(({ input }, i) => {
      const n = counts[i]!;
      if (n === 0) return;
      const rewards = Array.from({ length: n }, (_, at) => outcomes.at(i, at));
      const c = outcomes.successes(i, n);
      rollouts += n;
      right += c;
      this.met(input).groups.push({ step: number, rollouts: n, successes: c, meanReward: c / n, rewards });
    });
    if (carry !== undefined) this.own = { ...this.own, memory: carry };
    if (rollouts === 0) return;
    const failed = 1 - right / rollouts;
    const before = this.own.failureRate ?? failed;
    this.own = { ...this.own, failureRate: before + FAILURE_WEIGHT * (failed - before) };
  }

  private met(input: PromptInput): Learnt {
    let known = this.prompts.get(input.id);
    if (known === undefined) this.prompts.set(input.id, (known = { before: input, groups: [] }));
    return known;
  }

  private of(input: PromptInput): PromptInput {
    const { before, groups } = this.met(input);
    if (groups.length === 0) return before;
    return {
      ...before,
      passRate: pooled(before.passRate, groups),
      ...(before.history === undefined ? {} : { history: [...before.history, ...groups] }),
    };
  }
}

/** Share of successes among the rollouts of the rate from before and of the groups since. */
function pooled(before: PassRate | undefined, groups: readonly PastGroup[]): PassRate {
  let samples = before?.samples ?? 0;
  let right = (before?.value ?? 0) * samples;
  for (const { rollouts, successes } of groups) {
    samples += rollouts;
    right += successes;
  }
  return { value: Math.min(1, right / samples), samples };
}
