import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { goldenJournals } from './goldenJournals';

/** Writes the golden journals anew; to be run when the format changes, which makes a new version and a new folder. */
for (const [path, content] of goldenJournals()) {
  const file = join('test/golden/journal-v1', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
