import path from 'node:path';

/** The repository's root: the end-to-end tests are started there. */
export const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Kept by CI: screenshots, and the logs of a failed test. */
export const RESULTS = path.join(ROOT, 'test-results');

/** The packaged extension, as a person would install it. */
export const ROLLOUTSCOPE_VSIX = path.join(ROOT, 'rolloutscope.vsix');

/** A name that is a safe file name on every system: letters, digits and dashes. */
export const fileName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 120);
