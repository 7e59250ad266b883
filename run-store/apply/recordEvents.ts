import { NONE } from '../tables/chunks';
import type { Cells } from './cells';
import { EventApplier, type ApplyContext } from './eventApplier';

/** A recorded choice. */
export class DecisionMade extends EventApplier<'decision'> {
  private cells: Cells<'decision'> | null = null;

  constructor(context: ApplyContext) {
    super('decision', context);
  }

  protected take(cells: Cells<'decision'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const cells = this.cells!;
    const handle = cells.ints('decision')[e]!;
    const number = cells.ints('step')[e]!;
    const body = cells.values('body')[e];
    const record = {
      handle,
      kind: incarnation.text(cells.ints('kind')[e]!),
      method: incarnation.text(cells.ints('method')[e]!),
      step: number >= 0 ? number : null,
      command: incarnation.textOrNull(cells.ints('command')[e]!),
      sentence: cells.values('sentence')[e] ?? '',
      body: JSON.stringify(body ?? {}),
      subjects: body?.subjects.ids.length ?? 0,
      t: cells.t[e]!,
    };
    // What a person pinned is an exception to the step's method, not another method.
    if (record.kind === 'allocate' && number >= 0 && record.command === null) {
      incarnation.step(number).allocationMethod = record.method;
    }
    const known = incarnation.decisionRows.get(handle);
    if (known === NONE) {
      incarnation.decisionRows.set(handle, incarnation.decisions.length);
      incarnation.decisions.push(record);
    } else {
      incarnation.decisions[known] = record;
      incarnation.disorder.note('openedTwice', record.t, () => `Decision ${incarnation.text(handle)}.`);
    }
  }
}

/** The life of a steering request: its newest state, from the moment of its first. */
export class Steering extends EventApplier<'steering'> {
  private cells: Cells<'steering'> | null = null;

  constructor(context: ApplyContext) {
    super('steering', context);
  }

  protected take(cells: Cells<'steering'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const cells = this.cells!;
    const command = incarnation.text(cells.ints('command')[e]!);
    const before = incarnation.steering.get(command);
    const step = (name: 'fromStep' | 'untilStep'): number | null => {
      const value = cells.ints(name)[e]!;
      return value >= 0 ? value : (before?.[name] ?? null);
    };
    incarnation.steering.set(command, {
      command,
      action: incarnation.text(cells.ints('action')[e]!),
      state: incarnation.text(cells.ints('state')[e]!),
      author: incarnation.text(cells.ints('author')[e]!),
      connection: incarnation.text(cells.ints('connection')[e]!),
      scope: incarnation.text(cells.ints('scope')[e]!),
      sentence: cells.values('sentence')[e] ?? '',
      reason: cells.values('reason')[e] ?? before?.reason ?? null,
      subjects: cells.values('subjects')[e] ?? before?.subjects ?? [],
      before: cells.values('before')[e] ?? before?.before ?? null,
      after: cells.values('after')[e] ?? before?.after ?? null,
      undoes: incarnation.textOrNull(cells.ints('undoes')[e]!) ?? before?.undoes ?? null,
      fromStep: step('fromStep'),
      untilStep: step('untilStep'),
      t: before?.t ?? cells.t[e]!,
      step: before ? before.step : (incarnation.current?.number ?? null),
    });
  }
}

export class Breakpoint extends EventApplier<'breakpoint'> {
  private cells: Cells<'breakpoint'> | null = null;

  constructor(context: ApplyContext) {
    super('breakpoint', context);
  }

  protected take(cells: Cells<'breakpoint'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const cells = this.cells!;
    const id = incarnation.text(cells.ints('breakpoint')[e]!);
    const state = incarnation.text(cells.ints('state')[e]!);
    if (state === 'removed') {
      incarnation.breakpoints.delete(id);
      return;
    }
    const sentence = cells.values('sentence')[e] ?? '';
    incarnation.breakpoints.set(id, { id, state, hits: cells.ints('hits')[e]!, sentence });
  }
}

/** The job's own finding: kept while it is open. */
export class Finding extends EventApplier<'finding'> {
  private cells: Cells<'finding'> | null = null;

  constructor(context: ApplyContext) {
    super('finding', context);
  }

  protected take(cells: Cells<'finding'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const cells = this.cells!;
    const id = incarnation.text(cells.ints('finding')[e]!);
    const body = cells.values('body')[e];
    if (cells.ints('open')[e] !== 1 || !body) {
      incarnation.findings.delete(id);
      return;
    }
    const number = cells.ints('step')[e]!;
    const before = incarnation.findings.get(id);
    const step = number >= 0 ? number : (incarnation.current?.number ?? null);
    incarnation.findings.set(id, { id, step: before?.step ?? step, t: before?.t ?? cells.t[e]!, body });
  }
}

export class WorkerState extends EventApplier<'worker'> {
  private cells: Cells<'worker'> | null = null;

  constructor(context: ApplyContext) {
    super('worker', context);
  }

  protected take(cells: Cells<'worker'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const cells = this.cells!;
    const worker = incarnation.text(cells.ints('worker')[e]!);
    const before = incarnation.workers.get(worker);
    const version = cells.ints('policyVersion')[e]!;
    const clockError = cells.numbers('clockError')[e]!;
    const text = (name: 'pool' | 'host' | 'device'): string | null =>
      incarnation.textOrNull(cells.ints(name)[e]!) ?? before?.[name] ?? null;
    if (version >= 0) incarnation.sawVersion(version, cells.t[e]!);
    incarnation.workers.set(worker, {
      worker,
      pool: text('pool'),
      host: text('host'),
      device: text('device'),
      queue: cells.ints('queue')[e]!,
      running: cells.ints('running')[e]!,
      policyVersion: version >= 0 ? version : (before?.policyVersion ?? null),
      clockError: Number.isNaN(clockError) ? (before?.clockError ?? null) : clockError,
      t: cells.t[e]!,
    });
  }
}

export class Dropped extends EventApplier<'dropped'> {
  private cells: Cells<'dropped'> | null = null;

  constructor(context: ApplyContext) {
    super('dropped', context);
  }

  protected take(cells: Cells<'dropped'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    this.context.incarnation.droppedSamples += this.cells!.ints('count')[e]!;
  }
}
