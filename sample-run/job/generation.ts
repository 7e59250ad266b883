import type { AllocationAnswer, AllocationState } from '../../methods/allocation/allocator';
import type { Memory } from '../../methods/allocation/inputs';
import type { PromptOutcome } from '../../methods/allocation/outcomes';
import { Refusal } from '../../methods/refusal';
import type { Clock } from '../clock';
import type { Publisher } from '../server/publisher';
import type { Task } from '../tasks/taskSet';
import { expandGroup, forkedBelow, rootsOf } from './branchingStage';
import type { DecisionLog } from './decisionLog';
import type { Latches } from './latches';
import { allocationOf, branchingOf } from './methodTable';
import { answerDraft, onlyDrops } from './decisionDrafts';
import type { DrawPlace } from './drawPrompts';
import { countsOf, cutTo, drawsOf, lastNamed, type StepPlan } from './planner';
import {
  ancestors,
  endedByItself,
  isRunning,
  isTrain,
  tokensOf,
  type GroupRecord,
  type RolloutRecord,
} from './records';
import type { RunMemory } from './runMemory';
import type { Runner } from './runner';
import type { JobSettings } from './settings';

/** Rollouts of a group that a rule takes out of training, with its reason code; null: all of them. */
export interface Drop {
  readonly reason: string;
  readonly decision: string;
  readonly rollouts: ReadonlySet<RolloutRecord> | null;
}

export interface GenerationParts {
  readonly settings: JobSettings;
  readonly latches: Latches;
  readonly runner: Runner;
  readonly memory: RunMemory;
  readonly decisions: DecisionLog;
  readonly publisher: Publisher;
  readonly clock: Clock;
  /** Most continuations that rules may still launch below these nodes, by a person’s word. */
  readonly nodeCaps: Map<string, number>;
  /** Opens a group of a prompt that a rule comes to later in the step. */
  readonly open: (task: Task, planned: number, decision: string) => GroupRecord;
  /** Called between two rounds: breakpoints, evaluation, samples of the step. */
  readonly between: () => void;
  /** These rollouts stand still by a person’s word and everything else has ended; none: the step goes on. */
  readonly held: (rollouts: readonly RolloutRecord[]) => void;
  /** The process was asked to stop. */
  readonly stopping: () => boolean;
}

/** The generation phase of one step: launches, rounds of tokens, forks, further requests of the allocation rule. */
export class Generation {
  private allocation: AllocationState | null;
  /** Rollouts that the allocation rule was told of, by group in the order in which it was told. */
  private readonly reported = new Map<GroupRecord, RolloutRecord[]>();
  /** What the allocation rule takes out of training. */
  readonly dropped = new Map<GroupRecord, Drop>();
  /** Where the next step begins in the data set. */
  next: DrawPlace;
  /** What the allocation rule hands to the next step. */
  carry: Memory | null;
  private readonly byPrompt = new Map<string, GroupRecord>();

  constructor(
    private readonly parts: GenerationParts,
    private readonly plan: StepPlan,
    groups: readonly GroupRecord[],
  ) {
    this.allocation = plan.allocation?.state ?? null;
    this.carry = plan.carry;
    this.next = plan.next;
    for (const group of groups) this.byPrompt.set(group.task.id, group);
  }

  /** Runs until no rollout of the step is left to launch or to end. */
  async run(): Promise<void> {
    const { latches, runner, clock, settings, between, held, stopping } = this.parts;
    while (!stopping()) {
      if (latches.runClosed) {
        await latches.change();
        continue;
      }
      this.launch();
      const moved = runner.round();
      this.expand();
      between();
      const left = this.running();
      if (left.length === 0 && !latches.holdsLaunches) {
        if (this.canLaunch() || this.askAllocation()) continue;
        return;
      }
      if (moved > 0) await clock.sleep(settings.pace);
      else if (latches.run?.mode === 'drain') latches.closeRun();
      else {
        held(left);
        await latches.change();
        held([]);
      }
    }
  }

  /** A group’s plan for `count` more rollouts. */
  planFor(group: GroupRecord, count: number): void {
    if (group.planned === 0) {
      const { method, parameters } = branchingOf(this.plan.methods.branching);
      const roots = rootsOf(method, parameters, count);
      group.pending = roots;
      group.reserve = count - roots;
    } else group.pending += count;
    group.planned += count;
  }

  private running(): RolloutRecord[] {
    return [...this.parts.runner.running].filter((rollout) => isTrain(rollout) && !rollout.group.closed);
  }

  private mayLaunch(group: GroupRecord): boolean {
    const { latches } = this.parts;
    return (
      !group.stopped &&
      !latches.holdsLaunches &&
      !latches.holdsGroup(group) &&
      (group.tokenCap === null || tokensOf(group) < group.tokenCap)
    );
  }

  private canLaunch(): boolean {
    return this.parts.memory.current.some(
      (group) => (group.pending > 0 || group.forks.length > 0) && this.mayLaunch(group),
    );
  }

  private launch(): void {
    const { runner, settings, memory } = this.parts;
    for (const group of memory.current) {
      if ((group.pending === 0 && group.forks.length === 0) || !this.mayLaunch(group)) continue;
      while (runner.running.size < settings.slots && this.launchOne(group));
      if (runner.running.size >= settings.slots) return;
    }
  }

