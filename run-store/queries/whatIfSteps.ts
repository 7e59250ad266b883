import type { PromptInput } from '../../methods/allocation/inputs';
import type { WhatIfPrompt, WhatIfStep } from '../../methods/whatIf/inputs';
import type { Incarnation } from '../incarnation';
import { DISCARDED, FINISHED, KILLED } from '../ledger/categories';
import { launchedOf } from '../ledger/groupJudgement';
import type { RunStore } from '../runStore';
import type { Step } from '../step';
import { NONE } from '../tables/chunks';
import { GROUP_CLOSED } from '../tables/groupTable';
import { resultsBefore, type ResultsBefore } from './resultsBefore';
import {
  failureRateBefore,
  historiesBefore,
  isGraded,
  meanTokens,
  NEVER_SAMPLED,
  outcomesOf,
  RecordedDecisions,
  type PromptHistory,
  type RecordedInputs,
} from './whatIfRecord';

/** Recorded steps as other methods could have met them, and what is to be said of where their numbers come from. */
export interface WhatIfRecord {
  readonly steps: readonly WhatIfStep[];
  /** The run's own method and parameters in the last step; null: no decision says. */
  readonly method: string | null;
  readonly parameters: Readonly<Record<string, number | string | boolean | null>>;
  /** Pass rates, counted a prompt and step: from the decision on record, from statistics before the step, none. */
  readonly rates: { readonly decision: number; readonly statistics: number; readonly none: number };
  /** Recorded outcomes, rollouts; and rollouts whose order is not held any more. */
  readonly outcomes: number;
  readonly unordered: number;
  /** Prompts without an ended rollout in the step: their earlier mean stands, else that of the step or the run. */
  readonly withoutLength: number;
  /** Reward from which on a rollout counts as a success, if a reward is neither 0 nor 1; else null. */
  readonly threshold: number | null;
  /** Steps that still run. */
  readonly open: number;
}

/** The newest `count` steps up to `last` (null: the newest), oldest first; null: there is none with a prompt. */
export function whatIfRecord(store: RunStore, last: number | null, count: number): WhatIfRecord | null {
  const shown = store.findStep(last);
  if (!shown) return null;
  const found = store
    .steps()
    .filter(({ step }) => step.known && step.number <= shown.step.number && step.firstGroup !== NONE)
    .slice(-Math.max(1, count));
  if (found.length === 0) return null;
  const notes = new Notes();
  const steps = found.map(({ incarnation, step }) => new StepReader(store, incarnation, step, notes).read());
  return { steps, ...notes.said() };
}

/** Counts of what the record had and had not. */
class Notes {
  method: string | null = null;
  parameters: RecordedInputs['parameters'] = {};
  readonly rates = { decision: 0, statistics: 0, none: 0 };
  outcomes = 0;
  unordered = 0;
  withoutLength = 0;
  threshold: number | null = null;
  open = 0;

  said(): Omit<WhatIfRecord, 'steps'> {
    const { method, parameters, rates, outcomes, unordered, withoutLength, threshold, open } = this;
    return { method, parameters, rates, outcomes, unordered, withoutLength, threshold, open };
  }
}

/** Mean tokens of the ended rollouts of some steps; 0: none has ended. */
function meanOf(steps: readonly Step[]): number {
  let ended = 0;
  let tokens = 0;
  for (const { totals } of steps) {
    ended += totals.counts[FINISHED]! + totals.counts[DISCARDED]! + totals.counts[KILLED]!;
    tokens += totals.tokens;
  }
  return ended > 0 ? tokens / ended : 0;
}

class StepReader {
  private readonly decisions: RecordedDecisions;
  private readonly before: ResultsBefore;

  constructor(
    private readonly store: RunStore,
    private readonly incarnation: Incarnation,
    private readonly step: Step,
    private readonly notes: Notes,
  ) {
    this.decisions = new RecordedDecisions(incarnation);
    this.before = resultsBefore(store, step.number);
  }

