import type { PanelCommand, PanelProtocol } from '../../protocol/panels/messages';
import { Messenger } from '../../protocol/panels/messenger';
import { packNumbers } from '../../protocol/panels/numbers';
import type { RunHeader, Selection } from '../../protocol/panels/selection';
import type { ViewName } from '../../protocol/panels/views';
import type { Scenario } from './fixtures/scenario';
import { SCENARIOS } from './fixtures/scenarios';

/**
 * The host's end in a test page: an `acquireVsCodeApi` whose answers come from a scenario. Loaded before the
 * panel's script. Tests drive it through `window.fakeHost`.
 */
export interface FakeHost {
  readonly commands: PanelCommand[];
  readonly selections: Partial<Selection>[];
  readonly acks: { subscription: number; version: number }[];
  readonly problems: string[];
  readonly subscriptions: { id: number; view: string; params: unknown }[];
  setHeader(change: Partial<RunHeader> | null): void;
  setSelection(change: Partial<Selection>): void;
  setPending(subjects: PanelProtocol['toPanel']['events']['pending']['subjects']): void;
  /** Sends every subscribed view anew; `change` may alter the data of a view. */
  send(change?: (view: string, data: unknown) => unknown): void;
  state: unknown;
}

declare global {
  interface Window {
    fakeHost?: FakeHost;
    acquireVsCodeApi?: () => unknown;
  }
}

const STATE_KEY = 'fake-host-state';

function start(scenario: Scenario): void {
  let toHost: (message: unknown) => void = () => undefined;
  let version = 0;
  let nextSubscription = 1;
  let header = scenario.header;
  let selection = scenario.selection;
  const live = new Map<number, { view: ViewName; params: unknown; run: string | undefined }>();

  const post = (message: unknown): void => {
    // A task of its own and structured data only, as between two processes.
    const copy: unknown = structuredClone(packNumbers(message));
    setTimeout(() => window.postMessage(copy, '*'), 0);
  };
  const sendView = (subscription: number, change?: (view: string, data: unknown) => unknown): void => {
    const entry = live.get(subscription);
    const views = entry?.run === undefined ? scenario.views : scenario.otherRuns?.[entry.run];
    const make = entry && (views?.[entry.view] as ((params: unknown) => unknown) | undefined);
    if (!entry || !make) return;
    version += 1;
    const data = make(entry.params);
    host.emit('view', { subscription, version, data: change ? change(entry.view, data) : data });
  };
  const fake: FakeHost = {
    commands: [],
    selections: [],
    acks: [],
    problems: [],
    subscriptions: [],
    setHeader: (change) => {
      header = change === null ? null : header && { ...header, ...change };
      host.emit('header', header);
    },
    setSelection: (change) => {
      selection = { ...selection, ...change };
      host.emit('selection', selection);
    },
    setPending: (subjects) => host.emit('pending', { subjects }),
    send: (change) => {
      for (const id of live.keys()) sendView(id, change);
    },
    state: JSON.parse(sessionStorage.getItem(STATE_KEY) ?? 'null'),
  };
  const host = new Messenger<PanelProtocol['toPanel'], PanelProtocol['toHost']>(
    { post, onMessage: (listener) => (toHost = listener) },
    {
      ready: () => {
        host.emit('header', header);
        host.emit('selection', selection);
        host.emit('runs', scenario.runs ?? []);
        host.emit('pending', { subjects: scenario.pending ?? [] });
        return Promise.resolve({ strings: {}, reducedMotion: scenario.reducedMotion ?? false });
      },
      subscribe: ({ view, params, run }) => {
        const subscription = nextSubscription++;
        live.set(subscription, { view, params, run });
        fake.subscriptions.push({ id: subscription, view, params });
        setTimeout(() => sendView(subscription), 0);
        return Promise.resolve({ subscription });
      },
      query: ({ query, params }) => {
        const answer = scenario.queries?.[query] as ((params: unknown) => unknown) | undefined;
        return Promise.resolve(answer ? answer(params) : null);
      },
      command: (command) => {
        fake.commands.push(command);
        return Promise.resolve({ done: true });
      },
    },
    {
      unsubscribe: ({ subscription }) => live.delete(subscription),
      ack: (ack) => fake.acks.push(ack),
      select: (change) => {
        fake.selections.push(change);
        fake.setSelection(change);
      },
      problem: ({ message }) => fake.problems.push(message),
    },
  );
  window.fakeHost = fake;
  window.acquireVsCodeApi = () => ({
    postMessage: (message: unknown) => {
      const copy: unknown = structuredClone(message);
      setTimeout(() => toHost(copy), 0);
    },
    getState: () => fake.state,
    setState: (state: unknown) => {
      fake.state = state;
      sessionStorage.setItem(STATE_KEY, JSON.stringify(state));
    },
  });
}

const name = new URLSearchParams(location.search).get('scenario') ?? '';
const scenario = SCENARIOS[name];
if (!scenario) throw new Error(`no scenario ${name}`);
start(scenario);