  private launchOne(group: GroupRecord): boolean {
    const { runner, memory } = this.parts;
    const common = {
      group,
      use: 'train',
      command: null,
      baseline: true,
      temperature: group.temperature,
    } as const;
    const fork = group.forks[0];
    if (fork) {
      const from = { node: fork.node, at: fork.at };
      memory.add(runner.launch({ ...common, origin: 'forked', from, decision: fork.decision }));
      if (--fork.left === 0) group.forks.shift();
      return true;
    }
    if (group.pending === 0) return false;
    group.pending--;
    memory.add(runner.launch({ ...common, origin: 'sampled', from: null, decision: group.decision }));
    return true;
  }

  /** Groups whose rollouts have all ended are forked where the branching rule says so. */
  private expand(): void {
    const { decisions, runner, memory, nodeCaps, latches } = this.parts;
    for (const group of memory.current) {
      if (group.expanded || group.reserve === 0 || group.pending > 0 || group.forks.length > 0) continue;
      if (group.stopped || group.rollouts.some((r) => isTrain(r) && isRunning(r))) continue;
      if (group.rollouts.length === 0 || !this.mayLaunch(group)) continue;
      const { method, parameters } = branchingOf(this.plan.methods.branching);
      const { forks, done } = expandGroup(group, method, parameters, runner.policyVersion, (node) => {
        if (latches.holdsForks(node)) return 0;
        return ancestors(node).reduce((room, ancestor) => {
          const cap = nodeCaps.get(ancestor.id);
          return cap === undefined ? room : Math.min(room, cap - forkedBelow(group, ancestor));
        }, Infinity);
      });
      group.expansions++;
      group.expanded = done || forks.length === 0;
      for (const { node, at, width, draft } of forks) {
        const decision = decisions.record(group.step, draft);
        group.forks.push({ node, at, decision, left: width });
        group.reserve -= width;
      }
    }
  }

  /** Hands the allocation rule what has ended. False: it wants nothing more. */
  private askAllocation(): boolean {
    const { plan } = this;
    if (!this.allocation || !plan.allocation) return false;
    const { tasks } = plan.allocation;
    const outcomes: PromptOutcome[] = [];
    tasks.forEach((task, prompt) => {
      const group = this.byPrompt.get(task.id);
      if (!group) return;
      const told = this.reported.get(group) ?? [];
      const ended = group.rollouts.filter(
        (r) => isTrain(r) && r.command === null && endedByItself(r) && !told.includes(r),
      );
      if (ended.length === 0) return;
      this.reported.set(group, [...told, ...ended]);
      const rewards = ended.map(({ verdict }) => verdict?.reward ?? 0);
      outcomes.push({ prompt, rewards, successes: rewards.map((reward) => reward === 1) });
    });
    const { method } = allocationOf(plan.methods.allocation, plan.sizes);
    try {
      const answer = method.next(this.allocation, outcomes);
      this.allocation = answer.done ? null : answer.state;
      this.carry = answer.carry ?? this.carry;
      this.follow(answer, method.title);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return this.endAllocation();
      throw error;
    }
  }

  private endAllocation(): boolean {
    this.allocation = null;
    return false;
  }

  private follow(answer: AllocationAnswer, title: string): void {
    const { decisions, memory, settings } = this.parts;
    const { plan } = this;
    const tasks = plan.allocation?.tasks ?? [];
    if (answer.requests.length === 0) return;
    const planned = memory.current.reduce((sum, group) => sum + group.planned, 0);
    const wished = countsOf(answer, tasks.length);
    const counts = plan.cap === null ? wished : cutTo(wished, Math.max(0, plan.cap - planned));
    const draft = answerDraft(title, answer, tasks, counts, drawsOf(settings, plan.step));
    const drops = answer.requests.filter(({ action }) => action === 'drop');
    const decision = decisions.record(
      plan.step,
      drops.length === answer.requests.length ? onlyDrops(draft, title, drops.length) : draft,
    );
    for (const { prompt, reasonCode, rollouts } of drops) {
      const group = this.byPrompt.get(tasks[prompt]!.id);
      if (!group) continue;
      const told = this.reported.get(group) ?? [];
      const some = rollouts && new Set(rollouts.flatMap((at) => told[at] ?? []));
      this.dropped.set(group, { reason: reasonCode, decision, rollouts: some ?? null });
    }
    counts.forEach((count, i) => {
      if (count > 0) this.launchMore(tasks[i]!, count, decision);
    });
    const last = lastNamed(answer, tasks);
    const after = last && plan.places.get(last);
    if (after && isLater(after, this.next)) this.next = after;
  }

  /** `count` more rollouts of a prompt, whose group may not be open yet. */
  private launchMore(task: Task, count: number, decision: string): void {
    const { publisher, open } = this.parts;
    const known = this.byPrompt.get(task.id);
    if (!known) {
      const opened = open(task, count, decision);
      this.byPrompt.set(task.id, opened);
      this.planFor(opened, count);
      return;
    }
    if (known.stopped) return;
    known.decision = decision;
    this.planFor(known, count);
    publisher.add('groupPlanned', { group: known.id, planned: known.planned, decision });
  }
}

const isLater = (a: DrawPlace, b: DrawPlace): boolean =>
  a.pass > b.pass || (a.pass === b.pass && a.position > b.position);

/** What a closing group never launched is given up. */
export function giveUpRest(group: GroupRecord): void {
  group.pending = 0;
  group.reserve = 0;
  group.forks.length = 0;
}
