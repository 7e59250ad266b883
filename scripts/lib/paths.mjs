import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const CACHE = path.join(ROOT, '.cache');
export const RESULTS = path.join(ROOT, 'test-results');
export const VSIX = path.join(ROOT, 'rolloutscope.vsix');

/** A tool of the project's own node_modules, started with this Node: no shell, no PATH, no global install. */
export const TOOLS = {
  tsc: path.join(ROOT, 'node_modules/typescript/bin/tsc'),
  eslint: path.join(ROOT, 'node_modules/eslint/bin/eslint.js'),
  prettier: path.join(ROOT, 'node_modules/prettier/bin/prettier.cjs'),
  vitest: path.join(ROOT, 'node_modules/vitest/vitest.mjs'),
  tsx: path.join(ROOT, 'node_modules/tsx/dist/cli.mjs'),
};
