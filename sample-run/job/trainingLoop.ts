import type { Phase } from '../../protocol/wire/words';
import type { UpdateStats } from '../training/grpoTrainer';
import { creditGroup } from './creditStage';
import { Evaluation } from './evaluation';
import { Generation, giveUpRest } from './generation';
import type { JobState } from './jobState';
import { planStep, type StepPlan } from './planner';
import { countGroup, isFinished, isTrain, verdictOf, type GroupRecord, type RolloutRecord } from './records';
import { publishMetrics, stepFigures } from './stepTotals';
import { HELD_OUT_TASKS, TRAIN_TASKS } from '../tasks/taskSet';
import { LEVEL_NAMES } from '../tasks/problem';
import { trainBatch } from './trainStage';

/** Name of the set of held-out problems. */
const HELD_OUT = 'held-out sums';
/** Share of closed groups without gradient from which a finding says so. */
const MANY_ZERO = 0.6;
/** Share of the pace that the evaluation may take between two rounds of tokens. */
const EVALUATION_SHARE = 0.5;
/** Milliseconds between two reports of throughput and worker while tokens are sampled. */
const REPORT_MS = 1000;

/** Plans, rolls out, branches, credits, trains, evaluates, and keeps checkpoints, step after step. */
export class TrainingLoop {
  private evaluation: Evaluation | null = null;
  private rounds = 0;

  constructor(private readonly job: JobState) {}

  /** Runs to the last step; returns early, between two steps or tokens, when the process was asked to stop. */
  async run(): Promise<void> {
    const { job } = this;
    this.introduce();
    while (job.doneStep < job.settings.steps) {
      await this.gate();
      if (this.isStopping()) return;
      if (this.evaluationIsDue(job.doneStep)) this.beginEvaluation();
      await this.step(job.doneStep + 1);
      if (this.isStopping()) return;
      job.saveCheckpoint();
      this.boundary();
    }
    await this.finishEvaluation(true);
    while (!this.isStopping() && job.runner.running.size > 0) {
      await this.gate();
      if (job.runner.round() === 0) break;
      await job.clock.sleep(job.settings.pace);
    }
    job.saveCheckpoint();
    job.ended = true;
    this.phase(job.doneStep, 'idle');
    job.publishRunState();
  }

  private isStopping(): boolean {
    return this.job.stopping;
  }

  private introduce(): void {
    const { publisher, statistics, latches } = this.job;
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
    for (const { id, condition, hits } of this.job.control.breakpoints) {
      publisher.add('breakpoint', {
        breakpoint: id,
        state: 'added',
        hits,
        condition,
        sentence: 'Kept from the last start.',
      });
    }
    this.job.publishRunState();
    if (latches.runClosed) this.phase(this.job.doneStep, 'idle');
  }

  /** Waits while the run’s latch is closed. */
  private async gate(): Promise<void> {
    const { latches } = this.job;
    while (latches.runClosed && !this.isStopping()) await latches.change();
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
    const began = job.activeTime();
    const tokensBefore = runner.tokens;
    job.openStep = step;
    const plan = planStep(job.planView(step));
    publisher.add('stepOpened', {
      step,
      policyVersion: job.policyVersion,
      planned: plan.total,
      pass: job.place.pass,
    });
    job.place = plan.next;
    this.phase(step, 'plan');
    const groups = this.openGroups(plan);
    const most = Math.max(0, ...plan.prompts.map(({ count }) => count));
    job.breakpoints.check(step, { budget: { value: most, what: 'the largest budget is' } });

    this.phase(step, 'generate');
    const generationBegan = job.activeTime();
    const ends: number[] = [];
    job.onEnded = (rollout) => {
      if (isTrain(rollout)) ends.push((job.activeTime() - generationBegan) / 1000);
    };
    const generation = this.generation(plan, groups, began, tokensBefore);
    await generation.run();
    if (this.isStopping()) return;
    const generationSeconds = (job.activeTime() - generationBegan) / 1000;
    job.carried = { method: plan.methods.allocation.method, memory: generation.carry ?? {} };

    this.phase(step, 'filter');
    const batch = this.closeGroups(groups, generation, plan);
    this.phase(step, 'train');
    const update = await trainBatch(job.trainer, batch, job.settings.seed, step, async () => {
      await this.gate();
      await job.clock.sleep(0);
    });
    this.phase(step, 'sync');
    runner.weightsChanged(job.policyVersion + 1);
    const seconds = (job.activeTime() - began) / 1000;
    await this.finishEvaluation(false);
    if (this.isStopping()) return;
    this.closeStep(step, groups, { seconds, generationSeconds, ends }, update, runner.tokens - tokensBefore);
  }

