import { NONE, atMost } from '../tables/chunks';
import { GROUP_CLOSED, GROUP_DROPPED, GROUP_OPENED, JOB_COUNTS } from '../tables/groupTable';
import type { Cells } from './cells';
import { EventApplier, type ApplyContext } from './eventApplier';

/** A group was opened: a prompt's rollouts in a step. */
export class GroupOpened extends EventApplier<'groupOpened'> {
  private cells: Cells<'groupOpened'> | null = null;

  constructor(context: ApplyContext) {
    super('groupOpened', context);
  }

  protected take(cells: Cells<'groupOpened'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation, ledger } = this.context;
    const cells = this.cells!;
    const { groups, prompts } = incarnation;
    const id = cells.ints('group')[e]!;
    const group = incarnation.groupRow(id);
    if ((groups.flags[group]! & GROUP_OPENED) !== 0) {
      incarnation.disorder.note('openedTwice', cells.t[e]!, () => `Group ${incarnation.text(id)}.`);
      return;
    }
    ledger.leave(group);
    incarnation.openedGroups += 1;
    groups.flags[group]! |= GROUP_OPENED;
    groups.opened[group] = cells.t[e]!;
    const prompt = incarnation.promptRow(cells.ints('prompt')[e]!);
    groups.prompt[group] = prompt;
    prompts.groups[prompt]! += 1;
    prompts.n[prompt]! += groups.n[group]!;
    prompts.c[prompt]! += groups.c[group]!;
    const step = incarnation.step(cells.ints('step')[e]!);
    groups.step[group] = step.index;
    if (step.lastGroup === NONE) step.firstGroup = group;
    else groups.nextInStep[step.lastGroup] = group;
    step.lastGroup = group;
    // A plan that came before the opening is the newer one.
    if (groups.planned[group] === 0) groups.planned[group] = atMost(cells.ints('planned')[e]!);
    if (groups.decision[group] === NONE) groups.decision[group] = cells.ints('decision')[e]!;
    groups.matched[group] = cells.ints('matched')[e]!;
    groups.arm[group] = incarnation.codes.get(cells.ints('arm')[e]!, 0);
    ledger.enter(group);
    if (step.isClosed) ledger.refileRunning(group, () => undefined);
  }
}

/** The plan of an open group changed. */
export class GroupPlanned extends EventApplier<'groupPlanned'> {
  private cells: Cells<'groupPlanned'> | null = null;

  constructor(context: ApplyContext) {
    super('groupPlanned', context);
  }

  protected take(cells: Cells<'groupPlanned'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation, ledger } = this.context;
    const cells = this.cells!;
    const { groups, steps } = incarnation;
    const group = incarnation.groupRow(cells.ints('group')[e]!);
    ledger.leave(group);
    const planned = atMost(cells.ints('planned')[e]!);
    const step = groups.step[group]!;
    if (step >= 0) steps[step]!.planChange += planned - groups.planned[group]!;
    groups.planned[group] = planned;
    const decision = cells.ints('decision')[e]!;
    if (decision >= 0) groups.decision[group] = decision;
    ledger.enter(group);
  }
}

/** No rollout of the group will be launched any more; the counts are the job's. */
export class GroupClosed extends EventApplier<'groupClosed'> {
  private cells: Cells<'groupClosed'> | null = null;

  constructor(context: ApplyContext) {
    super('groupClosed', context);
  }

  protected take(cells: Cells<'groupClosed'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation, ledger } = this.context;
    const cells = this.cells!;
    const { groups } = incarnation;
    const id = cells.ints('group')[e]!;
    const group = incarnation.groupRow(id);
    // Closed again with the step that used it is how a job tells what it did not know before.
    const used = cells.ints('usedInStep')[e]!;
    if ((groups.flags[group]! & GROUP_CLOSED) !== 0 && atMost(used) === groups.usedInStep[group]) {
      incarnation.disorder.note('closedTwice', cells.t[e]!, () => `Group ${incarnation.text(id)}.`);
    }
    ledger.leave(group);
    groups.flags[group]! |= GROUP_CLOSED;
    groups.closed[group] = cells.t[e]!;
    const counts = [
      cells.ints('launched')[e]!,
      cells.ints('finished')[e]!,
      cells.ints('discarded')[e]!,
      cells.ints('killed')[e]!,
      cells.ints('carriedOver')[e]!,
    ].map(atMost);
    groups.job.set(counts, group * JOB_COUNTS);
    groups.usedInStep[group] = atMost(used);
    const reason = cells.ints('reason')[e]!;
    if (reason >= 0) {
      groups.flags[group]! |= GROUP_DROPPED;
      groups.reason[group] = incarnation.codes.get(reason, 0);
    }
    groups.dropDecision[group] = cells.ints('decision')[e]!;
    ledger.enter(group);
    const [launched = 0, finished = 0, discarded = 0, killed = 0, carriedOver = 0] = counts;
    if (finished + discarded + killed + carriedOver > launched) {
      incarnation.disorder.note(
        'countMismatch',
        cells.t[e]!,
        () =>
          `Group ${incarnation.text(id)} was closed with ${launched} launched, but ${finished} finished + ${discarded} discarded + ${killed} killed + ${carriedOver} carried over.`,
      );
    }
  }
}

