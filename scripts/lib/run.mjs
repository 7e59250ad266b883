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
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean, stdin?: 'inherit' | 'ignore'}} [options]
 *   show: pass the output through while it comes (default true); it is kept as well
 * @returns {Promise<{code: number, output: string}>} code 127 when the program cannot be started
 */
export function run(command, args, { cwd = ROOT, env = process.env, show = true, stdin = 'ignore' } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: [stdin, 'pipe', 'pipe'] });
    let output = '';
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
    child.once('error', (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
    child.once('close', (code, signal) => resolve({ code: code ?? (signal === null ? 1 : 130), output }));
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
