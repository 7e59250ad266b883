import { expect, it } from 'vitest';
import { journalPage } from '../../protocol/docs/journalPage';
import { jsonSchema } from '../../protocol/docs/jsonSchema';
import { protocolPage } from '../../protocol/docs/protocolPage';

/** The generated pages equal what the schema says now. `npm run generate` writes them anew. */
it.each([
  ['PROTOCOL.md', protocolPage],
  ['JOURNAL.md', journalPage],
  ['schema.json', () => `${JSON.stringify(jsonSchema(), null, 2)}\n`],
])('%s is up to date', async (file, render) => {
  await expect(render()).toMatchFileSnapshot(`../../protocol/${file}`);
});
