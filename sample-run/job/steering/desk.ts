import type { SteeringAnswer, SteeringName, SteeringParams } from '../../../protocol/wire/steering';
import type { SteeringAction } from '../../../protocol/wire/words';
import type { Peer } from '../../server/jobPort';
import { REMEMBERED_COMMANDS, type CommandRecord } from '../controlState';
import type { JobState } from '../jobState';
import { proposeAllocate } from './allocate';
import { proposeBreakAdd, proposeBreakRemove } from './breaks';
import { proposeFork } from './fork';
import { proposeMethod, proposeSkip } from './methodAndSkip';
import { proposePause, proposeResume, proposeStep } from './pause';
import { Refused, type Proposal } from './proposal';
import { proposeStop } from './stop';
import { proposeUndo } from './undo';

type Proposers = { readonly [N in SteeringName]: (job: JobState, params: SteeringParams<N>) => Proposal };

const PROPOSERS: Proposers = {
  pause: proposePause,
  resume: proposeResume,
  step: proposeStep,
  allocate: proposeAllocate,
  setMethod: proposeMethod,
  skip: proposeSkip,
  undo: proposeUndo,
  fork: proposeFork,
  stop: proposeStop,
  'break.add': proposeBreakAdd,
  'break.remove': proposeBreakRemove,
};

const ACTIONS: Readonly<Record<SteeringName, SteeringAction>> = {
  pause: 'pause',
  resume: 'resume',
  step: 'step',
  allocate: 'allocate',
  setMethod: 'setMethod',
  skip: 'skip',
  undo: 'undo',
  fork: 'fork',
  stop: 'stop',
  'break.add': 'break',
  'break.remove': 'break',
};

interface Recorded {
  readonly name: SteeringName;
  readonly commandId: string;
  readonly author: string;
  readonly reason: string | undefined;
  readonly peer: Peer;
  readonly proposal: Proposal;
}

/**
 * Takes steering requests one by one: works out what each would do, does it or says why not, and puts it on record.
 * It is called between two turns of the loop, so that every request sees and leaves a whole state.
 */
export class SteeringDesk {
  private readonly commands: Map<string, CommandRecord>;
  /** Pauses that were asked for and have not taken hold. */
  private readonly waiting = new Map<string, Recorded>();

  constructor(private readonly job: JobState) {
    this.commands = new Map(job.control.commands);
    job.onPaused = (command) => this.tookHold(command);
  }

  steer<N extends SteeringName>(name: N, params: SteeringParams<N>, peer: Peer): SteeringAnswer {
    const { job } = this;
    const { commandId, author, reason, dryRun } = params;
    const known = this.commands.get(commandId);
    if (known) return { ...known.answer, changed: false };
    let proposal: Proposal;
    try {
      if (params.incarnation !== job.incarnation) {
        throw new Refused(
          'wrongIncarnation',
          `The request was made for start ${params.incarnation} of the run; this is start ${job.incarnation}. Look again and ask anew.`,
        );
      }
      if (job.ended)
        throw new Refused('ended', `The run ended at step ${job.doneStep}. Nothing was changed.`);
      proposal = PROPOSERS[name](job, params);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const answer: SteeringAnswer = {
        commandId,
        state: 'refused',
        changed: false,
        sentence: error.message,
        refusal: error.code,
      };
      if (dryRun !== true) this.recordRefusal(name, params, peer, answer);
      return answer;
    }
    if (dryRun === true) {
      return { commandId, state: 'preview', changed: false, sentence: proposal.sentence, ...proposal.effect };
    }
    const recorded = { name, commandId, author, reason, peer, proposal };
    this.publish(recorded, 'requested');
    const superseded = [...this.waiting.values()];
    const created = proposal.apply();
    if (proposal.later === true) this.waiting.set(commandId, recorded);
    else this.publish(recorded, 'applied');
    for (const earlier of superseded) {
      if (this.waiting.has(earlier.commandId) && job.latches.run?.command !== earlier.commandId) {
        this.waiting.delete(earlier.commandId);
        this.publish(earlier, 'undone');
      }
    }
    if (proposal.undoes !== undefined) this.publishUndone(proposal.undoes, recorded);
    const answer: SteeringAnswer = {
      commandId,
      state: proposal.later === true ? 'requested' : 'applied',
      changed: true,
      sentence: proposal.sentence,
      ...proposal.effect,
      ...(created.length > 0 ? { created: [...created] } : {}),
    };
    this.remember(commandId, {
      action: ACTIONS[name],
      answer,
      inverse: proposal.inverse,
      undone: false,
      incarnation: job.incarnation,
    });
    job.saveControl();
    job.latches.wake();
    return answer;
  }

  /** The run’s latch has closed by this request. */
  private tookHold(command: string): void {
    for (const [waiting, recorded] of this.waiting) {
      this.waiting.delete(waiting);
      // Another pause, such as that of a condition, may have come first.
      this.publish(recorded, waiting === command ? 'applied' : 'undone');
    }
  }

  private publish(
    { name, commandId, author, reason, peer, proposal }: Recorded,
    state: 'requested' | 'applied' | 'undone',
  ): void {
    this.job.publisher.add('steering', {
      command: commandId,
      action: ACTIONS[name],
      state,
      author,
      ...peer,
      sentence: proposal.sentence,
      reason,
      subjects: proposal.subjects.slice(0, 4096).map((subject) => ({ ...subject })),
      before: proposal.before ? { ...proposal.before } : null,
      after: proposal.after ? { ...proposal.after } : null,
      undoes: proposal.undoes,
      fromStep: proposal.effect?.fromStep,
      untilStep: proposal.effect?.untilStep,
    });
  }

  private publishUndone(command: string, { author, peer }: Recorded): void {
    const earlier = this.commands.get(command);
    if (!earlier) return;
    this.job.publisher.add('steering', {
      command,
      action: earlier.action,
      state: 'undone',
      author,
      ...peer,
      sentence: `Taken back: ${earlier.answer.sentence}`,
    });
  }

  private recordRefusal(
    name: SteeringName,
    { commandId, author }: { commandId: string; author: string },
    peer: Peer,
    answer: SteeringAnswer,
  ): void {
    this.job.publisher.add('steering', {
      command: commandId,
      action: ACTIONS[name],
      state: 'refused',
      author,
      ...peer,
      sentence: `${name} was refused.`,
      reason: answer.sentence,
    });
    this.remember(commandId, {
      action: ACTIONS[name],
      answer,
      inverse: null,
      undone: false,
      incarnation: this.job.incarnation,
    });
    this.job.saveControl();
  }

  private remember(commandId: string, record: CommandRecord): void {
    this.commands.set(commandId, record);
    const { commands } = this.job.control;
    commands.push([commandId, record]);
    if (commands.length <= REMEMBERED_COMMANDS) return;
    const oldest = commands.shift();
    if (oldest) this.commands.delete(oldest[0]);
  }
}
