import { readFileSync, writeFileSync } from 'node:fs';
import { makeSchema } from './makeSchema';

/** `npx tsx language-server/frameworks/trl/writeSchema.ts` writes schema.generated.json anew. */
function read(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

const schema = makeSchema(read('../../../test/vectors/configs/trl-schema.json'), read('./history.json'));
writeFileSync(new URL('./schema.generated.json', import.meta.url), `${JSON.stringify(schema)}\n`);
