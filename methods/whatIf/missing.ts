import type { AllocationMethod } from '../allocation/allocator';
import {
  isOutcomeField,
  isPromptField,
  missingInputs,
  type AllocationInput,
  type PromptInput,
} from '../allocation/inputs';
import type { StepInputs, WhatIfStep } from './inputs';

/** What to do about prompts that lack an input: ask first, leave them at the run's own count, or take one half. */
export const GAPS = ['ask', 'leaveOut', 'half'] as const;
export type Gaps = (typeof GAPS)[number];

/** An input that a method needs and the record lacks. */
export interface MissingInput {
  readonly input: AllocationInput;
  /** Prompts that lack it, the most in a step; 0: it is no input of a prompt. */
  readonly prompts: number;
  /** One half can stand for it: it is a rate. */
  readonly canBeHalf: boolean;
  /** Without these prompts there are others left in every step. */
  readonly canLeaveOut: boolean;
}

/** Rates, with what stands for one that nothing is known of. */
const HALF: Required<Pick<PromptInput, 'passRate' | 'initialRate' | 'prediction'>> = {
  passRate: { value: 0.5 },
  initialRate: { value: 0.5 },
  prediction: 0.5,
};
const HALF_STEP: Required<Pick<StepInputs, 'failureRate'>> = { failureRate: 0.5 };

/** What the recorded rollouts themselves say; answers, endings and predictions they do not. */
const RECORDED: ReadonlySet<AllocationInput> = new Set(['rewards', 'successes', 'tokens']);

/** What `method` lacks in any of the steps; empty: it can be asked. */
export function missingFor(method: AllocationMethod, steps: readonly WhatIfStep[]): MissingInput[] {
  return method.needs.flatMap((input): MissingInput[] => {
    if (isOutcomeField(input)) {
      return RECORDED.has(input) ? [] : [{ input, prompts: 0, canBeHalf: false, canLeaveOut: false }];
    }
    let most = -1;
    let canLeaveOut = isPromptField(input);
    for (const { inputs, prompts } of steps) {
      const [refusal] = missingInputs([input], {
        ...inputs,
        prompts: prompts.map((one) => one.input),
        budget: 0,
      });
      if (refusal === undefined) continue;
      most = Math.max(most, refusal.prompts.length);
      if (refusal.prompts.length === prompts.length) canLeaveOut = false;
    }
    const canBeHalf = Object.hasOwn(isPromptField(input) ? HALF : HALF_STEP, input);
    return most < 0 ? [] : [{ input, prompts: most, canBeHalf, canLeaveOut }];
  });
}

/** What a method is asked about: prompts by their place in the step, with gaps filled as a person chose. */
export interface Asked {
  readonly places: readonly number[];
  readonly prompts: readonly PromptInput[];
  readonly step: StepInputs;
}

export function askedOf(
  { needs }: AllocationMethod,
  prompts: readonly PromptInput[],
  step: StepInputs,
  gaps: Gaps,
): Asked {
  const everyone = prompts.map((_, place) => place);
  if (gaps === 'half') {
    const half = Object.fromEntries(
      Object.entries(HALF).filter(([name]) => needs.some((need) => need === name)),
    );
    return {
      places: everyone,
      prompts: prompts.map((prompt) => ({ ...half, ...prompt })),
      step: needs.includes('failureRate') ? { ...HALF_STEP, ...step } : step,
    };
  }
  if (gaps === 'ask') return { places: everyone, prompts, step };
  const lacking = missingInputs(needs.filter(isPromptField), { prompts, budget: 0 });
  const out = new Set(lacking.flatMap((refusal) => refusal.prompts));
  const places = everyone.filter((place) => !out.has(place));
  return { places, prompts: places.map((place) => prompts[place]!), step };
}
