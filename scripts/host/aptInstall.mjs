import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { Explained, lastLines, progress, run } from '../lib/run.mjs';

/** @param {string} file */
export function executable(file) {
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
 * Installs packages of Debian or Ubuntu, as root or by sudo.
 * @param {string[]} packages
 * @param {string} need one sentence: who needs what
 * @param {string} whatToDo for a person, where they cannot be installed
 * @returns {Promise<(note?: string) => void>} says that it is done
 * @throws {Explained} when they cannot be installed
 */
export async function aptInstall(packages, need, whatToDo) {
  const root = process.getuid?.() === 0;
  if (!inPath('apt-get') || !(root || inPath('sudo'))) {
    throw new Explained(
      `${need} None is installed, and it can only be installed here with apt-get and root or sudo.\n${whatToDo}`,
    );
  }
  const done = progress(`installing ${packages.join(' and ')} with apt-get`);
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    // sudo drops the environment, so the variable is set behind it.
    const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
    const asRoot = root ? command : ['sudo', ...(process.stdin.isTTY ? [] : ['-n']), ...command];
    const { code, output } = await run(asRoot[0], asRoot.slice(1), {
      show: false,
      stdin: root ? 'ignore' : 'inherit',
    });
    if (code !== 0)
      throw new Explained(
        `apt-get ${args[0]} ended with ${code}. ${need}\n${lastLines(output)}\n${whatToDo}`,
      );
  }
  return done;
}
