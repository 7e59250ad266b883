import path from 'node:path';
import { RESULTS, ROOT, TOOLS } from './paths.mjs';
import { CONFORMANCE_LAUNCH } from './sampleRun.mjs';

/**
 * How a suite's tests are counted: `exit` is one test, passed or failed; `vitest` reads its JSON report; `closingLine`
 * reads the last "N passed, N failed, N skipped" the suite prints.
 * @typedef {'exit' | 'vitest' | 'closingLine'} Count
 */

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string[]} args of this Node
 * @property {Count} count
 * @property {string[]} needs suites without which this one says nothing
 * @property {number} minutes after which it is ended and counted as failed
 */

/** @param {string} name @returns {string} file of a suite's JSON report */
export const reportOf = (name) => path.join(RESULTS, `${name}.json`);

/** @param {string} name @param {string} config */
const vitest = (name, config) => [
  TOOLS.vitest,
  ...[
    'run',
    '--config',
    config,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportOf(name)}`,
  ],
];

/** @param {string} name @param {string[]} args @param {Partial<Suite>} [more] @returns {Suite} */
const suite = (name, args, more = {}) => ({ name, args, count: 'exit', needs: [], minutes: 15, ...more });

/** Every suite of `npm test`, in order. */
export const SUITES = [
  suite('typecheck', [TOOLS.tsc, '-b']),
  suite('lint', [TOOLS.eslint, '.', '--max-warnings', '0']),
  suite('format', [TOOLS.prettier, '--check', '--log-level', 'warn', '.']),
  suite('unit', vitest('unit', 'vitest.config.mjs'), { count: 'vitest' }),
  suite('build', [path.join(ROOT, 'esbuild.mjs'), '--production']),
  suite('conformance', [TOOLS.tsx, 'test/conformance/conformance.ts', '--launch', CONFORMANCE_LAUNCH], {
    count: 'closingLine',
    needs: ['build'],
  }),
  suite('bridge', [path.join(ROOT, 'scripts/bridgeTests.mjs')], { count: 'closingLine' }),
  suite('panels', vitest('panels', 'vitest.panels.config.mjs'), { count: 'vitest', needs: ['build'] }),
  suite('package', [path.join(ROOT, 'scripts/package.mjs'), '--no-build'], { needs: ['build'] }),
  suite('e2e', vitest('e2e', 'vitest.e2e.config.mjs'), { count: 'vitest', needs: ['package'], minutes: 40 }),
];
