import type { WebviewPanel } from 'vscode';
import type { PanelCommand, PanelName, PanelProtocol, Strings } from '../../protocol/panels/messages';
import { Messenger } from '../../protocol/panels/messenger';
import { checkPanelMessage } from '../../protocol/panels/validate';
import type { RunKey } from '../../protocol/panels/selection';
import type { ViewName } from '../../protocol/panels/views';
import { t } from '../l10n';
import { DisposableStore, messageOf, type Disposable, type Log } from '../lifecycle';
import type { ShownRun } from '../runs/shownRun';
import type { SelectionStore } from '../selection';
import type { PendingCommands } from '../steering/pendingCommands';

export interface PanelDeps {
  readonly shown: ShownRun;
  readonly selection: SelectionStore;
  readonly pending: PendingCommands;
  /** Previews, confirms, sends; false when a person cancelled it. */
  readonly command: (command: PanelCommand) => Promise<boolean>;
  readonly strings: () => Strings;
  readonly reducedMotion: () => boolean;
  readonly log: Log;
}

interface Subscription {
  readonly view: ViewName;
  readonly params: unknown;
  /** Another run than the shown one. */
  readonly run: RunKey | undefined;
  version: number;
  drawn: () => void;
  source: Disposable;
}

const NOTHING: Disposable = { dispose: () => undefined };

/**
 * One panel. The host holds the truth: a page that becomes visible is a new page and asks for everything again;
 * while it is hidden nothing is posted, since VS Code would drop it.
 */
export class PanelHost implements Disposable {
  private readonly parts = new DisposableStore();
  private readonly messenger: Messenger<PanelProtocol['toPanel'], PanelProtocol['toHost']>;
  private readonly subscriptions = new Map<number, Subscription>();
  private nextSubscription = 1;
  /** The page has said that it runs. */
  private ready = false;

  constructor(
    private readonly panel: WebviewPanel,
    readonly name: PanelName,
    private readonly deps: PanelDeps,
  ) {
    this.messenger = new Messenger(
      { post: (message) => this.post(message), onMessage: (listener) => this.listen(listener) },
      {
        ready: () => this.onReady(),
        subscribe: ({ view, params, run }) =>
          Promise.resolve({ subscription: this.subscribe(view, params, run) }),
        query: async ({ query, params }) => {
          const { run } = deps.shown;
          if (!run) throw new Error(t('No run is attached.'));
          return run.client.queryPacked(query, params);
        },
        command: async (command) => ({ done: await deps.command(command) }),
      },
      {
        unsubscribe: ({ subscription }) => this.unsubscribe(subscription),
        ack: ({ subscription, version }) => {
          const one = this.subscriptions.get(subscription);
          if (one?.version === version) one.drawn();
        },
        select: (part) => deps.selection.select(part),
        problem: ({ message }) => deps.log.error(`page ${name}: ${message}`),
      },
    );
    this.parts.add(panel.onDidChangeViewState(() => this.onVisibility()));
    this.parts.add(panel.onDidDispose(() => this.dispose()));
    this.parts.add(deps.selection.onDidChange((selection) => this.emit('selection', selection)));
    this.parts.add(deps.pending.onDidChange((subjects) => this.emit('pending', { subjects })));
    this.parts.add(deps.shown.onDidChangeHeader((header) => this.emit('header', header)));
    this.parts.add(deps.shown.onDidSwitch(() => this.bindAll((run) => run === undefined)));
    this.parts.add(
      deps.shown.onDidChangeRuns(() => {
        this.emit('runs', deps.shown.runs);
        this.bindAll((run) => run !== undefined);
      }),
    );
    this.parts.add(deps.selection.onDidChange(() => this.retitle()));
    this.retitle();
  }

  focusSearch(): void {
    this.emit('focusSearch', null);
  }

  dispose(): void {
    this.drop();
    this.messenger.dispose();
    this.parts.dispose();
  }

  private listen(listener: (message: unknown) => void): void {
    this.parts.add(
      this.panel.webview.onDidReceiveMessage((message: unknown) => {
        try {
          checkPanelMessage(message);
        } catch (error) {
          this.deps.log.error(`page ${this.name}: ${messageOf(error)}; it was not acted on`);
          return;
        }
        listener(message);
      }),
    );
  }

  private post(message: unknown): void {
    if (this.ready && this.panel.visible) void this.panel.webview.postMessage(message);
  }

  private emit<E extends keyof PanelProtocol['toPanel']['events']>(
    name: E,
    params: PanelProtocol['toPanel']['events'][E],
  ): void {
    if (this.ready) this.messenger.emit(name, params);
  }

  private onReady(): Promise<{ strings: Strings; reducedMotion: boolean }> {
    const { shown, selection, pending, strings, reducedMotion } = this.deps;
    this.drop();
    this.ready = true;
    // What the page is about comes before its first question.
    this.emit('selection', selection.value);
    this.emit('header', shown.header);
    this.emit('runs', shown.runs);
    this.emit('pending', { subjects: pending.subjects });
    return Promise.resolve({ strings: strings(), reducedMotion: reducedMotion() });
  }

  private onVisibility(): void {
    // A hidden page is gone; the one that comes back says `ready` again.
    if (!this.panel.visible) this.drop();
  }

  private subscribe(view: ViewName, params: unknown, run: RunKey | undefined): number {
    const id = this.nextSubscription++;
    const subscription = { view, params, run, version: 0, drawn: () => undefined, source: NOTHING };
    this.subscriptions.set(id, subscription);
    this.bind(id, subscription);
    return id;
  }

  private unsubscribe(id: number): void {
    this.subscriptions.get(id)?.source.dispose();
    this.subscriptions.delete(id);
  }

  /** Other runs are shown or open: the same pictures, of these. */
  private bindAll(wanted: (run: RunKey | undefined) => boolean): void {
    for (const [id, subscription] of this.subscriptions) {
      if (!wanted(subscription.run)) continue;
      subscription.source.dispose();
      this.emit('viewProblem', { subscription: id, problem: null });
      this.bind(id, subscription);
    }
  }

  private bind(id: number, subscription: Subscription): void {
    const { shown } = this.deps;
    const run = subscription.run === undefined ? shown.run : shown.open(subscription.run);
    const send = (data: unknown, drawn: () => void) => {
      subscription.version++;
      subscription.drawn = drawn;
      this.emit('view', { subscription: id, version: subscription.version, data });
    };
    if (run) {
      subscription.source = run.client.subscribePacked(
        subscription.view,
        subscription.params,
        send,
        (problem) => this.emit('viewProblem', { subscription: id, problem }),
      );
    } else {
      subscription.source = NOTHING;
      send(null, () => undefined);
    }
  }

  private drop(): void {
    this.ready = false;
    for (const { source } of this.subscriptions.values()) source.dispose();
    this.subscriptions.clear();
  }

  private retitle(): void {
    const title = panelTitle(this.name, this.deps.selection.value.prompt);
    if (this.panel.title !== title) this.panel.title = title;
  }
}

const TITLE_LENGTH = 32;

export function panelTitle(name: PanelName, prompt: string | null): string {
  switch (name) {
    case 'overview':
      return t('Overview');
    case 'budgets':
      return t('Budgets');
    case 'passAtK':
      return t('pass@k');
    case 'rolloutTree': {
      if (prompt === null) return t('Tree');
      const short = prompt.length > TITLE_LENGTH ? `${prompt.slice(0, TITLE_LENGTH - 1)}…` : prompt;
      return t('Tree · {0}', short);
    }
  }
}
