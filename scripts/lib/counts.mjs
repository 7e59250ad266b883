import { readFileSync } from 'node:fs';

/** @typedef {{passed: number, failed: number, skipped: number}} Counts */

const CLOSING = /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?/g;

/** @param {Counts} counts @returns {string} */
export const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** @param {Counts[]} all @returns {Counts} */
export const sum = (all) =>
  all.reduce(
    (total, each) => ({
      passed: total.passed + each.passed,
      failed: total.failed + each.failed,
      skipped: total.skipped + each.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

/** @param {string} file of vitest's JSON report @returns {Counts | undefined} nothing when there is no report */
function vitestCounts(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
  // A file that cannot be loaded has no tests in the report, but it is a failure all the same.
  const broken = report.testResults.filter(
    (each) => each.status === 'failed' && each.assertionResults.every((one) => one.status !== 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** @param {string} output @returns {Counts | undefined} */
function printedCounts(output) {
  const last = [...output.matchAll(CLOSING)].at(-1);
  return last && { passed: Number(last[1]), failed: Number(last[2]), skipped: Number(last[3] ?? 0) };
}

/**
 * The counts of a suite that has run. One that ends with an error without naming a failed test, or that names no test at
 * all, has failed once: silence is no success.
 * @param {import('./suites.mjs').Count} how
 * @param {{code: number, output: string}} ended
 * @param {string} report
 * @returns {Counts}
 */
export function countsOf(how, { code, output }, report) {
  const one = code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
  if (how === 'exit') return one;
  const counts = (how === 'vitest' ? vitestCounts(report) : printedCounts(output)) ?? {
    passed: 0,
    failed: 0,
    skipped: 0,
  };
  const silent = counts.passed + counts.failed === 0 || (code !== 0 && counts.failed === 0);
  return silent ? { ...counts, failed: counts.failed + 1 } : counts;
}
