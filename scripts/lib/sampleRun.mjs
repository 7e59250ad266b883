import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './paths.mjs';
import { Explained, lastLines, run } from './run.mjs';

/** The embedded training job, as it ships. */
export const SAMPLE_RUN = path.join(ROOT, 'dist/sample-run.js');

/** What `npm run try` starts it with. @param {string} root folder for its journal and checkpoints */
export const tryArgs = (root) => ['--dir', path.join(root, 'run')];

/** How the conformance suite starts it, run from the repository's root; the suite sets CONFORMANCE_DIR. */
export const CONFORMANCE_LAUNCH = 'node dist/sample-run.js --dir $CONFORMANCE_DIR';

/** @throws {Explained} when the build fails */
export async function buildIfMissing() {
  if (existsSync(SAMPLE_RUN)) return;
  const { code, output } = await run(process.execPath, [path.join(ROOT, 'esbuild.mjs')], { show: false });
  if (code !== 0 || !existsSync(SAMPLE_RUN))
    throw new Explained(`The sample run could not be built:\n${lastLines(output)}`);
}

/** @param {string} runtimeDir @returns {boolean} whether a run there can be found by the extension */
function announced(runtimeDir) {
  const folder = path.join(runtimeDir, 'rolloutscope');
  return existsSync(folder) && readdirSync(folder).length > 0;
}

/**
 * Waits until the started run can be found.
 * @param {{child: import('node:child_process').ChildProcess}} started
 * @param {string} runtimeDir its XDG_RUNTIME_DIR
 * @param {string} log the file with its output
 * @throws {Explained} when it ends before, or takes more than 30 s
 */
export async function waitUntilAnnounced(started, runtimeDir, log) {
  const deadline = Date.now() + 30_000;
  while (!announced(runtimeDir)) {
    if (started.child.exitCode !== null || Date.now() > deadline) {
      throw new Explained(
        `The sample run did not come up; it said:\n${lastLines(readFileSync(log, 'utf8'))}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
