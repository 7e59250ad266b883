import type { InitializeResult } from '../../protocol/wire/handshake';
import type { SteeringName, SteeringParams } from '../../protocol/wire/steering';
import type { JobPort, JobReads, Peer } from '../server/jobPort';
import { MAX_RESPONSE_TOKENS } from '../training/samplePrompts';
import { CAPABILITIES_OF_JOB } from './capabilities';
import { JobState, type JobOptions } from './jobState';
import { describeMethods } from './methodTable';
import { jobReads, type OldTexts } from './reads';
import { SteeringDesk } from './steering/desk';
import { TrainingLoop } from './trainingLoop';

export type RunIdentity = Pick<InitializeResult, 'server' | 'run' | 'incarnation'>;

/** The embedded training job: the loop, and what clients may ask of it. */
export class Job implements JobPort {
  readonly state: JobState;
  readonly reads: JobReads;
  private readonly desk: SteeringDesk;
  private readonly loop: TrainingLoop;

  constructor(
    options: JobOptions,
    private readonly identity: RunIdentity,
    oldTexts: OldTexts,
    private readonly journals: boolean,
  ) {
    this.state = new JobState(options);
    this.desk = new SteeringDesk(this.state);
    this.loop = new TrainingLoop(this.state);
    const { settings } = this.state;
    this.reads = jobReads(this.state, oldTexts, {
      framework: 'rolloutscope-sample',
      values: {
        seed: settings.seed,
        steps: settings.steps,
        pace: settings.pace,
        promptsPerStep: settings.promptsPerStep,
        groupSize: settings.groupSize,
        temperature: settings.temperature,
        slots: settings.slots,
        evaluateEvery: settings.evaluateEvery,
        evaluateSamples: settings.evaluateSamples,
        maxTokens: MAX_RESPONSE_TOKENS,
        allocation: settings.allocation.method,
        branching: settings.branching.method,
        credit: settings.credit.method,
      },
    });
  }

  /** Resolves when the last step is done, or soon after `stop`. */
  run(): Promise<void> {
    return this.loop.run();
  }

  /** Ends the loop between two tokens or updates. What the last checkpoint holds stays. */
  stop(): void {
    this.state.stopping = true;
    this.state.latches.wake();
  }

  /** The journal cannot be written any more. */
  sayJournalStopped(reason: string): void {
    const { findings, openStep, doneStep } = this.state;
    findings.raise('journal-stopped', openStep ?? doneStep, {
      code: 'journalStopped',
      severity: 'error',
      title: 'The journal has stopped',
      evidence: `Writing failed: ${reason}. The run and the stream go on; what happens from here on is not recorded. Make room and restart the run to go on with the journal.`,
    });
  }

  /** @param reason null: it can be written again. */
  sayNotSaved(what: 'checkpoint' | 'control', reason: string | null): void {
    const { findings, openStep, doneStep } = this.state;
    const step = openStep ?? doneStep;
    if (reason === null) {
      findings.close(`${what}-not-saved`, step);
      return;
    }
    const lost =
      what === 'checkpoint'
        ? 'A restart would go on from an older step.'
        : 'A restart would not know the newest steering requests.';
    findings.raise(`${what}-not-saved`, step, {
      code: 'notSaved',
      severity: 'error',
      title: what === 'checkpoint' ? 'The checkpoint was not written' : 'Steering requests were not saved',
      evidence: `Writing failed: ${reason}. ${lost} The run goes on and tries again.`,
    });
  }

  /** The loop has failed; clients are told before anything else happens. */
  fail(reason: string): void {
    this.state.ended = true;
    this.state.publisher.add('runState', { state: 'failed', reason });
    this.state.publisher.flush();
  }

  describe(): ReturnType<JobPort['describe']> {
    const { settings, control } = this.state;
    return {
      ...this.identity,
      capabilities: this.journals ? [...CAPABILITIES_OF_JOB, 'read.steps'] : [...CAPABILITIES_OF_JOB],
      successThreshold: 1,
      sampling: { temperature: settings.temperature, maxTokens: MAX_RESPONSE_TOKENS },
      methods: describeMethods(control.methods, settings),
    };
  }

  steer<N extends SteeringName>(name: N, params: SteeringParams<N>, peer: Peer) {
    return this.desk.steer(name, params, peer);
  }
}
