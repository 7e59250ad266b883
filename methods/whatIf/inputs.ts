import type { AllocationInputs, PromptInput, StepField } from '../allocation/inputs';
import type { BetaPrior } from '../estimators/betaPosterior';

/** A prompt of a recorded step, as far as another method could have known it, and what came of it. */
export interface WhatIfPrompt {
  /** As it was before the step. */
  readonly input: PromptInput;
  /** Known outcomes of the step's rollouts in launch order: 1 success, 0 none. */
  readonly recorded: Uint8Array;
  /** Tokens of the same rollouts. */
  readonly tokens: Int32Array;
  /** Success probability of rollouts that the run did not make. */
  readonly posterior: BetaPrior;
  /** Rollouts that the run gave it. */
  readonly asRun: number;
  /** Mean length of its rollouts, tokens. */
  readonly meanTokens: number;
}

/** What the record says of a step as a whole, as it was before it. */
export type StepInputs = Pick<AllocationInputs, StepField | 'memory'>;

/** A recorded step. All methods are asked about its prompts and may spend what the run spent. */
export interface WhatIfStep {
  /** As the run counts its steps. */
  readonly number: number;
  readonly inputs: StepInputs;
  readonly prompts: readonly WhatIfPrompt[];
}

/** Rollouts that the run gave in a step. */
export function spentIn({ prompts }: WhatIfStep): number {
  return prompts.reduce((sum, { asRun }) => sum + asRun, 0);
}

/** Rollouts that the run gave in all steps: the total that methods may spend. */
export function totalOf(steps: readonly WhatIfStep[]): number {
  return steps.reduce((sum, step) => sum + spentIn(step), 0);
}
