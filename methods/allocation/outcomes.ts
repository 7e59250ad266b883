import { Refusal } from '../refusal';
import { OUTCOME_FIELDS } from './inputs';
import type { OutcomeField } from './inputs';

/**
 * complete: ended by itself, with a reward that counts. aborted: ended from outside. time-exceeded: cut at a limit of
 * time or turns.
 */
export type RolloutEnding = 'complete' | 'aborted' | 'time-exceeded';

/**
 * Ended rollouts of one prompt, in launch order: one entry a rollout in `rewards` and in every column that is not empty.
 * A rule is given `rewards` and the columns that it names in `needs` or `uses`.
 */
export interface FinishedRollouts {
  /** Total rewards as published. */
  readonly rewards: readonly number[];
  /** Whether each succeeded; empty where the job does not say, as for all that follows. */
  readonly successes: readonly boolean[];
  /** Final answers; equal texts are the same answer. */
  readonly answers: readonly string[];
  /** Generated tokens. */
  readonly tokens: readonly number[];
  readonly endings: readonly RolloutEnding[];
  /** Value that a model predicted for the rollout. */
  readonly predictions: readonly number[];
}

export const NONE_FINISHED: FinishedRollouts = {
  rewards: [],
  successes: [],
  answers: [],
  tokens: [],
  endings: [],
  predictions: [],
};

type Column = Exclude<OutcomeField, 'rewards' | 'successes'>;
const COLUMNS = [
  'successes',
  'answers',
  'tokens',
  'endings',
  'predictions',
] as const satisfies readonly OutcomeField[];

/** Rollouts of a prompt that ended since the last call. */
export interface PromptOutcome
  extends Pick<FinishedRollouts, 'rewards' | 'successes'>, Partial<Pick<FinishedRollouts, Column>> {
  /** Index into `AllocationInputs.prompts`. */
  readonly prompt: number;
}

const problemOf = (name: OutcomeField, filled: number, all: number, prompt: number): Refusal =>
  new Refusal(
    'bad-outcome',
    `Only ${filled} of ${all} rollouts of prompt ${prompt} say ${OUTCOME_FIELDS[name]}.`,
    [prompt],
  );

/** Throws a Refusal unless every number of the outcome is finite and each column has an entry for every rollout or none. */
export function checkOutcome(outcome: PromptOutcome): void {
  const { prompt, rewards } = outcome;
  for (const [name, values, least] of [
    ['reward', rewards, -Infinity],
    ['prediction', outcome.predictions ?? [], -Infinity],
    ['token count', outcome.tokens ?? [], 0],
  ] as const) {
    const bad = values.find((value) => !(Number.isFinite(value) && value >= least));
    if (bad !== undefined) {
      throw new Refusal(
        'bad-reward',
        `A ${name} of ${bad} cannot be counted; leave the rollout out or give a number.`,
        [prompt],
      );
    }
  }
  for (const name of COLUMNS) {
    const filled = outcome[name]?.length ?? 0;
    if (filled !== 0 && filled !== rewards.length) throw problemOf(name, filled, rewards.length, prompt);
  }
}

/**
 * Appends a checked outcome: the rewards, and of the other columns those in `kept`. Throws a Refusal where one of these
 * would be filled for a part of the rollouts only.
 */
export function withFinished(
  before: FinishedRollouts,
  outcome: PromptOutcome,
  kept: readonly OutcomeField[],
): FinishedRollouts {
  const rewards = [...before.rewards, ...outcome.rewards];
  const column = <T>(name: OutcomeField, old: readonly T[], added: readonly T[] = []): readonly T[] => {
    if (!kept.includes(name) || (old.length === 0 && added.length === 0)) return old;
    const filled = old.length + added.length;
    if (filled !== rewards.length) throw problemOf(name, filled, rewards.length, outcome.prompt);
    return added.length === 0 ? old : [...old, ...added];
  };
  return {
    rewards,
    successes: column('successes', before.successes, outcome.successes),
    answers: column('answers', before.answers, outcome.answers),
    tokens: column('tokens', before.tokens, outcome.tokens),
    endings: column('endings', before.endings, outcome.endings),
    predictions: column('predictions', before.predictions, outcome.predictions),
  };
}

export function meanReward({ rewards }: Pick<FinishedRollouts, 'rewards'>): number {
  return rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
}

/** Throws a Refusal if rollouts ended without what the rule needs to know of each. */
export function checkOutcomes(needs: readonly OutcomeField[], finished: readonly FinishedRollouts[]): void {
  for (const need of needs) {
    const lacking = finished.flatMap((ended, prompt) =>
      ended[need].length === ended.rewards.length ? [] : [prompt],
    );
    if (lacking.length > 0) {
      throw new Refusal(
        'missing-input',
        `This rule needs ${OUTCOME_FIELDS[need]}; the run did not record it for the rollouts of ` +
          `${lacking.length} of ${finished.length} prompts.`,
        lacking,
      );
    }
  }
}
