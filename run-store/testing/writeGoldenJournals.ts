import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { coverageJournals } from './coverageJournals';
import { goldenJournals } from './goldenJournals';

/** Writes the golden journals anew; to be run when the format changes, which makes a new version and new folders. */
for (const [folder, journals] of [
  ['journal-v1', goldenJournals()],
  ['coverage-v1', coverageJournals()],
] as const) {
  for (const [path, content] of journals) {
    const file = join('test/golden', folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
