import { atMost } from '../tables/chunks';
import type { Cells } from './cells';
import { EventApplier, type ApplyContext } from './eventApplier';

/**
 * The job's own state. A repeat of the same state keeps the moment at which it began. When the job says that it has
 * ended, nothing of it runs any more.
 */
export class RunStateChanged extends EventApplier<'runState'> {
  private cells: Cells<'runState'> | null = null;

  constructor(context: ApplyContext) {
    super('runState', context);
  }

  protected take(cells: Cells<'runState'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation, ledger } = this.context;
    const cells = this.cells!;
    const before = incarnation.runState;
    const state = incarnation.text(cells.ints('state')[e]!);
    const mode = incarnation.textOrNull(cells.ints('mode')[e]!);
    const held = cells.ints('heldPrompts')[e]!;
    incarnation.runState = {
      state,
      mode,
      by: incarnation.textOrNull(cells.ints('by')[e]!),
      reason: cells.values('reason')[e] ?? null,
      heldPrompts: held >= 0 ? held : null,
      t: before?.state === state && before.mode === mode ? before.t : cells.t[e]!,
    };
    incarnation.isOver = state === 'ended' || state === 'failed';
    if (incarnation.isOver) ledger.abortRunning(state);
  }
}

export class StepOpened extends EventApplier<'stepOpened'> {
  private cells: Cells<'stepOpened'> | null = null;

  constructor(context: ApplyContext) {
    super('stepOpened', context);
  }

  protected take(cells: Cells<'stepOpened'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const cells = this.cells!;
    const t = cells.t[e]!;
    const step = incarnation.step(cells.ints('step')[e]!);
    if (step.known) {
      incarnation.disorder.note('openedTwice', t, () => `Step ${step.number}.`);
      return;
    }
    step.known = true;
    step.openedAt = t;
    step.policyVersion = cells.ints('policyVersion')[e]!;
    step.announced = cells.ints('planned')[e]!;
    step.pass = cells.ints('pass')[e]!;
    incarnation.policyVersion = step.policyVersion;
    incarnation.sawVersion(step.policyVersion, t);
    incarnation.current = step;
  }
}

export class StepPhase extends EventApplier<'stepPhase'> {
  private cells: Cells<'stepPhase'> | null = null;

  constructor(context: ApplyContext) {
    super('stepPhase', context);
  }

  protected take(cells: Cells<'stepPhase'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const cells = this.cells!;
    const step = incarnation.step(cells.ints('step')[e]!);
    step.phase = incarnation.text(cells.ints('phase')[e]!);
    step.phases.push({ at: cells.t[e]!, phase: step.phase });
  }
}

/** The step's updates are done; what still runs of it was carried over. */
export class StepClosed extends EventApplier<'stepClosed'> {
  private cells: Cells<'stepClosed'> | null = null;

  constructor(context: ApplyContext) {
    super('stepClosed', context);
  }

  protected take(cells: Cells<'stepClosed'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation, ledger } = this.context;
    const cells = this.cells!;
    const t = cells.t[e]!;
    const step = incarnation.step(cells.ints('step')[e]!);
    if (step.isClosed) {
      incarnation.disorder.note('closedTwice', t, () => `Step ${step.number}.`);
    }
    step.isClosed = true;
    step.closedAt = t;
    step.policyAfter = cells.ints('policyVersion')[e]!;
    step.seconds = cells.numbers('seconds')[e]!;
    step.tokens = cells.ints('tokens')[e]!;
    step.updates = cells.ints('updates')[e]!;
    incarnation.policyVersion = step.policyAfter;
    incarnation.sawVersion(step.policyAfter, t);
    ledger.refileRunning(step.firstGroup, () => undefined);
  }
}

/** A number of a step; one without a step belongs to the one that runs. The last value counts. */
export class Metric extends EventApplier<'metric'> {
  private cells: Cells<'metric'> | null = null;

  constructor(context: ApplyContext) {
    super('metric', context);
  }

  protected take(cells: Cells<'metric'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const cells = this.cells!;
    const number = cells.ints('step')[e]!;
    const step = number >= 0 ? incarnation.step(number) : incarnation.current;
    if (!step) return;
    const name = incarnation.text(cells.ints('name')[e]!);
    const value = cells.numbers('value')[e]!;
    const worker = cells.ints('worker')[e]!;
    if (worker < 0) {
      step.metrics.set(name, value);
      return;
    }
    const byWorker = step.workerMetrics.get(name) ?? new Map<number, number>();
    byWorker.set(incarnation.codes.get(worker, 0), value);
    step.workerMetrics.set(name, byWorker);
  }
}

/** Results on a set of problems, outside training. */
export class Evaluation extends EventApplier<'evaluation'> {
  private cells: Cells<'evaluation'> | null = null;

  constructor(context: ApplyContext) {
    super('evaluation', context);
  }

  protected take(cells: Cells<'evaluation'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const cells = this.cells!;
    const problems = cells.values('problems')[e];
    const id = incarnation.text(cells.ints('evaluation')[e]!);
    if (!problems) return;
    const size = Math.min(problems.prompts.length, problems.n.length, problems.c.length);
    const prompts = new Int32Array(size);
    const n = new Int32Array(size);
    const c = new Int32Array(size);
    let impossible = Math.max(problems.prompts.length, problems.n.length, problems.c.length) - size;
    for (let i = 0; i < size; i++) {
      prompts[i] = incarnation.prompts.row(problems.prompts[i]!);
      n[i] = atMost(problems.n[i]!);
      c[i] = Math.min(problems.c[i]!, n[i]!);
      if (problems.c[i]! > n[i]!) impossible += 1;
    }
    if (impossible > 0) {
      incarnation.disorder.note(
        'countMismatch',
        cells.t[e]!,
        () =>
          `Evaluation ${id} has ${impossible} problems without both counts, or with more successes than rollouts.`,
      );
    }
    const record = {
      id,
      name: incarnation.text(cells.ints('name')[e]!),
      step: cells.ints('step')[e]!,
      policyVersion: cells.ints('policyVersion')[e]!,
      sampling: cells.values('sampling')[e] ?? {},
      prompts,
      n,
      c,
      t: cells.t[e]!,
    };
    const at = incarnation.evaluations.findIndex((known) => known.id === id);
    if (at >= 0) incarnation.evaluations[at] = record;
    else incarnation.evaluations.push(record);
  }
}
