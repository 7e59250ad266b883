import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CACHE, ROOT } from './paths.mjs';
import { Explained, lastLines, progress, run } from './run.mjs';

export const BRIDGE = path.join(ROOT, 'bridge');
const VENV = path.join(CACHE, 'bridge-venv');
const STAMP = path.join(VENV, 'made-from.txt');
const BIN = path.join(VENV, process.platform === 'win32' ? 'Scripts' : 'bin');
const LEAST = 'import sys; sys.exit(sys.version_info < (3, 10))';

/** Python of the bridge's environment. */
export const BRIDGE_PYTHON = path.join(BIN, 'python');

/** @returns {Promise<string>} a Python from 3.10 on: the one that PYTHON names, else python3, else python */
async function findPython() {
  const named = process.env['PYTHON'];
  for (const candidate of named === undefined ? ['python3', 'python'] : [named]) {
    if ((await run(candidate, ['-c', LEAST], { show: false })).code === 0) return candidate;
  }
  throw new Explained(
    'The bridge needs Python 3.10 or newer with venv. Install it, or name it: PYTHON=/path/to/python3 npm test',
  );
}

/**
 * Makes the environment in .cache with the bridge and its test tools, once for each pyproject.toml.
 * @returns {Promise<void>}
 * @throws {Explained} when there is no Python or the packages cannot be had
 */
export async function prepareBridge() {
  const wanted = createHash('sha256')
    .update(readFileSync(path.join(BRIDGE, 'pyproject.toml')))
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  const done = progress('Python environment of the bridge');
  rmSync(VENV, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  const made = await run(await findPython(), ['-m', 'venv', VENV], { show: false });
  if (made.code !== 0) {
    throw new Explained(`python -m venv failed; on Debian and Ubuntu it needs the package python3-venv.
${lastLines(made.output)}`);
  }
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-e', `${BRIDGE}[test]`];
  const installed = await run(BRIDGE_PYTHON, pip, { show: false });
  if (installed.code !== 0)
    throw new Explained(`pip could not install the bridge.\n${lastLines(installed.output)}`);
  writeFileSync(STAMP, wanted);
  done();
}
