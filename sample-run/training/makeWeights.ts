/**
 * Makes policy/weights.bin by the recipe in recipe.ts. The result depends on nothing else, so running
 * it again gives the same bytes.
 *   tsx sample-run/training/makeWeights.ts            makes and writes the file
 *   tsx sample-run/training/makeWeights.ts --check    makes the weights and compares them with the file
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadWeights, saveWeights } from '../policy/weights';
import { HELD_OUT_TASKS } from '../tasks/taskSet';
import { evaluate } from './evaluate';
import { RECIPE } from './recipe';
import { warmStart } from './warmStart';

const FILE = new URL('../policy/weights.bin', import.meta.url);
const REPORT_EVERY = 250;

const started = performance.now();
let sum = 0;
const parameters = warmStart(RECIPE, (update, loss) => {
  sum += loss;
  if ((update + 1) % REPORT_EVERY !== 0) return;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `update ${update + 1} of ${RECIPE.updates}: ${(sum / REPORT_EVERY).toFixed(4)} nats a token, ${seconds} s`,
  );
  sum = 0;
});
const bytes = saveWeights(parameters, RECIPE);
const { checksum } = loadWeights(bytes);
if (process.argv.includes('--check')) {
  const same = Buffer.compare(readFileSync(FILE), bytes) === 0;
  console.log(
    same
      ? `The recipe gives ${FILE.pathname} again, byte for byte (${checksum}).`
      : `The recipe gives other weights (${checksum}) than the file holds.`,
  );
  process.exitCode = same ? 0 : 1;
} else {
  writeFileSync(FILE, bytes);
  const { pass1, meanTokens } = evaluate(parameters, HELD_OUT_TASKS, 64, RECIPE.seed, 'warm-start');
  console.log(
    `Wrote ${bytes.length} bytes, checksum ${checksum}: pass@1 ${pass1.toFixed(3)} on held-out prompts, ${meanTokens.toFixed(1)} tokens a rollout.`,
  );
}
