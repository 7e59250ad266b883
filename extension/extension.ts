import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Uri, commands, env, l10n, window, workspace, type ExtensionContext } from 'vscode';
import { MANIFEST_NAME } from '../protocol/journal/format';
import { measureDelay, type RolloutscopeApi } from './api';
import { commandHandlers } from './commandHandlers';
import { COMMAND_IDS } from './commands';
import { ContextUpdater } from './contextUpdater';
import { Documents } from './documents';
import { setTranslate } from './l10n';
import { LanguageChecks } from './languageChecks';
import { messageOf } from './lifecycle';
import { Look } from './look';
import { panelCommand } from './panels/panelCommands';
import { Panels } from './panels/panels';
import { panelStrings } from './panels/strings';
import { AttachFlow } from './runs/attachFlow';
import { ResultsFlow } from './runs/resultsFlow';
import { comeBack } from './runs/comeBack';
import { mayUseUnasked } from './runs/consent';
import { parseAddress } from './runs/address';
import { DiscoveryWatcher, discoveryFolders } from './runs/discovery';
import { RunRegistry } from './runs/runRegistry';
import { SampleRun } from './runs/sampleRun';
import { ShownRun } from './runs/shownRun';
import { Tokens } from './runs/tokens';
import { KeptSelection } from './keptSelection';
import { SelectionStore } from './selection';
import { SessionClient } from './session/sessionClient';
import { readSetting, type SettingName, type SettingValue } from './settings';
import { StatusBar } from './statusBar';
import { PendingCommands } from './steering/pendingCommands';
import { Steering } from './steering/steer';
import { SteeringCommands } from './steering/steeringCommands';
import { Teller } from './tell';
import { PromptsView } from './views/promptsView';
import { RunsView } from './views/runsView';
import { SteeringView } from './views/steeringView';

/** Memory that the store of a run may take in its worker, MB. */
const WORKER_MB = 8_192;

