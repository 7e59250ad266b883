import { existsSync } from 'node:fs';
import { Explained } from '../lib/run.mjs';
import { aptInstall, executable } from './aptInstall.mjs';

const PACKAGES = ['chromium-headless-shell', 'fonts-dejavu-core'];
const KNOWN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const WHAT_TO_DO =
  'What to do: install a Chromium or Chrome yourself and name its program, for example CHROME=/usr/bin/chromium npm test';

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

  const done = await aptInstall(PACKAGES, 'The end-to-end tests need a Chromium.', WHAT_TO_DO);
  const browser = KNOWN.find((file) => existsSync(file));
  if (browser === undefined)
    throw new Explained(`apt-get installed ${PACKAGES[0]}, but no Chromium is there.\n${WHAT_TO_DO}`);
  done(browser);
  return browser;
}
