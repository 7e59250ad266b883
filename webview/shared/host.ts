import { signal, type ReadonlySignal } from '@preact/signals';
import type { PanelCommand, PanelName, PanelProtocol } from '../../protocol/panels/messages';
import { Messenger } from '../../protocol/panels/messenger';
import {
  NO_SELECTION,
  type RunHeader,
  type RunKey,
  type RunName,
  type Selection,
} from '../../protocol/panels/selection';
import type { Queries, QueryName, ViewName, Views } from '../../protocol/panels/views';
import { catchPageErrors } from './pageErrors';

/** The one door to VS Code: nothing else in the pages knows `acquireVsCodeApi`. */
declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

type Pending = PanelProtocol['toPanel']['events']['pending']['subjects'];

const vscode = acquireVsCodeApi();
const headerSignal = signal<RunHeader | null | undefined>(undefined);
const selectionSignal = signal<Selection>(NO_SELECTION);
const pendingSignal = signal<Pending>([]);
const searchSignal = signal(0);
const runsSignal = signal<readonly RunName[]>([]);
const problemsSignal = signal<ReadonlyMap<number, string>>(new Map());

/** undefined: the host has not said yet; null: no run is attached or opened. */
export const header: ReadonlySignal<RunHeader | null | undefined> = headerSignal;
export const selection: ReadonlySignal<Selection> = selectionSignal;
/** The runs that are open in this window. */
export const runs: ReadonlySignal<readonly RunName[]> = runsSignal;
/** Steering commands that are under way, by the thing they change. */
export const pending: ReadonlySignal<Pending> = pendingSignal;
/** Counts up each time the host asks for the search field. */
export const searchAsked: ReadonlySignal<number> = searchSignal;

/** Why views of this page stand still, by their subscription. */
export const viewProblems: ReadonlySignal<ReadonlyMap<number, string>> = problemsSignal;

const noteProblem = (subscription: number, problem: string | null): void => {
  if ((problemsSignal.value.get(subscription) ?? null) === problem) return;
  const next = new Map(problemsSignal.value);
  if (problem === null) next.delete(subscription);
  else next.set(subscription, problem);
  problemsSignal.value = next;
};

export const isPending = (type: string, id: string, action?: string): boolean =>
  pending.value.some(
    (subject) =>
      subject.type === type && subject.id === id && (action === undefined || subject.action === action),
  );

type ViewEvent = PanelProtocol['toPanel']['events']['view'];
type Receive = (data: unknown) => void;

const receivers = new Map<number, Receive>();
/** Data that overtook the answer to its own subscription. */
const early = new Map<number, ViewEvent>();
const EARLY_KEPT = 16;

/** After the frame in which the data was drawn, so that a slow page gets fewer pictures, not a backlog. */
const afterDraw = (run: () => void): void => {
  requestAnimationFrame(() => setTimeout(run, 0));
};

const deliver = ({ subscription, version, data }: ViewEvent): void => {
  receivers.get(subscription)?.(data);
  afterDraw(() => messenger.emit('ack', { subscription, version }));
};

const messenger = new Messenger<PanelProtocol['toHost'], PanelProtocol['toPanel']>(
  {
    post: (message) => vscode.postMessage(message),
    onMessage: (listener) => window.addEventListener('message', (event) => listener(event.data)),
  },
  {},
  {
    header: (next) => {
      headerSignal.value = next;
    },
    selection: (next) => {
      selectionSignal.value = next;
    },
    runs: (next) => {
      runsSignal.value = next;
    },
    pending: ({ subjects }) => {
      pendingSignal.value = subjects;
    },
    viewProblem: ({ subscription, problem }) => noteProblem(subscription, problem),
    focusSearch: () => {
      searchSignal.value += 1;
    },
    view: (event) => {
      if (receivers.has(event.subscription)) deliver(event);
      else {
        early.set(event.subscription, event);
        const oldest = early.keys().next();
        if (early.size > EARLY_KEPT && oldest.done !== true) early.delete(oldest.value);
      }
    },
  },
);

/** Notes an error of the page and tells the host, once for each. */
export const noteError = catchPageErrors((message) => messenger.emit('problem', { message }));

export const ready = (panel: PanelName) => messenger.request('ready', { panel });

export const select = (part: Partial<Selection>): void => messenger.emit('select', part);

/** Asks the host to preview, confirm and send; resolves to false when a person cancelled it. Never rejects. */
export const command = async (what: PanelCommand): Promise<boolean> => {
  try {
    return (await messenger.request('command', what)).done;
  } catch (error) {
    noteError(error);
    return false;
  }
};

/** Host and page are one build, and the host has checked what came from the job: the table's type holds. */
export const query = async <Q extends QueryName>(
  name: Q,
  params: Queries[Q]['params'],
): Promise<Queries[Q]['result']> => {
  const ask = { query: name, params } as PanelProtocol['toHost']['requests']['query']['params'];
  return (await messenger.request('query', ask)) as Queries[Q]['result'];
};

/**
 * Subscribes to a view until the returned function is called. `receive` gets null while there is nothing.
 *
 * @param run another open run than the shown one.
 */
export const subscribe = <V extends ViewName>(
  view: V,
  params: Views[V]['params'],
  receive: (data: Views[V]['data'] | null) => void,
  run?: RunKey,
): (() => void) => {
  let id: number | null = null;
  let over = false;
  const ask = {
    view,
    params,
    ...(run === undefined ? {} : { run }),
  } as PanelProtocol['toHost']['requests']['subscribe']['params'];
  messenger.request('subscribe', ask).then(
    ({ subscription }) => {
      if (over) {
        messenger.emit('unsubscribe', { subscription });
        return;
      }
      id = subscription;
      receivers.set(subscription, (data) => receive(data as Views[V]['data'] | null));
      const waiting = early.get(subscription);
      early.delete(subscription);
      if (waiting) deliver(waiting);
    },
    (error: unknown) => noteError(error),
  );
  return () => {
    over = true;
    if (id === null) return;
    receivers.delete(id);
    noteProblem(id, null);
    messenger.emit('unsubscribe', { subscription: id });
  };
};

export const readState = (): unknown => vscode.getState();
export const writeState = (state: unknown): void => vscode.setState(state);