  private openGroups(plan: StepPlan): GroupRecord[] {
    const { job } = this;
    job.memory.current = [];
    job.nodeCaps.clear();
    const decisions = plan.drafts.map((draft) => job.decisions.record(plan.step, draft));
    return plan.prompts.map(({ task, count, draft, pin }) => {
      const temperature = pin?.temperature ?? job.settings.temperature;
      const group = job.memory.openGroup(job.ids.group(plan.step, task.id), task, plan.step, temperature);
      group.decision = decisions[draft] ?? null;
      group.tokenCap = pin?.tokens ?? null;
      job.publisher.add('groupOpened', {
        group: group.id,
        prompt: task.id,
        step: plan.step,
        planned: count,
        decision: group.decision,
      });
      return group;
    });
  }

  private generation(
    plan: StepPlan,
    groups: readonly GroupRecord[],
    began: number,
    tokensBefore: number,
  ): Generation {
    const { job } = this;
    const { step } = plan;
    const generation = new Generation(
      {
        ...job.generationParts(),
        between: () => this.between(step, began, tokensBefore),
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
  private between(step: number, began: number, tokensBefore: number): void {
    const { job } = this;
    const { pace, slots } = job.settings;
    this.rounds++;
    const seconds = (job.activeTime() - began) / 1000;
    job.breakpoints.check(step, { stepSeconds: { value: seconds, what: 'so far' } });
    if (pace === 0) return;
    const until = job.clock.now() + EVALUATION_SHARE * pace;
    while (this.evaluation?.advance() === true && job.clock.now() < until);
    if (this.rounds % Math.max(1, Math.ceil(REPORT_MS / pace)) !== 0) return;
    const tokens = job.runner.tokens - tokensBefore;
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

  /** Closes the groups with their counts and credits them. */
  private closeGroups(groups: readonly GroupRecord[], generation: Generation, plan: StepPlan) {
    const { job } = this;
    const { publisher } = job;
    return groups.flatMap((group) => {
      giveUpRest(group);
      group.closed = true;
      const drop = generation.dropped.get(group);
      if (drop) {
        for (const rollout of group.rollouts.filter(isFinished)) {
          rollout.discarded = drop.reason;
          publisher.add('rolloutDiscarded', { rollout: rollout.id, ...drop });
        }
      }
      const credited =
        verdictOf(group).kind === 'gradient' ? creditGroup(group, plan.methods.credit, publisher) : [];
      const { launched, finished, discarded, killed } = countGroup(group);
      publisher.add('groupClosed', {
        group: group.id,
        launched,
        finished,
        discarded,
        killed,
        carriedOver: 0,
        usedInStep: credited.length > 0 ? plan.step : null,
        reason: drop?.reason,
        decision: drop?.decision,
      });
      this.recordResult(group, job.policyVersion);
      return credited;
    });
  }

  private recordResult(group: GroupRecord, policyVersion: number): void {
    const finished = group.rollouts.filter(isFinished);
    const rewards = finished.map(({ verdict }) => verdict?.reward ?? 0);
    const sum = rewards.reduce<number>((total, reward) => total + reward, 0);
    this.job.statistics.record(group.task.id, group.task.level, {
      group: group.id,
      step: group.step,
      policyVersion,
      planned: group.planned,
      n: finished.length,
      c: sum,
      sumReward: sum,
      sumReward2: sum,
      rootRewards: finished
        .filter(({ node }) => node.parent === null)
        .map(({ verdict }) => verdict?.reward ?? 0),
    });
  }

  private closeStep(
    step: number,
    groups: readonly GroupRecord[],
    times: Parameters<typeof publishMetrics>[3],
    update: UpdateStats | null,
    tokens: number,
  ): void {
    const { job } = this;
    const figures = stepFigures(groups);
    publishMetrics(job.publisher, step, figures, times, update);
    job.publisher.add('stepClosed', {
      step,
      policyVersion: job.policyVersion,
      seconds: Math.round(times.seconds * 1000) / 1000,
      tokens,
      updates: update?.optimizerSteps ?? 0,
    });
    job.estimates.recordStep(figures.launched, figures.tokens, times.seconds);
    if (figures.finished > 0) job.statistics.recordFailures(1 - figures.meanReward);
    const share = figures.closedGroups > 0 ? figures.zeroGradientGroups / figures.closedGroups : 0;
    this.sayZeroGradient(step, figures.zeroGradientGroups, figures.closedGroups, share);
    job.breakpoints.check(step, {
      zeroGradientShare: { value: share, what: 'it was' },
      entropy: { value: figures.meanEntropy, what: 'it was' },
      reward: { value: figures.meanReward, what: 'it was' },
      stepSeconds: { value: times.seconds, what: 'it took' },
    });
    job.doneStep = step;
    job.openStep = null;
    job.memory.trim(step);
  }

  private sayZeroGradient(step: number, zero: number, groups: number, share: number): void {
    const { findings } = this.job;
    if (groups < 4 || share < MANY_ZERO) {
      findings.close('zero-gradient', step);
      return;
    }
    findings.raise('zero-gradient', step, {
      code: 'zeroGradientGroups',
      severity: 'warning',
      title: `${zero} of ${groups} groups gave no gradient`,
      evidence: `In step ${step} all rewards were equal in ${zero} of ${groups} closed groups (${Math.round(share * 100)} %). Their rollouts taught nothing.`,
      levers: [
        {
          label: 'Allocate by Knapsack-RL',
          action: 'setMethod',
          params: { kind: 'allocation', method: 'knapsack-rl' },
        },
      ],
    });
  }

  private phase(step: number, phase: Phase): void {
    this.job.publisher.add('stepPhase', { step, phase });
  }

  private evaluationIsDue(step: number): boolean {
    const { settings, evaluatedStep } = this.job;
    return step % settings.evaluateEvery === 0 && evaluatedStep < step && settings.evaluateSamples > 0;
  }

  /** From here on the evaluation runs beside the next step, on a copy of the weights. */
  private beginEvaluation(): void {
    const { trainer, settings, doneStep, policyVersion } = this.job;
    this.evaluation = new Evaluation(
      trainer.parameters,
      settings.seed,
      settings.evaluateSamples,
      doneStep,
      policyVersion,
    );
  }

  /** What is left of the evaluation is done now. @param last the run ends: the newest weights are evaluated, too. */
  private async finishEvaluation(last: boolean): Promise<void> {
    const { job } = this;
    if (last && this.evaluationIsDue(job.doneStep)) this.beginEvaluation();
    const { evaluation } = this;
    if (!evaluation) return;
    this.phase(job.openStep ?? job.doneStep, 'evaluate');
    while (evaluation.advance()) {
      await this.gate();
      if (this.isStopping()) return;
      job.runner.round((rollout) => rollout.use === 'probe');
      await job.clock.sleep(0);
    }
    this.evaluation = null;
    const { samples, correct, prompts, step, policyVersion } = evaluation;
    job.publisher.add('evaluation', {
      evaluation: job.ids.evaluation(step),
      name: HELD_OUT,
      step,
      policyVersion,
      sampling: { temperature: 1 },
      problems: {
        prompts: prompts.map(({ id }) => id),
        n: prompts.map(() => samples),
        c: [...correct],
      },
    });
    job.evaluatedStep = step;
    job.passAt1 = correct.reduce((sum, c) => sum + c / samples, 0) / correct.length;
    job.breakpoints.check(job.openStep ?? job.doneStep, {
      passRate: { value: job.passAt1, what: 'it was' },
    });
  }
}
