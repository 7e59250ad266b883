import type { MethodDescription } from '../method';
import { resolveParameters } from '../parameters';
import type { Parameters } from '../parameters';
import { Rng } from '../random';
import type { RngState } from '../random';
import { Refusal } from '../refusal';
import { checkInputs } from './checkInputs';
import { isOutcomeField, missingInputs } from './inputs';
import type { AllocationInput, AllocationInputs, Memory, OutcomeField } from './inputs';
import { checkOutcome, checkOutcomes, NONE_FINISHED, withFinished } from './outcomes';
import type { FinishedRollouts, PromptOutcome } from './outcomes';

/** What a rule decides on, and when. */
export const ALLOCATION_FAMILIES = {
  uniform: 'The same for every prompt.',
  schedule:
    'Fixed by the number of the step or of the pass over the data, the same for all prompts of a kind.',
  'by-difficulty': 'To each prompt by its own difficulty, without comparing gains.',
  'water-filling': 'One rollout after the other to the greatest gain, down to a common price.',
  'second-stage': 'More to some prompts after a first group of them.',
  skip: 'Leaves prompts out before they cost anything.',
  drop: 'Leaves finished groups out of training, and may sample others for them.',
  stop: 'Ends rollouts or sampling early.',
  replace: 'Trains on rollouts of an earlier step or of another model in place of new ones.',
  bounds: 'Limits the tokens or turns of a rollout.',
  search: 'Shares continuations among partial solutions.',
  baseline: 'Few rollouts, whose rewards are compared with a predicted value.',
} as const satisfies Readonly<Record<string, string>>;
export type AllocationFamily = keyof typeof ALLOCATION_FAMILIES;

/**
 * launch: start `count` new rollouts from the prompt. fork: start `count` continuations inside its rollouts.
 * skip: the prompt is not sampled in this step. stop: nothing more is sampled of it, and what still runs is ended.
 * drop: `count` of its finished rollouts stay out of training. replay: `count` rollouts of its earlier group `from`
 * are trained on again. substitute: the whole group of its `from` takes the place of its own. baseline: advantages of
 * `count` finished rollouts are taken against `values`. penalty: `values` are added to the rewards of `count` of them.
 */
export type AllocationAction =
  'launch' | 'fork' | 'skip' | 'stop' | 'drop' | 'replay' | 'substitute' | 'baseline' | 'penalty';

/** How the rollouts of a launch or fork differ from the run's own settings; what is absent does not. */
export interface RolloutSettings {
  readonly temperature?: number;
  /** Most generated tokens, and most turns. */
  readonly maxTokens?: number;
  readonly maxTurns?: number;
  /** Length that the prompt itself asks for, tokens. */
  readonly askedTokens?: number;
  /** Model that samples them; absent: the one that learns. */
  readonly model?: 'small' | 'partner';
  /** Solved examples put into the context. */
  readonly examples?: number;
}

/** Numbers a reason was made from, by name; a probability, gain or price in its own unit, counts in rollouts. */
export type DecisionNumbers = Readonly<Record<string, number>>;

export interface AllocationRequest {
  /** Index into `inputs.prompts`. */
  readonly prompt: number;
  readonly action: AllocationAction;
  /** Rollouts; 0 for 'skip' and 'stop', and for a 'launch' or 'fork' that the rule decided against, with its reason. */
  readonly count: number;
  /** A prompt may have several launches in one answer, if their settings differ. */
  readonly settings?: RolloutSettings;
  /** Which finished rollouts, by place in launch order; absent: all of the prompt so far. */
  readonly rollouts?: readonly number[];
  /** One number a rollout of this request, in its order. */
  readonly values?: readonly number[];
  /** For 'replay' the step of the earlier group, for 'substitute' the model or store that it comes from. */
  readonly from?: number | 'partner' | 'replay-buffer';
  /** Stable within a method. */
  readonly reasonCode: string;
  /** One sentence with the numbers put into the rule. */
  readonly reason: string;
  readonly numbers: DecisionNumbers;
}

/** An allocation under way, as JSON: it can be stored, sent and continued elsewhere. */
export interface AllocationState {
  readonly method: string;
  readonly parameters: Parameters;
  readonly inputs: AllocationInputs;
  /** Answers given so far by `next`. */
  readonly round: number;
  readonly done: boolean;
  readonly rng: RngState;
  /** Rollouts that ended in this step, a prompt an entry. */
  readonly finished: readonly FinishedRollouts[];
  /** Rollouts asked for so far (launch and fork), a prompt a number. */
  readonly asked: readonly number[];
  /** What the rule keeps for its next round. */
  readonly memory: Memory;
}

export interface AllocationAnswer {
  readonly state: AllocationState;
  readonly requests: readonly AllocationRequest[];
  /** Nothing more will come: the next `next` would throw. */
  readonly done: boolean;
  /** Numbers that hold for all requests of this answer: total, bounds, price. */
  readonly shared: DecisionNumbers;
  /** One sentence on the whole answer where a person must know more than the requests say. */
  readonly remark: string | undefined;
  /** What to hand to the next step's `inputs.memory`; only with `done`, and only from rules that learn over steps. */
  readonly carry: Memory | undefined;
}

