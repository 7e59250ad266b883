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
}

export interface PromptInput {
  readonly id: string;
  readonly passRate?: PassRate;
  /** Earlier groups of the prompt, oldest first; empty if it was never sampled, absent if that is not recorded. */
  readonly history?: readonly PastGroup[];
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
  /** What the method carried over from its last step; absent in the first. */
  readonly memory?: Memory;
}

/** Ended rollouts of one prompt, in launch order: one entry a rollout in every column. */
export interface FinishedRollouts {
  /** Total rewards as published. */
  readonly rewards: readonly number[];
  /** Whether each succeeded; empty where the job does not say. */
  readonly successes: readonly boolean[];
}

export const NONE_FINISHED: FinishedRollouts = { rewards: [], successes: [] };

/** Rollouts of a prompt that ended since the last call. */
export interface PromptOutcome extends FinishedRollouts {
  /** Index into `AllocationInputs.prompts`. */
  readonly prompt: number;
}

/** Appends an outcome. Throws a Refusal unless every reward is finite and every rollout or none has a success flag. */
export function withFinished(
  before: FinishedRollouts,
  { prompt, rewards, successes }: PromptOutcome,
): FinishedRollouts {
  const bad = rewards.find((reward) => !Number.isFinite(reward));
  if (bad !== undefined) {
    throw new Refusal(
      'bad-reward',
      `A reward of ${bad} cannot be counted; leave the rollout out or give a number.`,
      [prompt],
    );
  }
  const flagged = before.successes.length + successes.length;
  if (flagged !== 0 && flagged !== before.rewards.length + rewards.length) {
    throw new Refusal(
      'bad-outcome',
      `Only ${flagged} rollouts of prompt ${prompt} say whether they succeeded.`,
      [prompt],
    );
  }
  return { rewards: [...before.rewards, ...rewards], successes: [...before.successes, ...successes] };
}

export function meanReward({ rewards }: FinishedRollouts): number {
  return rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
}

/** What a rule may need of the record. */
export type AllocationInput = 'passRate' | 'history' | 'failureRate' | 'rewards';

const WORDS: Readonly<Record<AllocationInput, string>> = {
  passRate: 'a pass rate from before the step',
  history: 'the earlier groups',
  failureRate: 'the moving average of the failure rate',
  rewards: 'the rewards of the step as they come in',
};

/** In words, for "needs …". */
export function inputInWords(input: AllocationInput): string {
  return WORDS[input];
}

/**
 * One Refusal for each needed input that the record lacks, with the prompts that lack it. 'rewards' comes in with
 * `next` and is never missing at the start.
 */
export function missingInputs(needs: readonly AllocationInput[], inputs: AllocationInputs): Refusal[] {
  const result: Refusal[] = [];
  for (const need of needs) {
    if (need === 'failureRate') {
      if (inputs.failureRate === undefined) {
        result.push(
          new Refusal('missing-input', `This rule needs ${WORDS[need]}, which the run did not record.`),
        );
      }
    } else if (need !== 'rewards') {
      const lacking: number[] = [];
      inputs.prompts.forEach((prompt, i) => {
        if (prompt[need] === undefined) lacking.push(i);
      });
      if (lacking.length > 0) {
        const whole = `${lacking.length} of ${counted(inputs.prompts.length, 'prompt')}`;
        result.push(
          new Refusal(
            'missing-input',
            `This rule needs ${WORDS[need]}; the run did not record it for ${whole}.`,
            lacking,
          ),
        );
      }
    }
  }
  return result;
}

const rateProblem = ({ value, samples }: PassRate): string | undefined => {
  if (!(value >= 0 && value <= 1)) return `a pass rate of ${value}; it must lie between 0 and 1`;
  if (samples !== undefined && (!Number.isInteger(samples) || samples < 0))
    return `${samples} samples; give a whole number`;
  if (samples === 0) return 'a pass rate without any sample behind it; leave it out instead';
  return undefined;
};

const groupProblem = ({ rollouts, successes, meanReward }: PastGroup): string | undefined => {
  if (!Number.isInteger(rollouts) || rollouts < 1) return `an earlier group of ${rollouts} rollouts`;
  if (!Number.isInteger(successes) || successes < 0 || successes > rollouts) {
    return `an earlier group with ${successes} successes of ${rollouts}`;
  }
  if (!Number.isFinite(meanReward)) return `an earlier group with a mean reward of ${meanReward}`;
  return undefined;
};

/** Throws a Refusal, naming the first prompt, if an input is impossible. */
export function checkInputs({ prompts, budget, failureRate }: AllocationInputs): void {
  if (prompts.length === 0) throw new Refusal('bad-budget', 'There is no prompt to give rollouts to.');
  if (!Number.isInteger(budget) || budget < 0) {
    throw new Refusal(
      'bad-budget',
      `A budget of ${budget} rollouts cannot be handed out; give a whole number.`,
    );
  }
  if (failureRate !== undefined && !(failureRate >= 0 && failureRate <= 1)) {
    throw new Refusal(
      'bad-rate',
      `A failure rate of ${failureRate} does not exist: it lies between 0 and 1.`,
    );
  }
  prompts.forEach(({ id, passRate, history }, i) => {
    let why = passRate === undefined ? undefined : rateProblem(passRate);
    for (const group of history ?? []) why ??= groupProblem(group);
    if (why !== undefined) throw new Refusal('bad-rate', `Prompt ${id} has ${why}.`, [i]);
  });
}
