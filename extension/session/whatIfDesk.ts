import { allocationMethodById } from '../../methods/allocation/methods';
import { inputInWords } from '../../methods/allocation/inputs';
import { Refusal } from '../../methods/refusal';
import { missingFor, type MissingInput } from '../../methods/whatIf/missing';
import { totalOf } from '../../methods/whatIf/inputs';
import { asRun, checkSize, promptRows, whatIf, type WhatIfResult } from '../../methods/whatIf/whatIf';
import type { WhatIfMethod, WhatIfParams, WhatIfRow, WhatIfView } from '../../protocol/panels/whatIf';
import type { EventName } from '../../protocol/wire/events';
import { whatIfRecord, type WhatIfRecord } from '../../run-store/queries/whatIfSteps';
import type { RunStore } from '../../run-store/runStore';
import { messageOf } from '../lifecycle';

/** Work at a stretch, ms: between two stretches the worker takes what the job sent. */
const SLICE_MS = 8;
/** Least time between two reports of progress, ms. */
const REPORT_MS = 250;

/** What changes the numbers of a step that runs. */
const OUTCOMES: readonly EventName[] = ['rolloutClosed', 'rolloutDiscarded'];
const PLANS: readonly EventName[] = [
  'stepOpened',
  'stepClosed',
  'groupOpened',
  'groupPlanned',
  'groupClosed',
  'decision',
];

export interface DeskClock {
  /** ms, from any start. */
  readonly now: () => number;
  /** Runs soon, after what else waits. */
  readonly soon: (run: () => void) => void;
}
const CLOCK: DeskClock = { now: () => performance.now(), soon: (run) => void setImmediate(run) };

type Answer = WhatIfResult | { readonly refused: string } | { readonly missing: readonly MissingInput[] };

/** One record that methods are asked about. */
interface Question {
  /** What it was taken from: another text asks for another record. */
  readonly key: string;
  readonly record: WhatIfRecord;
  /** Revision of the store when the record was taken. */
  readonly revision: number;
  readonly problem: string | null;
  asRun: WhatIfResult | null;
  /** By method, parameters and gaps; null: not worked out yet. */
  readonly answers: Map<string, Answer | null>;
}

const keyOf = ({ method, parameters, gaps }: WhatIfMethod): string =>
  JSON.stringify([method, parameters, gaps]);

/**
 * Works out what-ifs in the session's worker, in slices, for the one panel that asks. Answers of methods are kept while
 * the record and the setting stay; what nobody looks at stands still.
 */
export class WhatIfDesk {
  /** Rises with every progress. */
  revision = 0;
  private question: Question | null = null;
  private params: WhatIfParams | null = null;
  private work: { readonly key: string | null; readonly steps: Generator<number, WhatIfResult> } | null =
    null;
  private share = 0;
  private scheduled = false;
  private lastReport = -Infinity;

  constructor(
    private readonly store: RunStore,
    private readonly onChanged: () => void,
    private readonly clock: DeskClock = CLOCK,
  ) {}

  /** Rises whenever the view may have changed. */
  revisionOf(): number {
    return this.revision + this.store.revisionOf([...OUTCOMES, ...PLANS]);
  }

  /** The state of a what-if; begins or goes on with it. null: no step has a prompt yet. */
  view(params: WhatIfParams): WhatIfView | null {
    const key = this.recordKey(params);
    if (this.question?.key !== key) {
      this.work = null;
      this.question = key === null ? null : this.take(key, params);
    }
    const { question } = this;
    if (!question) return null;
    this.params = params;
    for (const method of params.methods) {
      const place = keyOf(method);
      if (!question.answers.has(place)) question.answers.set(place, answerAtOnce(question, method));
    }
    this.goOn();
    return this.show(question, params);
  }

  /** Nobody looks any more. */
  left(params: WhatIfParams): void {
    if (this.params && JSON.stringify(this.params) === JSON.stringify(params)) this.params = null;
  }

  /** Changes with the steps asked about, with their plans and closes, and with the setting. */
  private recordKey({ step, steps, draws, seed, again }: WhatIfParams): string | null {
    const shown = this.store.findStep(step);
    if (!shown) return null;
    const all = this.store.steps().filter((one) => one.step.number <= shown.step.number);
    const state = all
      .slice(-Math.max(1, steps))
      .map((one) => [one.step.number, one.step.isClosed, one.step.totals.groups, one.step.totals.planned]);
    return JSON.stringify([state, steps, draws, seed, again]);
  }

  private take(key: string, params: WhatIfParams): Question | null {
    const record = whatIfRecord(this.store, params.step, params.steps);
    if (!record) return null;
    const revision = this.store.revisionOf(OUTCOMES);
    let problem: string | null = null;
    try {
      checkSize(record.steps, params);
    } catch (error) {
      problem = messageOf(error);
    }
    return { key, record, revision, problem, asRun: null, answers: new Map() };
  }

