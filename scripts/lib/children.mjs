import { spawn } from 'node:child_process';

/**
 * Starts a program as the leader of a process group of its own, so that ending it takes along what it started.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function startGroup(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true });
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
