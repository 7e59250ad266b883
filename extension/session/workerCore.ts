import { packNumbers } from '../../protocol/panels/numbers';
import { Messenger, type Channel } from '../../protocol/panels/messenger';
import type { QueryName } from '../../protocol/panels/views';
import { check } from '../../protocol/wire/rpc';
import { STEERING, type SteeringName } from '../../protocol/wire/steering';
import { RPC_ERRORS, WireError } from '../../protocol/wire/wireError';
import { messageOf, type Log } from '../lifecycle';
import type { Clock } from './clock';
import { LiveSession } from './liveSession';
import { ownBuffers } from './ownedBuffers';
import { RpcError, RpcLost } from './rpcClient';
import type { OpenModel, RunModel } from './runModel';
import type { Connect } from './transport';
import { ViewHub } from './viewHub';
import type { OpenParams, SessionReport, SteerFailure, SteerOutcome, WorkerProtocol } from './workerMessages';

const REPORT_MS = 250;
/** Reports go on while nothing happens, so that "behind" falls back to 0. */
const IDLE_REPORT_MS = 2_000;

export interface WorkerDeps {
  /** Posts to the host; the buffers go along instead of being copied. */
  readonly post: (message: unknown, buffers: ArrayBuffer[]) => void;
  readonly onMessage: Channel['onMessage'];
  readonly connect: Connect;
  readonly openModel: OpenModel;
  readonly clock: Clock;
  readonly random: () => number;
}

type Opened = { readonly params: OpenParams; readonly model: RunModel; readonly live: LiveSession | null };

/** What runs in a session's worker: one run, its connection or its journal, its store and its views. */
export class WorkerCore {
  private readonly messenger: Messenger<WorkerProtocol['toHost'], WorkerProtocol['toWorker']>;
  private readonly log: Log;
  private readonly transfers = new WeakMap<object, ArrayBuffer[]>();
  private opened: Opened | null = null;
  private opening: Promise<void> = Promise.resolve();
  /** What came while the run was being opened, in order. */
  private readonly waiting: (() => void)[] = [];
  private hub: ViewHub | null = null;
  private cancelReport: () => void = () => undefined;
  private nextReport = Infinity;
  private lastReport = -Infinity;
  private recorded: SessionReport['recorded'] = null;
  private readShare: number | null = null;
  private results: SessionReport['results'] = null;
  private failed: SessionReport['problem'] = null;
  private readonly since: number;

  constructor(private readonly deps: WorkerDeps) {
    this.since = deps.clock.now();
    const line = (level: 'error' | 'warn' | 'info' | 'debug') => (message: string) =>
      this.messenger.emit('log', { level, message });
    this.log = { error: line('error'), warn: line('warn'), info: line('info'), debug: line('debug') };
    this.messenger = new Messenger(
      { post: (message) => this.post(message), onMessage: deps.onMessage },
      {
        open: async (params) => {
          this.opening = this.open(params);
          await this.opening;
          for (const run of this.waiting.splice(0)) run();
          return null;
        },
        query: async ({ query, params }) => {
          await this.opening;
          return this.query(query, params);
        },
        steer: async ({ name, params }) => {
          await this.opening;
          return this.steer(name, params);
        },
      },
      {
        subscribe: ({ subscription, view, params }) =>
          this.afterOpen(() => this.hub?.subscribe(subscription, view, params as never)),
        unsubscribe: ({ subscription }) => this.afterOpen(() => this.hub?.unsubscribe(subscription)),
        ack: ({ subscription, version }) => this.hub?.ack(subscription, version),
        rest: () => this.afterOpen(() => this.opened?.live?.rest()),
        retryNow: () => this.afterOpen(() => this.opened?.live?.connectNow()),
        retarget: (target) => this.afterOpen(() => this.opened?.live?.retarget(target)),
      },
    );
  }

  private afterOpen(run: () => void): void {
    if (this.hub) run();
    else this.waiting.push(run);
  }

  private post(message: unknown): void {
    const body = typeof message === 'object' && message !== null && 'body' in message ? message.body : null;
    const buffers = typeof body === 'object' && body !== null ? this.transfers.get(body) : undefined;
    this.deps.post(message, buffers ?? []);
  }

