import type { PolicyParameters } from '../policy/policyParameters';
import { Sampler } from '../policy/sampler';
import type { Clock } from '../clock';
import type { Publisher } from '../server/publisher';
import { GRPO_DEFAULTS, GrpoTrainer } from '../training/grpoTrainer';
import { Breakpoints } from './breakpoints';
import { encodeCheckpoint, type Checkpoint, type RunProgress } from './checkpoint';
import type { ControlState } from './controlState';
import { DecisionLog } from './decisionLog';
import type { DrawPlace } from './drawPrompts';
import { Estimates } from './estimates';
import { Findings } from './findings';
import { IdMaker } from './ids';
import { Latches } from './latches';
import type { CarriedMemory, PlanView } from './planner';
import { PromptStatistics } from './promptStatistics';
import type { RolloutRecord } from './records';
import { RunMemory } from './runMemory';
import { Runner } from './runner';
import type { JobSettings } from './settings';
import { ALTERNATIVES } from './tokenColumns';

export interface JobOptions {
  readonly settings: JobSettings;
  readonly clock: Clock;
  readonly publisher: Publisher;
  /** Weights at the run’s first start; a checkpoint’s take their place. */
  readonly weights: PolicyParameters;
  readonly control: ControlState;
  readonly checkpoint: Checkpoint | null;
  readonly incarnation: number;
  /** Take what outlives the process; neither waits nor throws. */
  readonly saveControl: (control: ControlState) => void;
  readonly saveCheckpoint: (bytes: Uint8Array) => void;
}

/** Everything that the loop, the steering desk and the reads share. */
export class JobState {
  readonly settings: JobSettings;
  readonly clock: Clock;
  readonly publisher: Publisher;
  readonly control: ControlState;
  readonly incarnation: number;
  readonly ids: IdMaker;
  readonly latches: Latches;
  readonly memory: RunMemory;
  readonly decisions: DecisionLog;
  readonly findings: Findings;
  readonly breakpoints: Breakpoints;
  readonly statistics = new PromptStatistics();
  readonly estimates = new Estimates();
  readonly trainer: GrpoTrainer;
  readonly runner: Runner;
  /** Most continuations that rules may launch below a node, by a person’s word. */
  readonly nodeCaps = new Map<string, number>();
  /** Last step that is done. */
  doneStep = 0;
  /** Step that runs; null between two steps. */
  openStep: number | null = null;
  place: DrawPlace = { pass: 0, position: 0 };
  carried: CarriedMemory = { method: '', memory: {} };
  evaluatedStep = -1;
  passAt1: number | null = null;
  ended = false;
  /** The process was asked to stop. */
  stopping = false;
  /** When the run’s latch closed, on the job’s clock, and how long it was closed in all, ms. */
  private closedAt: number | null = null;
  private closedFor = 0;
  onPaused: (command: string) => void = () => undefined;
  onEnded: (rollout: RolloutRecord) => void = () => undefined;
  private readonly options: JobOptions;

  constructor(options: JobOptions) {
    const { settings, clock, publisher, weights, control, checkpoint, incarnation } = options;
    this.options = options;
    this.settings = settings;
    this.clock = clock;
    this.publisher = publisher;
    this.control = control;
    this.incarnation = incarnation;
    this.ids = new IdMaker(incarnation);
    this.memory = new RunMemory(settings.heldSteps);
    this.decisions = new DecisionLog(publisher, this.ids);
    this.findings = new Findings(publisher);
    // The job deals minibatches itself, see trainBatch.
    this.trainer =
      checkpoint?.trainer ?? new GrpoTrainer(weights, settings.seed, { ...GRPO_DEFAULTS, minibatches: 1 });
    const sampler = new Sampler(this.trainer.parameters, settings.seed, ALTERNATIVES);
    this.latches = new Latches(control, (closed, latch) => this.runLatchChanged(closed, latch));
    this.runner = new Runner(sampler, publisher, settings.pace, {
      frozen: (rollout) => this.latches.freezes(rollout),
      paused: () => this.latches.runClosed,
      ended: (rollout) => this.onEnded(rollout),
    });
    this.breakpoints = new Breakpoints(control, this.latches, publisher, () => this.saveControl());
    if (checkpoint) this.restore(checkpoint);
    if (control.runLatch) {
      // A pause outlives a restart; the new start has nothing running that it would have to wait for.
      control.runLatch = { ...control.runLatch, closed: true };
      this.closedAt = clock.now();
    }
  }

  get policyVersion(): number {
    return this.runner.policyVersion;
  }

  /** First step that is not planned yet. */
  get nextStep(): number {
    return (this.openStep ?? this.doneStep) + 1;
  }

  /** Milliseconds of the job’s clock without its pauses. */
  activeTime(): number {
    const now = this.clock.now();
    return now - this.closedFor - (this.closedAt === null ? 0 : now - this.closedAt);
  }

  planView(step: number, control: ControlState = this.control): PlanView {
    const { settings, statistics, place, carried } = this;
    return { settings, control, statistics, step, place, carried };
  }

  /** What a step’s generation needs of the job. */
  generationParts() {
    const { settings, latches, runner, memory, decisions, publisher, clock, nodeCaps } = this;
    return { settings, latches, runner, memory, decisions, publisher, clock, nodeCaps };
  }

  saveControl(): void {
    this.options.saveControl(this.control);
  }

  saveCheckpoint(): void {
    const { method, memory } = this.carried;
    const progress: RunProgress = {
      version: 1,
      run: this.settings.runId,
      step: this.doneStep,
      policyVersion: this.policyVersion,
      tokens: this.runner.tokens,
      place: this.place,
      statistics: this.statistics.save(),
      estimates: this.estimates.save(),
      evaluatedStep: this.evaluatedStep,
      passAt1: this.passAt1,
      allocationMemory: {
        method: method || 'none',
        memory: Object.fromEntries(
          Object.entries(memory).map(([name, value]) => [
            name,
            typeof value === 'object' ? [...value] : value,
          ]),
        ),
      },
    };
    this.options.saveCheckpoint(encodeCheckpoint(this.trainer, progress));
  }

  /** Publishes the state of the run as it is now. */
  publishRunState(): void {
    const latch = this.latches.run;
    const heldPrompts = this.latches.heldPrompts || null;
    if (this.ended) this.publisher.add('runState', { state: 'ended', heldPrompts });
    else if (latch?.closed === true) {
      const { mode, author, reason } = latch;
      this.publisher.add('runState', { state: 'paused', mode, by: author, reason, heldPrompts });
    } else this.publisher.add('runState', { state: 'running', heldPrompts });
  }

  private runLatchChanged(closed: boolean, latch: { command: string } | null): void {
    if (closed) this.closedAt = this.clock.now();
    else if (this.closedAt !== null) {
      this.closedFor += this.clock.now() - this.closedAt;
      this.closedAt = null;
    }
    this.runner.markPaused(closed);
    this.publishRunState();
    if (closed && latch) this.onPaused(latch.command);
  }

  private restore({ progress }: Checkpoint): void {
    this.runner.policyVersion = progress.policyVersion;
    this.runner.tokens = progress.tokens;
    this.doneStep = progress.step;
    this.place = progress.place;
    this.statistics.restore(progress.statistics);
    this.estimates.restore(progress.estimates);
    this.evaluatedStep = progress.evaluatedStep;
    this.passAt1 = progress.passAt1;
    this.carried = progress.allocationMemory;
  }
}
