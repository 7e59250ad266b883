import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/decisions.md',
  'docs/dependencies.md',
  'docs/methods.md',
];

describe.each(PAGES)('%s', (page) => {
  it('links only to files that are there', () => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const targets = [...text.matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, target]) => target ?? '')
      .filter((target) => !target.includes('://'));
    expect(targets.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).toEqual([]);
  });
});
