import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { Explained, lastLines, progress, run } from '../lib/run.mjs';

const PACKAGES = ['chromium-headless-shell', 'fonts-dejavu-core'];
const KNOWN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const WHAT_TO_DO =
  'What to do: install a Chromium or Chrome yourself and name its program, for example CHROME=/usr/bin/chromium npm test';

/** @param {string} file */
function executable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} name @returns {boolean} whether a program of that name is in PATH */
const inPath = (name) =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => executable(path.join(folder, name)));

/**
 * The Chromium the end-to-end tests drive: CHROME when it is set, else an installed one, else Debian's package.
 * @returns {Promise<string>} path of the program
 * @throws {Explained} when there is none and none can be installed
 */
export async function installBrowser() {
  const named = process.env.CHROME;
  if (named !== undefined && named !== '') {
    if (executable(named)) return named;
    throw new Explained(`CHROME names ${named}, which is not a program that can be run.\n${WHAT_TO_DO}`);
  }
  const found = KNOWN.find((file) => existsSync(file));
  if (found !== undefined) return found;

  const root = process.getuid?.() === 0;
  if (!inPath('apt-get') || !(root || inPath('sudo'))) {
    throw new Explained(
      `The end-to-end tests need a Chromium. None is installed, and it can only be installed here with apt-get and root or sudo.\n${WHAT_TO_DO}`,
    );
  }
  const done = progress(`installing ${PACKAGES.join(' and ')} with apt-get (about 100 MB to download)`);
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...PACKAGES],
  ]) {
    // sudo drops the environment, so the variable is set behind it.
    const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
    const asRoot = root ? command : ['sudo', ...(process.stdin.isTTY ? [] : ['-n']), ...command];
    const { code, output } = await run(asRoot[0], asRoot.slice(1), {
      show: false,
      stdin: root ? 'ignore' : 'inherit',
    });
    if (code !== 0) {
      throw new Explained(
        `apt-get ${args[0]} ended with ${code}; the end-to-end tests need its Chromium.\n${lastLines(output)}\n${WHAT_TO_DO}`,
      );
    }
  }
  const browser = KNOWN.find((file) => existsSync(file));
  if (browser === undefined)
    throw new Explained(`apt-get installed ${PACKAGES[0]}, but no Chromium is there.\n${WHAT_TO_DO}`);
  done(browser);
  return browser;
}
