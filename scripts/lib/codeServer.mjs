import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { startGroup } from './children.mjs';
import { openGate } from './gate.mjs';
import { Explained, lastLines, run } from './run.mjs';

/** What keeps a throw-away workbench quiet: no network, no first-run pages, no trust question. */
const QUIET = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'git.enabled': false,
  'window.restoreWindows': 'none',
};

/**
 * Settings of the user and, the same, of the machine: a served VS Code is a remote one, and takes what is declared
 * for a machine from there alone.
 * @param {string} userData @param {Record<string, unknown>} settings
 */
export function writeUserSettings(userData, settings) {
  const text = JSON.stringify({ ...QUIET, ...settings }, null, 2);
  for (const kind of ['User', 'Machine']) {
    const folder = path.join(userData, kind);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'settings.json'), text);
  }
}

/** @param {string} socket @returns {Promise<boolean>} */
const healthy = (socket) =>
  new Promise((resolve) => {
    const request = http.get({ socketPath: socket, path: '/healthz' }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('error', () => resolve(false));
  });

/** The person's own server and home must neither leak in nor be written to. */
function cleanEnv(root, runtimeDir, extra) {
  const home = path.join(root, 'home');
  mkdirSync(home, { recursive: true });
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|CODE_SERVER_|npm_|NODE_OPTIONS$|PORT$|PASSWORD$|HASHED_PASSWORD$)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local/share'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    XDG_RUNTIME_DIR: runtimeDir,
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    ...extra,
  };
}

/**
 * Serves a VS Code on 127.0.0.1 with extensions installed, everything it writes below one folder.
 * @param {object} options
 * @param {import('../host/installHost.mjs').Host} options.host
 * @param {string} options.root folder for the server's own files
 * @param {string} options.runtimeDir XDG_RUNTIME_DIR of the extension host: short, because sockets are made in it
 * @param {string[]} options.vsix files of the extensions to install
 * @param {Record<string, unknown>} options.settings user settings
 * @param {Record<string, string>} [options.env] more variables for the extension host
 * @throws {Explained} when an extension is refused or the server does not come up within 60 s
 */
export async function startCodeServer({ host, root, runtimeDir, vsix, settings, env = {} }) {
  const userData = path.join(root, 'user-data');
  const serverLog = path.join(root, 'server.log');
  const socket = path.join(runtimeDir, 'workbench.sock');
  const config = path.join(root, 'config.yaml');
  writeUserSettings(userData, settings);
  writeFileSync(config, 'auth: none\ncert: false\n');
  const places = [
    '--config',
    config,
    '--user-data-dir',
    userData,
    '--extensions-dir',
    path.join(root, 'extensions'),
  ];
  const serverEnv = cleanEnv(root, runtimeDir, env);

  for (const file of vsix) {
    const install = [host.codeServer, ...places, '--install-extension', file, '--force'];
    const { code, output } = await run(host.node, install, { env: serverEnv, show: false });
    if (code !== 0) throw new Explained(`The VS Code refused ${file}:\n${lastLines(output)}`);
  }

  const listen = ['--auth', 'none', '--socket', socket, '--socket-mode', '600'];
  const quiet = ['telemetry', 'update-check', 'workspace-trust', 'getting-started-override', 'proxy'].map(
    (name) => `--disable-${name}`,
  );
  const log = openSync(serverLog, 'a');
  const server = startGroup(host.node, [host.codeServer, ...places, ...listen, ...quiet], {
    env: serverEnv,
    output: log,
  });
  closeSync(log);

  const deadline = Date.now() + 60_000;
  while (!(await healthy(socket))) {
    if (server.child.exitCode !== null || Date.now() > deadline) {
      await server.stop();
      throw new Explained(`The served VS Code did not start:\n${lastLines(readFileSync(serverLog, 'utf8'))}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const gate = await openGate(socket);
  return {
    /** @param {string} folder @returns {string} the address that opens the folder */
    url: (folder) => gate.address({ folder }),
    userData,
    serverLog,
    ended: server.ended,
    async stop() {
      gate.close();
      await server.stop();
    },
  };
}