  private goOn(): void {
    if (this.scheduled || !this.question || this.question.problem !== null) return;
    this.work ??= this.nextWork();
    if (!this.work) return;
    this.scheduled = true;
    this.clock.soon(() => {
      this.scheduled = false;
      this.slice();
    });
  }

  /** The run itself first, then the methods that are asked for, in their order. */
  private nextWork(): WhatIfDesk['work'] {
    const { question, params } = this;
    if (!question || !params) return null;
    this.share = 0;
    const { steps } = question.record;
    if (!question.asRun) return { key: null, steps: asRun(steps, params) };
    const next = params.methods.find((method) => question.answers.get(keyOf(method)) === null);
    if (!next) return null;
    const { parameters, gaps } = next;
    return {
      key: keyOf(next),
      steps: whatIf(steps, { method: allocationMethodById(next.method), parameters, gaps }, params),
    };
  }

  private slice(): void {
    const { work, question } = this;
    // Nobody looks: it goes on when somebody does.
    if (!work || !question || !this.params) return;
    const end = this.clock.now() + SLICE_MS;
    try {
      do {
        const { done, value } = work.steps.next();
        if (done === true) {
          this.finish(question, work.key, value);
          break;
        }
        this.share = value;
      } while (this.clock.now() < end);
    } catch (error) {
      this.finish(question, work.key, { refused: refusalOf(error) });
    }
    if (this.clock.now() - this.lastReport >= REPORT_MS) this.report();
    this.goOn();
  }

  private finish(question: Question, key: string | null, answer: Answer): void {
    this.work = null;
    if (key !== null) question.answers.set(key, answer);
    else if ('counts' in answer) question.asRun = answer;
    this.report();
  }

  private report(): void {
    this.lastReport = this.clock.now();
    this.revision++;
    this.onChanged();
  }

  private show(question: Question, params: WhatIfParams): WhatIfView {
    const { record } = question;
    const { ids, rows } = promptRows(record.steps);
    const asRunCounts = new Int32Array(ids.length);
    record.steps.forEach((step, i) =>
      step.prompts.forEach((prompt, at) => (asRunCounts[rows[i]![at]!]! += prompt.asRun)),
    );
    const answers = params.methods.map((method) => question.answers.get(keyOf(method)) ?? null);
    const done = (question.asRun ? 1 : 0) + answers.filter((answer) => answer !== null).length;
    const whole = 1 + answers.length;
    return {
      steps: record.steps.map(({ number }) => number),
      share: question.problem === null ? Math.min(1, (done + (this.work ? this.share : 0)) / whole) : 1,
      stale: record.open > 0 && this.store.revisionOf(OUTCOMES) > question.revision,
      total: totalOf(record.steps),
      draws: params.draws,
      seed: params.seed,
      prompts: ids,
      asRun: question.asRun && given(question.asRun),
      asRunCounts,
      runMethod: record.method,
      runParameters: record.parameters,
      rows: params.methods.map((method, i) => this.row(method, answers[i] ?? null)),
      rates: record.rates,
      recorded: record.outcomes,
      unordered: record.unordered,
      withoutLength: record.withoutLength,
      threshold: record.threshold,
      open: record.open,
      problem: question.problem,
    };
  }

  private row(method: WhatIfMethod, answer: Answer | null): WhatIfRow {
    if (!answer) return { ...method, state: this.work?.key === keyOf(method) ? 'running' : 'waiting' };
    if ('refused' in answer) return { ...method, state: 'refused', why: answer.refused };
    if ('missing' in answer) {
      const missing = answer.missing.map((one) => ({ ...one, input: inputInWords(one.input) }));
      return { ...method, state: 'missing', missing };
    }
    return { ...method, state: 'done', outcome: given(answer) };
  }
}

/** What is known without any draw: that there is no such method, or that it lacks an input. null: it is to be asked. */
function answerAtOnce({ record }: Question, { method, gaps }: WhatIfMethod): Answer | null {
  try {
    const missing = missingFor(allocationMethodById(method), record.steps).filter(
      ({ canBeHalf, canLeaveOut }) => !(gaps === 'half' ? canBeHalf : gaps === 'leaveOut' && canLeaveOut),
    );
    return missing.length > 0 ? { missing } : null;
  } catch (error) {
    return { refused: refusalOf(error) };
  }
}

const refusalOf = (error: unknown): string =>
  error instanceof Refusal ? error.message : `The rule gave no answer: ${messageOf(error)}.`;

/** With arrays of its own: what is shown is given away. */
const given = (result: WhatIfResult): WhatIfResult => ({ ...result, counts: result.counts.slice() });
