import type { WebviewPanel } from 'vscode';
import { describe, expect, it } from 'vitest';
import type { PanelCommand } from '../../protocol/panels/messages';
import { RunRegistry } from '../runs/runRegistry';
import { ShownRun } from '../runs/shownRun';
import { SelectionStore } from '../selection';
import { SessionClient } from '../session/sessionClient';
import { PendingCommands } from '../steering/pendingCommands';
import { PanelHost } from './panelHost';

const quiet = () => undefined;

interface Posted {
  readonly rolloutscope: string;
  readonly name?: string;
  readonly id?: number;
  readonly body?: unknown;
}

function setUp() {
  const workers: { posted: Posted[]; send: (name: string, body: unknown) => void }[] = [];
  const logged: string[] = [];
  const log = { error: (line: string) => void logged.push(line), warn: quiet, info: quiet, debug: quiet };
  const registry = new RunRegistry({
    openSession: (open) => {
      const posted: Posted[] = [];
      let receive: (message: unknown) => void = quiet;
      workers.push({ posted, send: (name, body) => receive({ rolloutscope: 'event', name, body }) });
      const on = (event: string, listener: (value: never) => void) => {
        if (event === 'message') receive = listener as (value: unknown) => void;
      };
      return new SessionClient(
        { postMessage: (m) => void posted.push(m as Posted), on, terminate: quiet },
        open,
        log,
      );
    },
    client: { name: 't', version: '0' },
    storedToken: () => Promise.resolve(null),
    memory: { get: quiet, update: () => Promise.resolve() },
    log,
  });
  const selection = new SelectionStore();
  const pending = new PendingCommands();
  const commands: PanelCommand[] = [];

  const toPage: Posted[] = [];
  let fromPage: (message: unknown) => void = quiet;
  let onViewState: () => void = quiet;
  const panel = {
    visible: true,
    title: '',
    webview: {
      postMessage: (message: Posted) => void toPage.push(message),
      onDidReceiveMessage: (listener: (message: unknown) => void) => {
        fromPage = listener;
        return { dispose: quiet };
      },
    },
    onDidChangeViewState: (listener: () => void) => {
      onViewState = listener;
      return { dispose: quiet };
    },
    onDidDispose: () => ({ dispose: quiet }),
  };
  new PanelHost(panel as unknown as WebviewPanel, 'rolloutTree', {
    shown: new ShownRun(registry, selection),
    selection,
    pending,
    command: (command) => {
      commands.push(command);
      return Promise.resolve(true);
    },
    strings: () => ({ 'shared.live': 'Läuft' }),
    reducedMotion: () => true,
    log,
  });
  let id = 0;
  const request = async (name: string, body: unknown) => {
    fromPage({ rolloutscope: 'request', id: ++id, name, body });
    await new Promise((resolve) => setImmediate(resolve));
    return toPage.find((message) => message.id === id);
  };
  const event = (name: string, body: unknown) => fromPage({ rolloutscope: 'event', name, body });
  const show = (visible: boolean) => {
    panel.visible = visible;
    onViewState();
  };
  const views = () => toPage.filter(({ name }) => name === 'view').map(({ body }) => body);
  return {
    panel,
    registry,
    selection,
    pending,
    workers,
    toPage,
    logged,
    commands,
    request,
    event,
    show,
    views,
    raw: (m: unknown) => fromPage(m),
  };
}

const TREE = { view: 'tree', params: { group: null, prompt: null, step: null, rule: null } };
const names = (posted: readonly Posted[]) => posted.map(({ name }) => name).filter((name) => name !== 'open');

