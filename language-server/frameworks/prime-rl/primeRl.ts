import { modelFramework } from '../../config/modelFramework';
import { readSchema } from '../../config/schema';
import type { FrameworkSchema } from '../../config/schema';
import { readTomlConfig } from '../../config/tomlConfig';
import { PRIME_NOTES } from './notes';
import { PRIME_RULES } from './primeRules';
import json from './schema.generated.json';

let schema: FrameworkSchema | undefined;

/** prime-rl: TOML of the `rl` program, read by pydantic, which refuses what it does not know. */
export const primeRl = modelFramework({
  id: 'prime-rl',
  schema: () => (schema ??= readSchema('prime-rl', 'prime-rl', json, PRIME_NOTES)),
  read: async ({ text, language }) => (language === 'toml' ? readTomlConfig(text) : []),
  rules: PRIME_RULES,
  unknownKeys: (_, { name }) =>
    /\.env\.|\.env$|\[\]\.(?:algo|curriculum)\./.test(name) ? 'unsaid' : 'refused',
  badValues: () => 'refused',
});