/** What a rule sees when it decides: a round is one call of `next`, counted from 0. */
export interface RoundView {
  readonly inputs: AllocationInputs;
  readonly parameters: Parameters;
  readonly round: number;
  readonly finished: readonly FinishedRollouts[];
  readonly asked: readonly number[];
  readonly memory: Memory;
  readonly rng: Rng;
}

export interface RoundDecision {
  readonly requests: readonly AllocationRequest[];
  readonly done: boolean;
  readonly shared?: DecisionNumbers;
  readonly remark?: string;
  readonly memory?: Memory;
  readonly carry?: Memory;
}

/**
 * The gain of one more rollout, for rules that hand out by gains that fall with the count, down to a common price. It
 * is worked out from the numbers that a decision has recorded, so that pictures need not know the rule.
 */
export interface MarginalGain {
  /** As people write it, for n rollouts so far. */
  readonly formula: string;
  /** Gain at `count` rollouts so far; undefined where the numbers do not tell. */
  readonly gain: (numbers: DecisionNumbers, count: number) => number | undefined;
  /** The formula at `count` with the numbers put in, without its result. */
  readonly filledIn: (numbers: DecisionNumbers, count: number) => string;
}

export interface AllocationRule extends MethodDescription {
  readonly family: AllocationFamily;
  /** Only where one rollout after the other goes to the greatest gain. */
  readonly marginalGain?: MarginalGain;
  /** The rule hands out exactly `inputs.budget` rollouts whenever it answers. */
  readonly keepsTotal: boolean;
  /** What must be recorded for every prompt, or the rule refuses. */
  readonly needs: readonly AllocationInput[];
  /** What the rule takes where it is recorded; it says itself what it does without. */
  readonly uses: readonly AllocationInput[];
  /** Whether the counts are the best possible ones by the rule's own objective; absent: it has none. */
  readonly optimal?: boolean;
  /** What a person should know before trusting the numbers, a sentence each: parts left out, readings chosen. */
  readonly caveats?: readonly string[];
  readonly decide: (view: RoundView) => RoundDecision;
}

export interface AllocationMethod extends Omit<AllocationRule, 'decide'> {
  /**
   * Begins a step. Throws a Refusal, with the prompts it is about, if an input is missing or impossible, or a
   * parameter is out of range; nothing is launched before the first `next`.
   */
  start(inputs: AllocationInputs, rng: Rng, parameters?: Parameters): AllocationState;
  /**
   * The next requests, given what has finished since the last call (nothing before the first). Pure: the same state
   * and outcomes give the same answer. Throws a Refusal after `done`, for outcomes of unknown prompts or rewards that
   * are no numbers, and where the rule itself has no answer.
   */
  next(state: AllocationState, outcomes: readonly PromptOutcome[]): AllocationAnswer;
}

/** Makes a method of a rule: adds the bookkeeping that all of them share. */
export function allocationMethod(rule: AllocationRule): AllocationMethod {
  const { decide, ...description } = rule;
  const outcomeNeeds = rule.needs.filter(isOutcomeField);
  const kept = [...outcomeNeeds, ...rule.uses.filter(isOutcomeField)];
  return {
    ...description,
    start(inputs, rng, parameters) {
      checkInputs(inputs);
      const resolved = resolveParameters(rule.parameters, parameters);
      const [missing] = missingInputs(rule.needs, inputs);
      if (missing !== undefined) throw missing;
      return {
        method: rule.id,
        parameters: resolved,
        inputs,
        round: 0,
        done: false,
        rng: rng.save(),
        finished: inputs.prompts.map(() => NONE_FINISHED),
        asked: inputs.prompts.map(() => 0),
        memory: inputs.memory ?? {},
      };
    },
    next(state, outcomes) {
      if (state.method !== rule.id) {
        throw new Refusal(
          'bad-outcome',
          `This allocation was started by ${state.method}; ${rule.id} cannot go on with it.`,
        );
      }
      if (state.done)
        throw new Refusal('ended', `${rule.title} has already given its last answer for this step.`);
      const rng = Rng.restore(state.rng);
      const finished = withOutcomes(state.finished, outcomes, kept);
      checkOutcomes(outcomeNeeds, finished);
      const decision = decide({ ...state, finished, rng });
      const asked = [...state.asked];
      for (const { prompt, action, count } of decision.requests) {
        if (action === 'launch' || action === 'fork') asked[prompt]! += count;
      }
      return {
        state: {
          ...state,
          round: state.round + 1,
          done: decision.done,
          rng: rng.save(),
          finished,
          asked,
          memory: decision.memory ?? state.memory,
        },
        requests: decision.requests,
        done: decision.done,
        shared: decision.shared ?? {},
        remark: decision.remark,
        carry: decision.done ? decision.carry : undefined,
      };
    },
  };
}

function withOutcomes(
  finished: readonly FinishedRollouts[],
  outcomes: readonly PromptOutcome[],
  kept: readonly OutcomeField[],
): readonly FinishedRollouts[] {
  if (outcomes.length === 0) return finished;
  const result = [...finished];
  for (const outcome of outcomes) {
    const before = result[outcome.prompt];
    if (before === undefined) {
      throw new Refusal(
        'bad-outcome',
        `An outcome names prompt ${outcome.prompt}; this step has ${finished.length} prompts, counted from 0.`,
        [outcome.prompt],
      );
    }
    checkOutcome(outcome);
    result[outcome.prompt] = withFinished(before, outcome, kept);
  }
  return result;
}
