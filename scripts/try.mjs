import { mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installHost } from './host/installHost.mjs';
import { startGroup } from './lib/children.mjs';
import { startCodeServer, writeUserSettings } from './lib/codeServer.mjs';
import { desktopEnv, findDesktopCode, prepareDesktopCode } from './lib/desktopCode.mjs';
import { CACHE, ROOT, VSIX } from './lib/paths.mjs';
import { Explained, progress, run, runMain } from './lib/run.mjs';
import { SAMPLE_RUN, tryArgs, waitUntilAnnounced } from './lib/sampleRun.mjs';

/** The extension finds the one run that announces itself, attaches and opens its overview. */
const SETTINGS = { 'rolloutscope.attachOnStartup': 'found' };

/** @typedef {{ended: Promise<unknown>, stop: () => Promise<void>}} Open */

/** @returns {Promise<Open | undefined>} nothing when there is no desktop VS Code that takes the extension */
async function openDesktop(root, folder, runtimeDir) {
  const code = findDesktopCode(process.env, process.platform);
  if (code === undefined) return undefined;
  const env = desktopEnv(process.env, runtimeDir);
  writeUserSettings(path.join(root, 'user-data'), SETTINGS);
  const prepared = await prepareDesktopCode({ code, root, folder, vsix: VSIX, env });
  if (typeof prepared === 'string') {
    console.log(
      `${code} does not take the extension, so VS Code is served for the browser instead:\n${prepared}`,
    );
    return undefined;
  }
  const window = startGroup(code, prepared.args, { env, output: 'ignore' });
  console.log(
    `\nVS Code opens with the sample run attached. Close its window or press Ctrl+C here to end both.`,
  );
  return {
    ended: window.ended,
    async stop() {
      prepared.stop();
      await window.stop();
    },
  };
}

/** @returns {Promise<Open>} */
async function openInBrowser(root, folder, runtimeDir) {
  const host = await installHost('full');
  const served = await startCodeServer({ host, root, runtimeDir, vsix: [VSIX], settings: SETTINGS });
  console.log(
    `\nOpen this address in a browser; the sample run is attached:\n\n  ${served.url(folder)}\n\nCtrl+C ends both.`,
  );
  return served;
}

/** @returns {Promise<string>} what asked this script to end */
const asked = () =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve(signal));
  });

// Builds, starts the sample run and opens a VS Code with the extension attached to it: npm run try
await runMain(async () => {
  const end = asked();
  const packaging = await run(process.execPath, [path.join(ROOT, 'scripts/package.mjs')]);
  if (packaging.code !== 0)
    throw new Explained('The extension could not be packaged; the messages stand above.');

  mkdirSync(path.join(CACHE, 'try'), { recursive: true });
  const root = mkdtempSync(path.join(CACHE, 'try/vscode-'));
  // Sockets are made in it, whose paths must be short, and a checkout may lie deep.
  const runtimeDir = mkdtempSync(path.join(os.tmpdir(), 'rs-'));
  const folder = path.join(root, 'folder');
  mkdirSync(folder);
  /** @type {(() => Promise<void>)[]} */
  const stops = [];
  try {
    const log = path.join(root, 'sample-run.log');
    const output = openSync(log, 'a');
    const starting = progress('starting the sample run');
    const env = { ...process.env, XDG_RUNTIME_DIR: runtimeDir };
    const sampleRun = startGroup(process.execPath, [SAMPLE_RUN, ...tryArgs(root)], {
      cwd: folder,
      env,
      output,
    });
    stops.push(sampleRun.stop);
    await waitUntilAnnounced(sampleRun, runtimeDir, log);
    starting();

    const open =
      (await openDesktop(root, folder, runtimeDir)) ?? (await openInBrowser(root, folder, runtimeDir));
    stops.unshift(open.stop);
    let ending = false;
    void sampleRun.ended.then(() => {
      if (!ending) console.log('The sample run has ended; what it recorded can still be looked at.');
    });
    await Promise.race([end, open.ended]);
    ending = true;
  } finally {
    for (const stop of stops) await stop();
    for (const each of [root, runtimeDir])
      rmSync(each, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
});