  private async open(params: OpenParams): Promise<void> {
    if (this.opened) throw new Error('the worker has a run already');
    let live: LiveSession | null = null;
    const model = await this.deps.openModel(params, {
      read: (name, request) =>
        live
          ? live.read(name, request)
          : Promise.reject(new RpcLost('a recorded run has no job to ask', false)),
      onChanged: () => {
        this.hub?.changed();
        this.reportSoon();
      },
      onRead: (share, recorded) => {
        this.readShare = share;
        this.recorded = recorded;
        this.reportSoon();
      },
      onResults: (loaded) => {
        this.results = loaded;
        this.reportSoon();
      },
      onProblem: (problem) => {
        this.failed = problem;
        this.reportSoon();
      },
      log: this.log,
    });
    this.hub = new ViewHub(
      model,
      (view, buffers) => {
        this.transfers.set(view, buffers);
        this.messenger.emit('view', view);
      },
      ({ subscription, view, problem }) => {
        if (problem !== null) this.log.error(`view ${view}: ${problem}`);
        this.messenger.emit('viewProblem', { subscription, problem });
      },
      this.deps.clock,
    );
    if (params.kind === 'live') {
      live = new LiveSession(params.target, model, {
        connect: this.deps.connect,
        clock: this.deps.clock,
        random: this.deps.random,
        client: params.client,
        log: this.log,
        onChange: () => this.reportSoon(),
      });
    }
    this.opened = { params, model, live };
    live?.connectNow();
    this.reportSoon();
  }

  private async query(query: QueryName, params: unknown): Promise<unknown> {
    if (!this.opened) throw new Error('no run is open');
    const owned = ownBuffers(packNumbers(await this.opened.model.query(query, params as never)));
    if (typeof owned.data === 'object' && owned.data !== null) this.transfers.set(owned.data, owned.buffers);
    return owned.data;
  }

  private async steer(name: SteeringName, params: Readonly<Record<string, unknown>>): Promise<SteerOutcome> {
    const live = this.opened?.live;
    if (!live) return { failure: 'notConnected', detail: 'a recorded run cannot be steered' };
    let request;
    try {
      request = check(STEERING[name].params, params, `steer.${name}`);
    } catch (error) {
      return { failure: 'invalid', detail: messageOf(error) };
    }
    try {
      return { answer: await live.steer(name, request) };
    } catch (error) {
      return { failure: failureOf(error), detail: messageOf(error) };
    }
  }

  private reportSoon(): void {
    this.reportAt(Math.max(this.deps.clock.now(), this.lastReport + REPORT_MS));
  }

  private reportAt(at: number): void {
    if (at >= this.nextReport) return;
    this.cancelReport();
    this.nextReport = at;
    this.cancelReport = this.deps.clock.after(at - this.deps.clock.now(), () => {
      this.nextReport = Infinity;
      this.lastReport = this.deps.clock.now();
      const report = this.report();
      if (report) this.messenger.emit('report', report);
      if (report?.state === 'live') this.reportAt(this.lastReport + IDLE_REPORT_MS);
    });
  }

  private report(): SessionReport | null {
    if (!this.opened) return null;
    const { model, live } = this.opened;
    const connection = live?.connectionReport;
    const stream = live?.stream;
    const state = connection?.state ?? (this.failed ? 'refused' : 'recorded');
    return {
      state,
      since: connection?.since ?? this.since,
      problem: this.failed ?? connection?.problem ?? null,
      nextTryAt: connection?.nextTryAt ?? null,
      lastSeq: stream?.lastSeq ?? 0,
      behindSeconds: state === 'live' ? (stream?.behindSeconds() ?? null) : null,
      droppedSamples: stream?.droppedSamples() ?? 0,
      info: stream?.info ?? recordedInfo(model),
      recorded: this.recorded,
      summary: model.summary(),
      readShare: this.readShare,
      results: this.results,
    };
  }
}

function recordedInfo(model: RunModel): SessionReport['info'] {
  const start = model.start();
  return start && { ...start, capabilities: [], scope: 'read' };
}

function failureOf(error: unknown): SteerFailure {
  if (error instanceof RpcLost) return error.sent ? 'unknown' : 'notConnected';
  // An answer of another shape: the job got the request and said something of it.
  if (error instanceof WireError) return 'unknown';
  if (!(error instanceof RpcError)) return 'failed';
  switch (error.code) {
    case RPC_ERRORS.forbidden:
      return 'forbidden';
    case RPC_ERRORS.unsupported:
    case RPC_ERRORS.methodNotFound:
      return 'unsupported';
    case RPC_ERRORS.wrongIncarnation:
      return 'wrongIncarnation';
    case RPC_ERRORS.invalidParams:
      return 'invalid';
    default:
      return 'failed';
  }
}
