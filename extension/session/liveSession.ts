import type { TSchema, Static } from '@sinclair/typebox';
import { READS, type ReadName, type ReadParams, type ReadResult } from '../../protocol/wire/reads';
import {
  SteeringAnswer,
  steeringMethod,
  type SteeringName,
  type SteeringParams,
} from '../../protocol/wire/steering';
import { RPC_ERRORS, WireError } from '../../protocol/wire/wireError';
import { messageOf, type Log } from '../lifecycle';
import { backOff } from './backOff';
import type { Clock } from './clock';
import { isFatal, isFault, type Problem, type ProblemKind } from './problems';
import { RpcClient, RpcError, RpcLost } from './rpcClient';
import type { RunModel } from './runModel';
import { OtherRunError, Stream, WrongVersionError } from './stream';
import type { Connect, Target, Transport, TransportEnd } from './transport';

/** Faults of the protocol in a row, without an event applied between them, after which trying again is no use. */
const MAX_FAULTS = 3;
/** A connection that held for so long was a success: the next loss is tried again soon. */
const STABLE_MS = 10_000;

/**
 * `closed`: the job ended and closed the connection. `refused`: a person must act. `since`: Unix ms of the state;
 * `nextTryAt`: Unix ms of the next try.
 */
export interface ConnectionReport {
  readonly state: 'connecting' | 'live' | 'lost' | 'refused' | 'closed';
  readonly since: number;
  readonly problem: Problem | null;
  readonly nextTryAt: number | null;
}

export interface LiveSessionOptions {
  readonly connect: Connect;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly client: { readonly name: string; readonly version: string };
  readonly log: Log;
  /** The connection's state or the model changed. */
  readonly onChange: () => void;
}

interface Connection {
  readonly transport: Transport;
  readonly rpc: RpcClient;
}

/** One run over all its connections. Never throws from a callback: whatever comes in ends in a state. */
export class LiveSession {
  readonly stream: Stream;
  private connection: Connection | null = null;
  private report: ConnectionReport;
  private cancelTry: () => void = () => undefined;
  private attempt = 0;
  private faults = 0;
  private faultSeq = 0;
  private disposed = false;

  constructor(
    private target: Target,
    private readonly model: RunModel,
    private readonly options: LiveSessionOptions,
  ) {
    this.stream = new Stream(model, options.client, options.clock);
    this.report = { state: 'connecting', since: options.clock.now(), problem: null, nextTryAt: null };
  }

  get connectionReport(): ConnectionReport {
    return this.report;
  }

  /** Connects at once, also while a later try is due or after a refusal. */
  connectNow(): void {
    if (this.disposed) return;
    this.drop('a new connection is made');
    this.cancelTry();
    this.enter('connecting', this.report.state === 'refused' ? null : this.report.problem);
    const rpc = new RpcClient(
      (text) => transport.send(text),
      (method, params) => this.onNotification(rpc, method, params),
      this.options.clock,
    );
    const transport = this.options.connect(this.target, {
      onOpen: () => void this.open(rpc),
      onText: (text) => this.guard(rpc, () => rpc.receive(text)),
      onEnd: (end) => this.onEnd(rpc, end),
    });
    this.connection = { transport, rpc };
  }

  /** The job was ended by a person here: no more tries until it is reached anew. */
  rest(): void {
    this.cancelTry();
    this.drop('the job was ended');
    this.enter('closed', null);
  }

  /** The run is reached elsewhere now, or with another token. */
  retarget(target: Target): void {
    this.target = target;
    this.attempt = 0;
    this.faults = 0;
    this.connectNow();
  }

  /** @throws RpcError, RpcLost, WireError. */
  read<N extends ReadName>(name: N, params: ReadParams<N>): Promise<ReadResult<N>> {
    return this.request(name, params, READS[name].result);
  }

  /** @throws RpcError, RpcLost, WireError. */
  steer<N extends SteeringName>(name: N, params: SteeringParams<N>): Promise<SteeringAnswer> {
    return this.request(steeringMethod(name), params, SteeringAnswer);
  }

  dispose(): void {
    this.disposed = true;
    this.cancelTry();
    this.drop('detached');
  }

  private request<R extends TSchema>(method: string, params: unknown, schema: R): Promise<Static<R>> {
    if (!this.connection || this.report.state !== 'live') {
      return Promise.reject(new RpcLost(`${method}: there is no connection`, false));
    }
    return this.connection.rpc.request(method, params, schema);
  }

