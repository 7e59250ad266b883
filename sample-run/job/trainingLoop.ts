import type { Phase } from '../../protocol/wire/words';
import { LEVEL_NAMES } from '../tasks/problem';
import { HELD_OUT_TASKS, TRAIN_TASKS, type Task } from '../tasks/taskSet';
import { conditionText } from './breakpoints';
import { pinFor, type Pin } from './controlState';
import { EvaluationStage } from './evaluationStage';
import { Generation } from './generation';
import type { JobState } from './jobState';
import { planStep, type StepPlan } from './planner';
import { isTrain, type GroupRecord, type RolloutRecord } from './records';
import { closeGroups, closeStep } from './stepClosing';
import { trainBatch } from './trainStage';

/** Share of the pace that the evaluation may take between two rounds of tokens. */
const EVALUATION_SHARE = 0.5;
/** Milliseconds between two reports of throughput and worker while tokens are sampled. */
const REPORT_MS = 1000;

/** Where a step stood when it began. */
interface Begun {
  /** Active time, ms. */
  readonly at: number;
  /** Tokens sampled before it. */
  readonly tokens: number;
}

/** Plans, rolls out, branches, credits, trains, evaluates, and keeps checkpoints, step after step. */
export class TrainingLoop {
  private readonly evaluation: EvaluationStage;
  private rounds = 0;

  constructor(private readonly job: JobState) {
    this.evaluation = new EvaluationStage(job);
  }

  /** Runs to the last step; returns early, between two steps or tokens, when the process was asked to stop. */
  async run(): Promise<void> {
    const { job } = this;
    this.introduce();
    while (job.doneStep < job.settings.steps) {
      if (!(await this.goesOn())) return;
      this.evaluation.beginIfDue();
      await this.step(job.doneStep + 1);
      if (this.isStopping()) return;
      job.saveCheckpoint();
      this.boundary();
    }
    this.evaluation.beginIfDue();
    await this.evaluation.finish(() => this.turn());
    while (job.runner.running.size > 0 && (await this.goesOn())) {
      if (job.runner.round() === 0) break;
      await job.clock.sleep(job.settings.pace);
    }
    if (this.isStopping()) return;
    job.saveCheckpoint();
    job.ended = true;
    this.phase(job.doneStep, 'idle');
    job.publishRunState();
  }

  private isStopping(): boolean {
    return this.job.stopping;
  }

  private introduce(): void {
    const { job } = this;
    const { publisher, statistics, latches, control } = job;
    publisher.add('runState', { state: 'starting' });
    for (const task of [...TRAIN_TASKS, ...HELD_OUT_TASKS]) {
      publisher.add('promptDeclared', {
        prompt: task.id,
        difficulty: LEVEL_NAMES[task.level],
        domain: 'sums',
        split: task.split,
        length: task.tokens.length,
        excerpt: task.text,
      });
    }
    for (const [prompt, results] of statistics.all()) {
      for (const { step, policyVersion, n, c, sumReward, sumReward2 } of results) {
        publisher.add('promptStatistics', { prompt, step, policyVersion, n, c, sumReward, sumReward2 });
      }
    }
    for (const { id, condition, hits } of control.breakpoints) {
      publisher.add('breakpoint', {
        breakpoint: id,
        state: 'added',
        hits,
        condition,
        sentence: `Kept from the last start: the run pauses when ${conditionText(condition)}.`,
      });
    }
    job.publishRunState();
    if (latches.runClosed) this.phase(job.doneStep, 'idle');
  }

  /** Waits while the run’s latch is closed. False: the process was asked to stop. */
  private async goesOn(): Promise<boolean> {
    const { latches } = this.job;
    while (latches.runClosed && !this.isStopping()) await latches.change();
    return !this.isStopping();
  }

  /** Lets clients have their turn, then goes on unless it may not. */
  private async turn(): Promise<boolean> {
    await this.job.clock.sleep(0);
    return this.goesOn();
  }

  /** Between two steps: pauses that waited for it take hold. */
  private boundary(): void {
    const { control, latches } = this.job;
    if (!latches.run || latches.run.closed) return;
    if (control.stepsLeft !== null && control.stepsLeft > 1) control.stepsLeft--;
    else {
      control.stepsLeft = null;
      latches.closeRun();
    }
    this.job.saveControl();
  }