  read(): WhatIfStep {
    const { incarnation, step, notes, store } = this;
    const byPrompt = this.groupsByPrompt();
    const wanted = new Uint8Array(store.prompts.count);
    for (const prompt of byPrompt.keys()) wanted[prompt] = 1;
    const history = historiesBefore(store, step.number, wanted);
    const mean = meanOf([step]) || meanOf(store.steps().map((one) => one.step));
    const failureRates: number[] = [];
    const prompts = [...byPrompt].map(([prompt, groups]): WhatIfPrompt => {
      const decision = this.decisionOf(groups);
      if (decision !== null) {
        if (decision.failureRate !== null) failureRates.push(decision.failureRate);
        if (decision.method === step.allocationMethod) {
          notes.method = decision.method;
          notes.parameters = decision.parameters;
        }
      }
      return this.prompt(prompt, groups, decision, history.get(prompt) ?? NEVER_SAMPLED, mean);
    });
    if (step.isOpen && !incarnation.isOver) notes.open++;
    notes.method ??= step.allocationMethod;
    const failed = failureRates[0] ?? failureRateBefore(store, step.number);
    return {
      number: step.number,
      prompts,
      inputs: {
        ...(failed === undefined ? {} : { failureRate: failed }),
        ...(step.pass >= 0 ? { epoch: step.pass } : {}),
        ...(step.number >= 1 ? { step: step.number } : {}),
      },
    };
  }

  /** Groups of each prompt, in the order in which the step opened them. */
  private groupsByPrompt(): Map<number, number[]> {
    const { groups } = this.incarnation;
    const found = new Map<number, number[]>();
    for (let g = this.step.firstGroup; g !== NONE; g = groups.nextInStep[g]!) {
      const prompt = groups.prompt[g]!;
      const list = found.get(prompt);
      if (list) list.push(g);
      else found.set(prompt, [g]);
    }
    return found;
  }

  private decisionOf(groups: readonly number[]): RecordedInputs | null {
    for (const g of groups) {
      const decision = this.decisions.of(this.incarnation.groups.decision[g]!);
      if (decision !== null) return decision;
    }
    return null;
  }

  private prompt(
    prompt: number,
    groups: readonly number[],
    decision: RecordedInputs | null,
    history: PromptHistory,
    stepMean: number,
  ): WhatIfPrompt {
    const { incarnation, notes, store } = this;
    const id = store.prompts.ids[prompt]!;
    const recorded: number[] = [];
    const tokens: number[] = [];
    let asRun = 0;
    let lengths = 0;
    let ended = 0;
    for (const g of groups) {
      const outcomes = outcomesOf(incarnation, g);
      recorded.push(...outcomes.successes);
      tokens.push(...outcomes.tokens);
      if (!outcomes.inOrder) notes.unordered += outcomes.successes.length;
      if (isGraded(incarnation, g)) notes.threshold = incarnation.start.successThreshold;
      const mean = meanTokens(incarnation, g);
      if (mean !== null) {
        lengths += mean;
        ended++;
      }
      const launched = launchedOf(incarnation.groups, g);
      const isClosed = (incarnation.groups.flags[g]! & GROUP_CLOSED) !== 0;
      asRun += isClosed ? launched : Math.max(launched, incarnation.groups.planned[g]!);
    }
    notes.outcomes += recorded.length;
    if (ended === 0) notes.withoutLength++;
    const right = recorded.reduce((sum, one) => sum + one, 0);
    const n = this.before.n[prompt]!;
    const c = this.before.c[prompt]!;
    return {
      input: this.input(prompt, id, decision, history),
      recorded: Uint8Array.from(recorded),
      tokens: Int32Array.from(tokens),
      posterior: { a: 1 + c + right, b: 1 + (n - c) + (recorded.length - right) },
      asRun,
      meanTokens: ended > 0 ? lengths / ended : history.ended > 0 ? history.tokens / history.ended : stepMean,
    };
  }

  /** As the decision on record had it; what it does not speak of comes from statistics before the step. */
  private input(
    prompt: number,
    id: string,
    decision: RecordedInputs | null,
    history: PromptHistory,
  ): PromptInput {
    const { rates } = this.notes;
    const { prompts } = this.store;
    const n = this.before.n[prompt]!;
    const c = this.before.c[prompt]!;
    const recorded = decision?.passRate(id);
    const passRate = recorded === undefined ? (n > 0 ? { value: c / n, samples: n } : null) : recorded;
    if (passRate === null) rates.none++;
    else if (recorded === undefined) rates.statistics++;
    else rates.decision++;
    const { domain } = prompts.facts[prompt]!;
    return {
      id,
      history: history.groups,
      ...(history.tokens > 0 ? { meanTokens: history.tokens / history.ended } : {}),
      ...(passRate === null ? {} : { passRate }),
      ...(domain === null ? {} : { domain }),
    };
  }
}
