import { expect, it } from 'vitest';
import { methodsPage } from '../../methods/docs/methodsPage';
import { bridgeContract } from '../../protocol/docs/bridgeContract';
import { journalPage } from '../../protocol/docs/journalPage';
import { jsonSchema } from '../../protocol/docs/jsonSchema';
import { protocolPage } from '../../protocol/docs/protocolPage';

/** The generated pages equal what the schema and the methods say now. `npm run generate` writes them anew. */
it.each([
  ['docs/methods.md', methodsPage],
  ['protocol/PROTOCOL.md', protocolPage],
  ['protocol/JOURNAL.md', journalPage],
  ['bridge/src/rolloutscope/contract.json', () => `${JSON.stringify(bridgeContract(), null, 2)}\n`],
  ['protocol/schema.json', () => `${JSON.stringify(jsonSchema(), null, 2)}\n`],
])('%s is up to date', async (file, render) => {
  await expect(render()).toMatchFileSnapshot(`../../${file}`);
});