describe('a panel’s host', () => {
  it('posts nothing before the page says that it runs, then what it is about, then answers', async () => {
    const { selection, toPage, request } = setUp();
    selection.select({ prompt: 'p' });
    expect(toPage).toEqual([]);
    const answer = await request('ready', { panel: 'rolloutTree' });
    expect(toPage.map(({ rolloutscope, name }) => name ?? rolloutscope)).toEqual([
      'selection',
      'header',
      'runs',
      'pending',
      'answer',
    ]);
    expect(answer?.body).toEqual({ strings: { 'shared.live': 'Läuft' }, reducedMotion: true });
  });

  it('hands a view through and its acknowledgement back, once', async () => {
    const { registry, workers, request, event, views } = setUp();
    registry.openRecorded('/a');
    await request('ready', { panel: 'rolloutTree' });
    const answer = await request('subscribe', TREE);
    expect(answer?.body).toEqual({ subscription: 1 });
    const data = { $numbers: new Float64Array([Number.NaN]) };
    workers[0]!.send('view', { subscription: 1, version: 7, data });
    expect(views()).toEqual([{ subscription: 1, version: 1, data }]);
    event('ack', { subscription: 1, version: 99 });
    event('ack', { subscription: 1, version: 1 });
    expect(workers[0]!.posted.at(-1)).toMatchObject({ name: 'ack', body: { subscription: 1, version: 7 } });
    expect(names(workers[0]!.posted)).toEqual(['subscribe', 'ack']);
  });

  it('tells the page that a view stands still, until another run is shown', async () => {
    const { registry, selection, workers, request, toPage } = setUp();
    registry.openRecorded('/a');
    registry.openRecorded('/b');
    selection.select({ run: 'recorded:/a' });
    await request('ready', { panel: 'rolloutTree' });
    await request('subscribe', TREE);
    workers[0]!.send('viewProblem', { subscription: 1, problem: 'a defect' });
    selection.select({ run: 'recorded:/b' });
    expect(toPage.filter(({ name }) => name === 'viewProblem').map(({ body }) => body)).toEqual([
      { subscription: 1, problem: 'a defect' },
      { subscription: 1, problem: null },
    ]);
  });

  it('drops everything while it is hidden, and starts over with the page that comes back', async () => {
    const { registry, workers, selection, toPage, request, show } = setUp();
    registry.openRecorded('/a');
    await request('ready', { panel: 'rolloutTree' });
    await request('subscribe', TREE);
    show(false);
    const posted = toPage.length;
    selection.select({ prompt: 'q' });
    workers[0]!.send('view', { subscription: 1, version: 1, data: {} });
    expect(toPage).toHaveLength(posted);
    expect(names(workers[0]!.posted)).toEqual(['subscribe', 'unsubscribe']);
    show(true);
    await request('ready', { panel: 'rolloutTree' });
    expect(toPage.slice(posted).map(({ name }) => name)).toContain('selection');
  });

  it('shows the same pictures of another run when that is selected, and nothing when none is left', async () => {
    const { registry, workers, selection, request, views } = setUp();
    registry.openRecorded('/a');
    await request('ready', { panel: 'rolloutTree' });
    await request('subscribe', TREE);
    registry.openRecorded('/b');
    selection.select({ run: 'recorded:/b' });
    expect(names(workers[0]!.posted)).toEqual(['subscribe', 'unsubscribe']);
    expect(workers[1]!.posted.at(-1)).toMatchObject({
      name: 'subscribe',
      body: { view: 'tree', params: TREE.params },
    });
    registry.detach('recorded:/a');
    registry.detach('recorded:/b');
    expect(views().at(-1)).toMatchObject({ data: null });
  });

  it('names the open runs, and shows pictures of one that is not the shown one until that is left', async () => {
    const { registry, workers, selection, request, toPage, views } = setUp();
    registry.openRecorded('/a');
    await request('ready', { panel: 'rolloutTree' });
    registry.openRecorded('/b');
    expect(toPage.findLast(({ name }) => name === 'runs')?.body).toEqual([
      { key: 'recorded:/a', name: 'a' },
      { key: 'recorded:/b', name: 'b' },
    ]);
    await request('subscribe', { ...TREE, run: 'recorded:/b' });
    expect(names(workers[0]!.posted)).toEqual([]);
    expect(names(workers[1]!.posted)).toEqual(['subscribe']);
    // Another run is shown: this picture stays with its own.
    selection.select({ run: 'recorded:/b' });
    selection.select({ run: 'recorded:/a' });
    expect(names(workers[1]!.posted)).toEqual(['subscribe']);
    registry.detach('recorded:/b');
    expect(views().at(-1)).toMatchObject({ subscription: 1, data: null });
  });

  it('acts on nothing that a page may not send, and says so in the log', async () => {
    const { selection, commands, logged, raw, request, toPage } = setUp();
    raw({ rolloutscope: 'event', name: 'select', body: { prompt: 5 } });
    raw({ rolloutscope: 'request', id: 90, name: 'command', body: { id: 'workbench.action.quit' } });
    raw('select');
    expect(selection.value.prompt).toBeNull();
    expect(commands).toEqual([]);
    expect(logged).toHaveLength(3);
    await request('ready', { panel: 'rolloutTree' });
    await request('command', { id: 'undo', command: 'c1' });
    expect(commands).toEqual([{ id: 'undo', command: 'c1' }]);
    expect(toPage.find(({ id }) => id === 90)).toBeUndefined();
  });

  it('rejects a query when no run is open, and names the prompt in its title', async () => {
    const { panel, selection, request } = setUp();
    expect(panel.title).toBe('Tree');
    selection.select({ prompt: 'x'.repeat(60) });
    expect(panel.title).toBe(`Tree · ${'x'.repeat(31)}…`);
    await request('ready', { panel: 'rolloutTree' });
    const answer = await request('query', { query: 'decision', params: { decision: 'd', subject: null } });
    expect(answer).toMatchObject({ rolloutscope: 'error', body: 'No run is attached.' });
  });
});