/** What is known of a prompt. */
export class PromptDeclared extends EventApplier<'promptDeclared'> {
  private cells: Cells<'promptDeclared'> | null = null;

  constructor(context: ApplyContext) {
    super('promptDeclared', context);
  }

  protected take(cells: Cells<'promptDeclared'>): void {
    this.cells = cells;
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const cells = this.cells!;
    const { facts } = incarnation.prompts;
    const row = incarnation.promptRow(cells.ints('prompt')[e]!);
    const before = facts[row]!;
    const length = cells.ints('length')[e]!;
    facts[row] = {
      difficulty: incarnation.textOrNull(cells.ints('difficulty')[e]!) ?? before.difficulty,
      domain: incarnation.textOrNull(cells.ints('domain')[e]!) ?? before.domain,
      split: incarnation.textOrNull(cells.ints('split')[e]!) ?? before.split,
      length: length >= 0 ? length : before.length,
      excerpt: cells.values('excerpt')[e]?.slice(0, 200) ?? before.excerpt,
    };
  }
}

/** Results of a prompt from before the stream. The same (step, version) again replaces what was said. */
export class PromptStatistics extends EventApplier<'promptStatistics'> {
  private cells: Cells<'promptStatistics'> | null = null;
  /** Step → prompts with results of that step from an earlier life, as known when the batch came. */
  private readonly held = new Map<number, ReadonlySet<number>>();

  constructor(context: ApplyContext) {
    super('promptStatistics', context);
  }

  protected take(cells: Cells<'promptStatistics'>): void {
    this.cells = cells;
    this.held.clear();
  }

  protected apply(e: number): void {
    const { incarnation } = this.context;
    const cells = this.cells!;
    const { prompts } = incarnation;
    const row = incarnation.promptRow(cells.ints('prompt')[e]!);
    const step = cells.ints('step')[e]!;
    // A job that goes on after a restart tells again what its earlier life has streamed.
    if (this.heldOf(step).has(row)) return;
    const result = {
      step,
      policyVersion: cells.ints('policyVersion')[e]!,
      n: cells.ints('n')[e]!,
      c: Math.min(cells.ints('c')[e]!, cells.ints('n')[e]!),
      sumReward: cells.numbers('sumReward')[e]!,
      sumReward2: cells.numbers('sumReward2')[e]!,
    };
    if (cells.ints('c')[e]! > result.n) {
      incarnation.disorder.note(
        'countMismatch',
        cells.t[e]!,
        () => `Prompt ${prompts.ids[row]!} has ${cells.ints('c')[e]!} successes in ${result.n} rollouts.`,
      );
    }
    const known = prompts.priors.get(row) ?? [];
    const at = known.findIndex((p) => p.step === result.step && p.policyVersion === result.policyVersion);
    const old = known[at];
    if (old) {
      prompts.n[row]! -= old.n;
      prompts.c[row]! -= old.c;
      known[at] = result;
    } else {
      known.push(result);
    }
    prompts.n[row]! += result.n;
    prompts.c[row]! += result.c;
    prompts.priors.set(row, known);
  }

  private heldOf(number: number): ReadonlySet<number> {
    const known = this.held.get(number);
    if (known) return known;
    const found = new Set<number>();
    for (const { groups, steps } of this.context.earlier) {
      const step = steps.find((one) => one.number === number);
      for (let group = step?.firstGroup ?? NONE; group !== NONE; group = groups.nextInStep[group]!) {
        if (groups.n[group]! > 0) found.add(groups.prompt[group]!);
      }
    }
    this.held.set(number, found);
    return found;
  }
}
