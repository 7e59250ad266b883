import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PolicyParameters } from './policy/policyParameters';
import { loadWeights } from './policy/weights';
import { reasonOf, StartError } from './runFolder';

/**
 * The weights that a new run begins with: beside the bundled script, or in `policy/` when run from sources.
 *
 * @param script path of the running script.
 * @throws StartError when there are none, or they cannot be used.
 */
export async function readWeights(script: string): Promise<PolicyParameters> {
  const folder = dirname(await realpath(script).catch(() => script));
  const places = [join(folder, 'weights.bin'), join(folder, 'policy', 'weights.bin')];
  for (const path of places) {
    let bytes: Uint8Array;
    try {
      bytes = await readFile(path);
    } catch {
      continue;
    }
    try {
      return loadWeights(bytes).parameters;
    } catch (error) {
      throw new StartError(`${path}: ${reasonOf(error)}`);
    }
  }
  throw new StartError(
    `The weights of the sample policy are missing: ${places[0] ?? ''}. Build or install again.`,
  );
}
