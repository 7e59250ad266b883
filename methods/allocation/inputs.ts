import { counted } from '../figures';
import { Refusal } from '../refusal';

/** What a rule remembers from round to round or from step to step, as JSON. */
export interface Memory {
  readonly [name: string]: number | string | boolean | readonly number[];
}

/** A list of numbers out of a memory; undefined if it holds none of that name. */
export function numbersIn(memory: Memory, name: string): readonly number[] | undefined {
  const value = memory[name];
  return typeof value === 'object' ? value : undefined;
}

/** A number out of a memory, or what stands for it before the first time. */
export function numberIn(memory: Memory, name: string, otherwise: number): number {
  const value = memory[name];
  return typeof value === 'number' ? value : otherwise;
}

/** An estimate of a prompt's success probability from before the step. */
export interface PassRate {
  /** In 0 .. 1. */
  readonly value: number;
  /** Rollouts it rests on; absent if it was predicted without any. */
  readonly samples?: number;
}

/** A closed group of an earlier step. */
export interface PastGroup {
  readonly step: number;
  readonly rollouts: number;
  readonly meanReward: number;
  /** Rollouts that succeeded. */
  readonly successes: number;
  /** Rewards in launch order, one a rollout; absent where only their mean is recorded. */
  readonly rewards?: readonly number[];
}

/** A prompt of the step; for rules that search, a partial solution that continuations may start from. */
export interface PromptInput {
  readonly id: string;
  readonly passRate?: PassRate;
  /** Earlier groups of the prompt, oldest first; empty if it was never sampled, absent if that is not recorded. */
  readonly history?: readonly PastGroup[];
  /** Success probability from a model that predicts it without sampling (value model, difficulty scorer), 0 .. 1. */
  readonly prediction?: number;
  /** Pass rate under the policy that training started from, from a profile made before training. */
  readonly initialRate?: PassRate;
  /** Place in the whole data set by mean reward, over its size: 0 is the easiest, in 0 .. 1, 1 excluded. */
  readonly difficultyRank?: number;
  /** Part of the data mixture that the prompt belongs to. */
  readonly domain?: string;
  /** Value that a critic or reward model gives to the prompt or partial solution, in its own unit. */
  readonly score?: number;
  /** Direction of the text in an embedding model; equally long for all prompts and not all 0. */
  readonly embedding?: readonly number[];
  /**
   * Running mean over visits of the standard deviation, within a group, of advantage times the summed
   * log-probability of the rollout; at least 0.
   */
  readonly gradientSpread?: number;
  /** Mean length of its kept rollouts, tokens, above 0. */
  readonly meanTokens?: number;
  /** What a model trained beside this one did with the prompt in this step. */
  readonly partner?: { readonly rollouts: number; readonly successes: number };
}

export interface AllocationInputs {
  /** Prompts of the step, or for rules that choose, the candidates in the order in which they would be taken. */
  readonly prompts: readonly PromptInput[];
  /** Rollouts to hand out in the step. */
  readonly budget: number;
  /** Moving average of the share of failed rollouts, 0 .. 1. */
  readonly failureRate?: number;
  /** Passes over the data before this step, from 0; absent if the job does not say. */
  readonly epoch?: number;
  /** Number of this step, counted from 1, and of all steps of the training. */
  readonly step?: number;
  readonly totalSteps?: number;
  /** Mean entropy of the policy in each earlier step, nats, oldest first. */
  readonly entropies?: readonly number[];
  /** Rollouts completed so far, and the shares aimed at, by domain. */
  readonly completedByDomain?: Readonly<Record<string, number>>;
  readonly domainWeights?: Readonly<Record<string, number>>;
  /** What the method carried over from its last step; absent in the first. */
  readonly memory?: Memory;
}

/** Inputs that belong to one prompt, those that belong to the step, and those that come in with the outcomes. */
export type PromptField = Exclude<keyof PromptInput, 'id'>;
export type StepField = Exclude<keyof AllocationInputs, 'prompts' | 'budget' | 'memory'>;
export type OutcomeField = 'rewards' | 'successes' | 'answers' | 'tokens' | 'endings' | 'predictions';

/** What a rule may need of the record. */
export type AllocationInput = PromptField | StepField | OutcomeField;

export const PROMPT_FIELDS: Readonly<Record<PromptField, string>> = {
  passRate: 'a pass rate from before the step',
  history: 'the earlier groups',
  prediction: 'a predicted success probability',
  initialRate: 'a pass rate under the initial policy',
  difficultyRank: 'a rank by difficulty in the whole data set',
  domain: 'the domain',
  score: 'a value by a critic or reward model',
  embedding: 'an embedding',
  gradientSpread: 'the spread of advantage times log-probability within its groups',
  meanTokens: 'the mean length of its rollouts',
  partner: 'what the partner model did with it',
};

export const STEP_FIELDS: Readonly<Record<StepField, string>> = {
  failureRate: 'the moving average of the failure rate',
  epoch: 'the number of passes over the data',
  step: 'the number of the step',
  totalSteps: 'the number of all steps',
  entropies: 'the policy’s entropy in each earlier step',
  completedByDomain: 'the completed rollouts by domain',
  domainWeights: 'the aimed share of each domain',
};

export const OUTCOME_FIELDS: Readonly<Record<OutcomeField, string>> = {
  rewards: 'the rewards of the step as they come in',
  successes: 'whether each rollout succeeded',
  answers: 'the final answer of each rollout',
  tokens: 'the generated tokens of each rollout',
  endings: 'how each rollout ended',
  predictions: 'the value predicted for each rollout',
};

const WORDS: Readonly<Record<AllocationInput, string>> = {
  ...PROMPT_FIELDS,
  ...STEP_FIELDS,
  ...OUTCOME_FIELDS,
};

const isOneOf = <K extends string>(table: Readonly<Record<K, string>>, name: string): name is K =>
  Object.hasOwn(table, name);
export const isPromptField = (name: AllocationInput): name is PromptField => isOneOf(PROMPT_FIELDS, name);
export const isStepField = (name: AllocationInput): name is StepField => isOneOf(STEP_FIELDS, name);
export const isOutcomeField = (name: AllocationInput): name is OutcomeField => isOneOf(OUTCOME_FIELDS, name);

/** In words, for "needs …". */
export function inputInWords(input: AllocationInput): string {
  return WORDS[input];
}

/**
 * One Refusal for each needed input that the record lacks, with the prompts that lack it. What comes in with `next`
 * is never missing at the start.
 */
export function missingInputs(needs: readonly AllocationInput[], inputs: AllocationInputs): Refusal[] {
  return needs.flatMap((need) => {
    if (isStepField(need)) {
      if (inputs[need] !== undefined) return [];
      return [new Refusal('missing-input', `This rule needs ${WORDS[need]}, which the run did not record.`)];
    }
    if (!isPromptField(need)) return [];
    const lacking = inputs.prompts.flatMap((prompt, i) => (prompt[need] === undefined ? [i] : []));
    if (lacking.length === 0) return [];
    const whole = `${lacking.length} of ${counted(inputs.prompts.length, 'prompt')}`;
    return [
      new Refusal(
        'missing-input',
        `This rule needs ${WORDS[need]}; the run did not record it for ${whole}.`,
        lacking,
      ),
    ];
  });
}