  private async step(step: number): Promise<void> {
    const { job } = this;
    const { publisher, runner } = job;
    const begun = { at: job.activeTime(), tokens: runner.tokens };
    job.openStep = step;
    const plan = planStep(job.planView(step));
    publisher.add('stepOpened', {
      step,
      policyVersion: job.policyVersion,
      planned: plan.total,
      pass: plan.next.pass,
    });
    this.phase(step, 'plan');
    this.openGroups(plan);
    const most = Math.max(0, ...plan.prompts.map(({ count }) => count));
    job.breakpoints.check(step, { budget: { value: most, what: 'the largest budget is' } });

    this.phase(step, 'generate');
    const generationBegan = job.activeTime();
    const ends: number[] = [];
    job.onEnded = (rollout) => {
      if (isTrain(rollout)) ends.push((job.activeTime() - generationBegan) / 1000);
    };
    const generation = this.generation(plan, begun);
    await generation.run();
    if (this.isStopping()) return;
    const generationSeconds = (job.activeTime() - generationBegan) / 1000;
    job.place = generation.next;
    const groups = [...job.memory.current];
    job.carried = { method: plan.methods.allocation.method, memory: generation.carry ?? {} };

    this.phase(step, 'filter');
    const batch = closeGroups(job, groups, generation, plan);
    this.phase(step, 'train');
    const update = await trainBatch(job.trainer, batch, job.settings.seed, step, () => this.turn());
    if (this.isStopping()) return;
    this.phase(step, 'sync');
    runner.weightsChanged(job.policyVersion + 1);
    const seconds = (job.activeTime() - begun.at) / 1000;
    await this.evaluation.finish(() => this.turn());
    if (this.isStopping()) return;
    closeStep(job, step, groups, { seconds, generationSeconds, ends }, update, runner.tokens - begun.tokens);
  }

  private openGroups(plan: StepPlan): void {
    const { job } = this;
    job.memory.current = [];
    job.nodeCaps.clear();
    const decisions = plan.drafts.map((draft) => job.decisions.record(plan.step, draft));
    for (const { task, count, draft, pin } of plan.prompts) {
      this.openGroup(plan.step, task, count, decisions[draft] ?? null, pin);
    }
  }

  private openGroup(
    step: number,
    task: Task,
    planned: number,
    decision: string | null,
    pin: Pin | null,
  ): GroupRecord {
    const { job } = this;
    const temperature = pin?.temperature ?? job.settings.temperature;
    const group = job.memory.openGroup(job.ids.group(step, task.id), task, step, temperature);
    group.decision = decision;
    group.tokenCap = pin?.tokens ?? null;
    job.publisher.add('groupOpened', { group: group.id, prompt: task.id, step, planned, decision });
    return group;
  }

  private generation(plan: StepPlan, begun: Begun): Generation {
    const { job } = this;
    const { step } = plan;
    const groups = [...job.memory.current];
    const generation = new Generation(
      {
        ...job.generationParts(),
        open: (task, planned, decision) =>
          this.openGroup(step, task, planned, decision, pinFor(job.control, task.id, step)),
        between: () => this.between(step, begun),
        held: (rollouts) => this.sayHeld(step, rollouts),
        stopping: () => this.isStopping(),
      },
      plan,
      groups,
    );
    plan.prompts.forEach(({ count }, i) => generation.planFor(groups[i]!, count));
    return generation;
  }

  /** After every round of tokens. */
  private between(step: number, begun: Begun): void {
    const { job } = this;
    const { pace, slots } = job.settings;
    this.rounds++;
    const seconds = (job.activeTime() - begun.at) / 1000;
    job.breakpoints.check(step, { stepSeconds: { value: seconds, what: 'so far' } });
    if (pace === 0) return;
    this.evaluation.workFor(EVALUATION_SHARE * pace);
    if (this.rounds % Math.max(1, Math.ceil(REPORT_MS / pace)) !== 0) return;
    const tokens = job.runner.tokens - begun.tokens;
    if (seconds > 0) job.publisher.add('metric', { name: 'throughput', value: tokens / seconds, step });
    const waiting = job.memory.current.reduce(
      (sum, group) => sum + group.pending + group.forks.reduce((left, fork) => left + fork.left, 0),
      0,
    );
    job.publisher.add('worker', {
      worker: 'cpu',
      device: 'one CPU core',
      queue: waiting,
      running: Math.min(slots, job.runner.running.size),
      policyVersion: job.policyVersion,
    });
  }

  private sayHeld(step: number, rollouts: readonly RolloutRecord[]): void {
    const { findings } = this.job;
    if (rollouts.length === 0) {
      findings.close('held', step);
      return;
    }
    const prompts = [...new Set(rollouts.map((rollout) => rollout.group.task.id))];
    findings.raise('held', step, {
      code: 'held',
      severity: 'warning',
      title: `Step ${step} waits for ${rollouts.length} paused rollouts`,
      evidence: `Everything else of the step has ended. Still paused: ${rollouts.length} rollouts of ${prompts.slice(0, 5).join(', ')}. Resume or stop them.`,
      subjects: rollouts.slice(0, 64).map(({ id }) => ({ type: 'rollout', id })),
    });
  }

  private phase(step: number, phase: Phase): void {
    this.job.publisher.add('stepPhase', { step, phase });
  }
}
