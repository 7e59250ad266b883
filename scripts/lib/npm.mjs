import path from 'node:path';
import { Explained, lastLines, run } from './run.mjs';

/**
 * The npm that started this script, else the one in PATH.
 * @returns {[string, string[]]}
 */
function npmCommand() {
  const own = process.env.npm_execpath;
  return own !== undefined && path.basename(own).startsWith('npm') ? [process.execPath, [own]] : ['npm', []];
}

/** The environment of a nested npm: what `npm run` tells about the outer project would mislead it. */
function nestedEnv() {
  const misleading =
    /^(npm_package_|npm_lifecycle_|npm_config_local_prefix$|npm_command$|INIT_CWD$|NODE_OPTIONS$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !misleading.test(name)));
}

/**
 * Runs npm in a folder, never with install scripts.
 * @param {string[]} args
 * @param {string} cwd
 * @param {string} what for the message when it fails
 * @throws {Explained}
 */
export async function npm(args, cwd, what) {
  const [command, first] = npmCommand();
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await run(command, [...first, ...args, ...flags], {
    cwd,
    env: nestedEnv(),
    show: false,
  });
  // npm 10 ends with 0 when the registry fails it in the middle; only this line of its own tells.
  if (code === 0 && !output.includes('Exit handler never called')) return;
  throw new Explained(
    `${what} could not be installed: npm ${args.join(' ')} ended with ${code} in ${cwd}.\n${lastLines(output)}\n` +
      `What to do: check that this machine reaches its npm registry (npm ping) and has 1 GB of free disk, then run the same command again.`,
  );
}
