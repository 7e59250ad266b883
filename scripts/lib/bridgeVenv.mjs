import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aptInstall } from '../host/aptInstall.mjs';
import { CACHE, ROOT } from './paths.mjs';
import { Explained, lastLines, progress, run } from './run.mjs';

export const BRIDGE = path.join(ROOT, 'bridge');
const VENV = path.join(CACHE, 'bridge-venv');
const STAMP = path.join(VENV, 'made-from.txt');
const BIN = path.join(VENV, process.platform === 'win32' ? 'Scripts' : 'bin');

/** Python of the bridge's environment. */
export const BRIDGE_PYTHON = path.join(BIN, 'python');

const NEED = 'The bridge needs Python 3.10 or newer with venv.';
const WHAT_TO_DO = 'What to do: install it, or name it: PYTHON=/path/to/python3 npm test';
/** What a venv is made with; Debian keeps it in a package of its own. */
const IS_WHOLE = 'import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 10))';

/** @returns {Promise<string | undefined>} the Python that PYTHON names, else python3, else python, if it will do */
async function wholePython() {
  const named = process.env['PYTHON'];
  for (const candidate of named === undefined ? ['python3', 'python'] : [named])
    if ((await run(candidate, ['-c', IS_WHOLE], { show: false })).code === 0) return candidate;
  return undefined;
}

/** @returns {Promise<string>} a Python that can make a venv, installed if there is none */
async function findPython() {
  const found = await wholePython();
  if (found !== undefined) return found;
  const done = await aptInstall(['python3', 'python3-venv'], NEED, WHAT_TO_DO);
  const installed = await wholePython();
  if (installed === undefined) throw new Explained(`${NEED}\n${WHAT_TO_DO}`);
  done();
  return installed;
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
  if (made.code !== 0) throw new Explained(`python -m venv failed.\n${lastLines(made.output)}`);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-e', `${BRIDGE}[test]`];
  const installed = await run(BRIDGE_PYTHON, pip, { show: false });
  if (installed.code !== 0)
    throw new Explained(`pip could not install the bridge.\n${lastLines(installed.output)}`);
  writeFileSync(STAMP, wanted);
  done();
}