/** Puts the parts together. Each part is small until it is used: workers, panels and the language client come later. */
export function activate(context: ExtensionContext): RolloutscopeApi {
  const begun = performance.now();
  setTranslate((message, ...args) => l10n.t(message, ...args));
  const own = <T extends { dispose(): unknown }>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const log = own(window.createOutputChannel('Rolloutscope', { log: true }));
  const tell = new Teller(log);
  const setting = <N extends SettingName>(name: N): SettingValue<N> =>
    readSetting((key) => workspace.getConfiguration('rolloutscope').get(key), name);
  const exists = (file: Uri) =>
    Promise.resolve(workspace.fs.stat(file)).then(
      () => true,
      () => false,
    );
  const { version } = context.extension.packageJSON as { readonly version: string };
  const client = { name: 'Rolloutscope for VS Code', version };

  const selection = own(new SelectionStore());
  const kept = new KeptSelection(context.workspaceState);
  const tokens = new Tokens(context.secrets, log);
  const storedToken = (address: string) => {
    const parsed = parseAddress(address);
    return 'problem' in parsed ? Promise.resolve(null) : tokens.get(parsed.origin);
  };
  const sampleDir = join(context.globalStorageUri.fsPath, 'sample-run');
  const discovery = own(
    new DiscoveryWatcher(
      () => [...discoveryFolders(process.env), sampleDir, ...setting('discovery.folders')],
      log,
    ),
  );
  const workerFile = join(context.extensionPath, 'dist', 'session-worker.js');
  const registry = own(
    new RunRegistry({
      openSession: (open) =>
        new SessionClient(
          new Worker(workerFile, {
            name: 'rolloutscope',
            resourceLimits: { maxOldGenerationSizeMb: WORKER_MB },
          }),
          open,
          log,
        ),
      client,
      storedToken,
      memory: context.workspaceState,
      log,
    }),
  );
  const shown = own(new ShownRun(registry, selection));
  const sampleRun = own(
    new SampleRun({
      script: join(context.extensionPath, 'dist', 'sample-run.js'),
      dir: sampleDir,
      execPath: process.execPath,
      memory: context.globalState,
      findRuns: () => discovery.refresh(),
      log,
    }),
  );
  const isSample = (key: string) => sampleRun.isOurs(key.replace(/^live:/, ''));
  const startSampleRun = () =>
    Promise.resolve(
      window.withProgress({ location: { viewId: 'rolloutscope.runs' } }, async () => {
        try {
          await attach.found(await sampleRun.start());
        } catch (error) {
          tell.tell('sampleRunFailed', { detail: messageOf(error) });
        }
      }),
    );
  const attach = new AttachFlow({
    registry,
    discovery,
    selection,
    tokens,
    memory: context.globalState,
    tell,
    exists,
    startSampleRun,
    openResults: () => results.open(),
    onAttached: () => panels.showFirst(),
  });

  const pending = own(new PendingCommands());
  const documents = own(new Documents());
  const results = new ResultsFlow({
    registry,
    selection,
    documents,
    tell,
    onOpened: () => panels.show('passAtK'),
  });
  const runsView = own(
    new RunsView({
      registry,
      discovery,
      shown,
      isSample,
      remoteName: env.remoteName,
      onDrop: async (uris) => {
        const folder = uris[0];
        const isJournal = folder && uris.length === 1 && (await exists(Uri.joinPath(folder, MANIFEST_NAME)));
        await (isJournal ? attach.openRecorded(folder) : results.open(uris));
      },
    }),
  );
  const promptsView = own(new PromptsView(context.extensionUri, shown, selection));
  const steeringView = own(new SteeringView(shown, pending));
  const steering = new SteeringCommands({
    steering: new Steering({
      pending,
      tell,
      author: () => setting('author') || userInfo().username,
      confirms: () => setting('steering.confirm'),
      openBudgets: () => panels.show('budgets'),
      showRecord: () => void commands.executeCommand('rolloutscope.steering.focus'),
      log,
    }),
    run: () => shown.run,
    selection: () => selection.value,
    record: () => steeringView.rows,
    tell,
  });
  const look = new Look({
    run: () => shown.run,
    selection,
    documents,
    open: (panel) => panels.show(panel),
    tell,
  });
  const panels = own(
    new Panels(context.extensionUri, {
      shown,
      selection,
      pending,
      command: (command) =>
        panelCommand(
          { root: context.extensionUri, steering, look, open: (panel) => panels.show(panel), exists },
          command,
        ),
      strings: () => panelStrings(l10n.bundle),
      reducedMotion: () => workspace.getConfiguration('workbench').get('reduceMotion') === 'on',
      log,
    }),
  );
  const tokenRefused = () => {
    const report = shown.run?.client.report;
    return report?.state === 'refused' && report.problem?.kind === 'tokenRefused';
  };
  own(new StatusBar(shown, tokenRefused));
  const checks = own(new LanguageChecks(context, log));

  const keys = new ContextUpdater();
  const updateKeys = () =>
    keys.update({
      header: shown.header,
      selection: selection.value,
      tokenRefused: tokenRefused(),
      sampleRunning: sampleRun.isRunning,
      found: discovery.runs.length,
      promptsFiltered: promptsView.filter !== '',
    });
  own(shown.onDidChangeHeader(updateKeys));
  own(selection.onDidChange(updateKeys));
  own(sampleRun.onDidChange(updateKeys));
  own(
    discovery.onDidChange((found) => {
      sampleRun.note(found);
      registry.follow(found);
      updateKeys();
    }),
  );
  updateKeys();

  const handlers = commandHandlers({
    attach,
    results,
    registry,
    discovery,
    shown,
    selection,
    sampleRun,
    panels,
    steering,
    look,
    tell,
    checks,
    views: { runs: runsView, prompts: promptsView, steering: steeringView },
    startSampleRun,
    showLog: () => log.show(),
    onFilter: updateKeys,
    log,
  });
  for (const id of COMMAND_IDS) {
    own(commands.registerCommand(id, (argument: unknown) => handlers[id](argument)));
  }

  void comeBack(registry, discovery, {
    attachFound: setting('attachOnStartup') === 'found' && workspace.isTrusted,
    mayUse: (address) => mayUseUnasked(context.globalState, address),
    onRestored: () => own(kept.follow(selection, (run) => registry.get(run) !== null)),
    onAttached: () => panels.showFirst(),
    log: (message) => log.error(message),
  });
  const activateMs = performance.now() - begun;
  log.info(`active after ${activateMs.toFixed(1)} ms`);
  return {
    activateMs,
    runs: () => registry.runs.map(({ header }) => header),
    selection: () => selection.value,
    select: (part) => selection.select(part),
    measureDelay,
  };
}
