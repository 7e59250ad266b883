import { spawn } from 'node:child_process';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a program in place of this script: same terminal, same signals, same exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @param {(child: import('node:child_process').ChildProcess) => void} [started]
 * @returns {Promise<number>}
 */
export function passThrough(command, args, options = {}, started = () => {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    // A terminal sends Ctrl+C to both; for this script alone it must not be the end, or the exit code is lost.
    const forward = (signal) => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, forward);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const each of SIGNALS) process.off(each, forward);
      resolve(code ?? (signal === null ? 1 : 130));
    });
    started(child);
  });
}
