import { Messenger } from '../../protocol/panels/messenger';
import { unpackNumbers } from '../../protocol/panels/numbers';
import type { Queries, QueryName, ViewName, Views } from '../../protocol/panels/views';
import type { SteeringName, SteeringParams } from '../../protocol/wire/steering';
import { Emitter, messageOf, type Disposable, type Log } from '../lifecycle';
import type { OpenParams, SessionReport, SteerOutcome, WorkerProtocol } from './workerMessages';
import type { Target } from './transport';

/** The part of a worker thread that the client needs. */
export interface WorkerThread {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  on(event: 'exit', listener: (code: number) => void): void;
  terminate(): unknown;
}

/** A view on its way to a page: packed as it came from the worker, with the call that says it was drawn. */
export type ReceivePacked = (packed: unknown, drawn: () => void) => void;
/** Why a view stands still; null: it moves again. */
export type ReceiveProblem = (problem: string | null) => void;

/**
 * The host's end of one session. The host thread is shared with all other extensions: here nothing is parsed and
 * nothing walked over; views for pages pass through as they are.
 */
export class SessionClient implements Disposable {
  private readonly messenger: Messenger<WorkerProtocol['toWorker'], WorkerProtocol['toHost']>;
  private readonly receivers = new Map<number, { view: ReceivePacked; problem: ReceiveProblem }>();
  private readonly reports = new Emitter<SessionReport>((error) => this.log.error(messageOf(error)));
  private nextSubscription = 1;
  private disposed = false;
  private last: SessionReport | null = null;
  readonly onReport = this.reports.event;

  constructor(
    private readonly worker: WorkerThread,
    open: OpenParams,
    private readonly log: Log,
    now: () => number = Date.now,
  ) {
    this.messenger = new Messenger(
      {
        post: (message) => worker.postMessage(message),
        onMessage: (listener) => worker.on('message', listener),
      },
      {},
      {
        report: (report) => this.accept(report),
        view: ({ subscription, version, data }) =>
          this.receivers
            .get(subscription)
            ?.view(data, () => this.messenger.emit('ack', { subscription, version })),
        viewProblem: ({ subscription, problem }) => this.receivers.get(subscription)?.problem(problem),
        log: ({ level, message }) => log[level](message),
      },
      undefined,
      (body) => body,
    );
    const fail = (detail: string) => {
      if (this.disposed) return;
      log.error(`session worker: ${detail}`);
      const problem = { kind: 'workerFailed', detail } as const;
      this.accept({ ...(this.last ?? NOTHING), state: 'refused', problem, since: now(), nextTryAt: null });
      this.messenger.dispose();
    };
    worker.on('error', (error) => fail(error.message));
    worker.on('exit', (code) => fail(`ended with code ${code}`));
    this.messenger.request('open', open).catch((error: unknown) => fail(messageOf(error)));
  }

  /** Newest state; null before the worker has said anything. */
  get report(): SessionReport | null {
    return this.last;
  }

  /** Subscribes to a view in the form in which a page takes it. */
  subscribePacked(
    view: ViewName,
    params: unknown,
    receive: ReceivePacked,
    onProblem: ReceiveProblem = () => undefined,
  ): Disposable {
    const subscription = this.nextSubscription++;
    this.receivers.set(subscription, { view: receive, problem: onProblem });
    this.messenger.emit('subscribe', { subscription, view, params });
    return {
      dispose: () => {
        if (this.receivers.delete(subscription)) this.messenger.emit('unsubscribe', { subscription });
      },
    };
  }

  /** Subscribes to a view for the host itself. */
  subscribe<V extends ViewName>(
    view: V,
    params: Views[V]['params'],
    receive: (data: Views[V]['data'] | null) => void,
  ): Disposable {
    return this.subscribePacked(view, params, (packed, drawn) => {
      receive(unpackNumbers(packed) as Views[V]['data'] | null);
      drawn();
    });
  }

  queryPacked(query: QueryName, params: unknown): Promise<unknown> {
    return this.messenger.request('query', { query, params });
  }

  async query<Q extends QueryName>(query: Q, params: Queries[Q]['params']): Promise<Queries[Q]['result']> {
    return unpackNumbers(await this.queryPacked(query, params)) as Queries[Q]['result'];
  }

  /** Never rejects for a reason of the job or the connection: those are outcomes. */
  async steer<N extends SteeringName>(name: N, params: SteeringParams<N>): Promise<SteerOutcome> {
    try {
      return await this.messenger.request('steer', { name, params: { ...params } });
    } catch (error) {
      return { failure: 'unknown', detail: messageOf(error) };
    }
  }

  retryNow(): void {
    this.messenger.emit('retryNow', null);
  }

  /** The job was ended by a person here: it is not waited for until it is reached anew. */
  rest(): void {
    this.messenger.emit('rest', null);
  }

  /** The run is reached elsewhere now, or with another token. */
  retarget(target: Target): void {
    this.messenger.emit('retarget', target);
  }

  dispose(): void {
    this.disposed = true;
    this.messenger.dispose();
    this.receivers.clear();
    this.reports.dispose();
    void this.worker.terminate();
  }

  private accept(report: SessionReport): void {
    this.last = report;
    this.reports.fire(report);
  }
}

const NOTHING: SessionReport = {
  state: 'connecting',
  since: 0,
  problem: null,
  nextTryAt: null,
  lastSeq: 0,
  behindSeconds: null,
  droppedSamples: 0,
  info: null,
  recorded: null,
  summary: {
    state: 'starting',
    paused: null,
    step: null,
    firstStep: null,
    lastStep: null,
    phase: null,
    policyVersion: null,
    methods: {},
    openFindings: 0,
  },
  readShare: null,
  results: null,
};
