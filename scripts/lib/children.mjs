import { spawn } from 'node:child_process';
import path from 'node:path';
import { ROOT } from './paths.mjs';

const GUARD = path.join(ROOT, 'scripts/lib/guard.mjs');

/**
 * Starts a program in a process group of its own, so that ending it takes along what it started. The group ends by itself
 * when this process is gone, however that happened.
 * @param {string} command
 * @param {string[]} args
 * @param {object} options
 * @param {string} [options.cwd]
 * @param {NodeJS.ProcessEnv} options.env
 * @param {number | 'ignore'} options.output an open file
 */
export function startGroup(command, args, { cwd, env, output }) {
  const stdio = /** @type {const} */ (['pipe', output, output]);
  const child = spawn(process.execPath, [GUARD, command, ...args], { cwd, env, stdio, detached: true });
  const ended = new Promise((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', () => resolve(127));
  });

  /** @param {NodeJS.Signals} signal */
  const signalGroup = (signal) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // Nobody of the group is left.
    }
  };

  return {
    child,
    /** Resolves with the exit code, 127 when the program could not be started. */
    ended,
    /** Asks the group to end, and after five seconds makes it. */
    async stop() {
      signalGroup('SIGTERM');
      const timer = setTimeout(() => signalGroup('SIGKILL'), 5000);
      await ended;
      clearTimeout(timer);
      signalGroup('SIGKILL');
    },
  };
}