  private async open(rpc: RpcClient): Promise<void> {
    try {
      await this.stream.open(rpc);
      if (!this.isCurrent(rpc)) return;
      this.enter('live', null);
      if (this.stream.info) this.model.connected(this.stream.info);
    } catch (error) {
      if (this.isCurrent(rpc)) this.fail(problemOf(error));
    }
  }

  private onNotification(rpc: RpcClient, method: string, params: unknown): void {
    if (method !== 'events' || !this.isCurrent(rpc)) return;
    const seq = this.stream.receive(params);
    if (seq === null) return;
    this.attempt = 0;
    rpc.notify('ack', { seq });
    this.options.onChange();
  }

  /** What a frame throws ends this connection, never the worker. */
  private guard(rpc: RpcClient, run: () => void): void {
    if (!this.isCurrent(rpc)) return;
    try {
      run();
    } catch (error) {
      const problem = problemOf(error);
      // Who never introduced itself is not a job that errs, but something else.
      const stranger = problem.kind === 'malformed' && this.stream.info === null;
      this.fail(stranger ? { ...problem, kind: 'wrongProtocol' } : problem);
    }
  }

  private onEnd(rpc: RpcClient, end: TransportEnd): void {
    if (!this.isCurrent(rpc)) return;
    const { state } = this.model.summary();
    const over = state === 'ended' || state === 'failed';
    if (over && (end.problem === 'closed' || end.problem === 'shuttingDown')) {
      this.drop(end.detail);
      this.enter('closed', null);
      return;
    }
    this.fail({ kind: end.problem, detail: end.detail });
  }

  private fail(problem: Problem): void {
    this.drop(problem.detail);
    const wasLost = this.report.state === 'lost' || this.report.state === 'refused';
    if (isFatal(problem.kind) || this.tooManyFaults(problem.kind)) {
      this.options.log.warn(`refused (${problem.kind}): ${problem.detail}`);
      this.enter('refused', problem);
      return;
    }
    const { clock, random } = this.options;
    if (this.report.state === 'live' && clock.now() - this.report.since > STABLE_MS) this.attempt = 0;
    const delay = backOff(this.attempt++, random());
    if (!wasLost) this.options.log.info(`lost (${problem.kind}): ${problem.detail}`);
    this.cancelTry = clock.after(delay, () => this.connectNow());
    this.enter('lost', problem, clock.now() + delay);
  }

  private tooManyFaults(kind: ProblemKind): boolean {
    if (!isFault(kind)) return false;
    if (this.stream.lastSeq !== this.faultSeq) this.faults = 0;
    this.faultSeq = this.stream.lastSeq;
    this.faults++;
    return this.faults >= MAX_FAULTS;
  }

  private isCurrent(rpc: RpcClient): boolean {
    return !this.disposed && this.connection?.rpc === rpc;
  }

  private drop(why: string): void {
    const { connection } = this;
    this.connection = null;
    connection?.rpc.end(why);
    connection?.transport.dispose();
  }

  /** A loss keeps its first moment while tries go on, so that a person reads since when nothing came. */
  private enter(
    state: ConnectionReport['state'],
    problem: Problem | null,
    nextTryAt: number | null = null,
  ): void {
    const trying = this.report.problem !== null && problem !== null && state !== 'refused';
    const since = trying ? this.report.since : this.options.clock.now();
    this.report = { state, since, problem, nextTryAt };
    this.options.onChange();
  }
}

function problemOf(error: unknown): Problem {
  const detail = messageOf(error);
  if (error instanceof WrongVersionError) return { kind: 'wrongProtocol', detail };
  if (error instanceof OtherRunError) return { kind: 'otherRun', detail };
  if (error instanceof RpcLost) return { kind: 'timeout', detail };
  if (error instanceof RpcError) {
    return { kind: error.code === RPC_ERRORS.forbidden ? 'forbidden' : 'malformed', detail };
  }
  if (error instanceof WireError) {
    const kinds = {
      malformed: 'malformed',
      unknownHandle: 'malformed',
      outOfOrder: 'outOfOrder',
      tooLarge: 'oversized',
      wrongProtocol: 'wrongProtocol',
    } as const;
    return { kind: kinds[error.code], detail };
  }
  // Not the job's fault: what was half applied must not be applied again.
  return { kind: 'workerFailed', detail };
}
