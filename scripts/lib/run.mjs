import { spawn } from 'node:child_process';
import { ROOT } from './paths.mjs';

/** A failure whose message is meant for the person at the terminal: shown without a stack. */
export class Explained extends Error {}

/** @param {string} what @returns {(note?: string) => void} prints what was done and how long it took */
export function progress(what) {
  const start = Date.now();
  console.log(`… ${what}`);
  return (note) =>
    console.log(
      `  done in ${((Date.now() - start) / 1000).toFixed(1)} s${note === undefined ? '' : `: ${note}`}`,
    );
}

/**
 * Runs a program to its end. Never rejects for a non-zero exit: the caller decides what that means.
 * @param {string} command
 * @param {string[]} args
 * @param {object} [options]
 * @param {string} [options.cwd]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {boolean} [options.show] pass the output through while it comes (default); it is kept as well
 * @param {'inherit' | 'ignore'} [options.stdin]
 * @param {number} [options.timeoutMs] after which it is ended; 0, the default, is never
 * @returns {Promise<{code: number, output: string, timedOut: boolean}>} code 127 when it cannot be started
 */
export function run(
  command,
  args,
  { cwd = ROOT, env = process.env, show = true, stdin = 'ignore', timeoutMs = 0 } = {},
) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: [stdin, 'pipe', 'pipe'] });
    let output = '';
    let timedOut = false;
    const end = (signal) => {
      timedOut = true;
      child.kill(signal);
    };
    const timers =
      timeoutMs > 0
        ? [setTimeout(end, timeoutMs, 'SIGTERM'), setTimeout(end, timeoutMs + 10_000, 'SIGKILL')]
        : [];
    const finish = (code) => {
      timers.forEach(clearTimeout);
      resolve({ code, output, timedOut });
    };
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      from.setEncoding('utf8');
      from.on('data', (text) => {
        output += text;
        if (show) to.write(text);
      });
    }
    child.once('error', (error) => {
      output += `${error.message}\n`;
      finish(127);
    });
    child.once('close', (code, signal) => finish(code ?? (signal === null ? 1 : 130)));
  });
}

/** @param {string} output @param {number} count @returns {string} the last lines, indented for a message */
export const lastLines = (output, count = 15) =>
  output
    .trimEnd()
    .split('\n')
    .slice(-count)
    .map((line) => `    ${line}`)
    .join('\n');

/**
 * Runs the main function of a script and turns a failure into an exit code.
 * @param {() => Promise<number | void>} main returns the exit code; nothing means 0
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    console.error(error instanceof Explained ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
