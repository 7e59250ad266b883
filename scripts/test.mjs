import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { closingLine, countsOf, sum } from './lib/counts.mjs';
import { readOptions } from './lib/options.mjs';
import { RESULTS } from './lib/paths.mjs';
import { Explained, run, runMain } from './lib/run.mjs';
import { SUITES, reportOf } from './lib/suites.mjs';

/** @typedef {{name: string, counts: import('./lib/counts.mjs').Counts, seconds: number, note: string}} Result */

/** @returns {import('./lib/suites.mjs').Suite[]} @throws {Explained} on a name that is no suite */
function chosen(only) {
  if (only === undefined) return SUITES;
  const names = String(only).split(',');
  const unknown = names.find((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown !== undefined)
    throw new Explained(`No suite ${unknown}. There are: ${SUITES.map((suite) => suite.name).join(', ')}`);
  return SUITES.filter((suite) => names.includes(suite.name));
}

/** @param {import('./lib/suites.mjs').Suite} suite @returns {Promise<Result>} */
async function runSuite({ name, args, count, minutes }) {
  const report = reportOf(name);
  rmSync(report, { force: true });
  const start = Date.now();
  const ended = await run(process.execPath, args, { timeoutMs: minutes * 60_000 });
  const seconds = (Date.now() - start) / 1000;
  const note = ended.timedOut ? `ended after ${minutes} minutes` : '';
  return { name, counts: countsOf(count, ended, report), seconds, note };
}

/** @param {Result[]} results */
function table(results) {
  const rows = results.map(({ name, counts, seconds, note }) => {
    const numbers = [counts.passed, counts.failed, counts.skipped].map((each) => String(each).padStart(8));
    return `${name.padEnd(12)}${numbers.join('')}${seconds.toFixed(1).padStart(10)}  ${note}`.trimEnd();
  });
  return [`${'suite'.padEnd(12)}  passed  failed skipped   seconds`, ...rows].join('\n');
}

// Runs every suite, or those named: npm test [-- --only unit,e2e]
await runMain(async () => {
  const { only } = readOptions(process.argv.slice(2), { only: 'value' });
  const suites = chosen(only);
  if (only === undefined) rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });

  /** @type {Result[]} */
  const results = [];
  for (const suite of suites) {
    console.log(`\n━━ ${suite.name} ━━`);
    const missing = suite.needs.find((need) =>
      results.some(({ name, counts }) => name === need && counts.failed > 0),
    );
    if (missing !== undefined) {
      console.log(`not run: ${missing} failed`);
      const counts = { passed: 0, failed: 1, skipped: 0 };
      results.push({ name: suite.name, counts, seconds: 0, note: `not run: ${missing} failed` });
      continue;
    }
    results.push(await runSuite(suite));
  }

  const total = sum(results.map(({ counts }) => counts));
  const summary = `${table(results)}\n\n${closingLine(total)}`;
  writeFileSync(path.join(RESULTS, 'summary.txt'), `${summary}\n`);
  console.log(`\n━━ summary ━━\n${summary}`);
  return total.failed > 0 ? 1 : 0;
});
